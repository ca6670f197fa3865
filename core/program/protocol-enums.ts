/** Enumerations of server programs: `APIProtocol`, `HTTPMethod`, `AccessLevel`, `ScheduleTrigger` (docs/server/programs.md#names). */
import { remember } from '../../library/classes/registry.ts';
import { Enum, type EnumSpec, enumeration, IntEnum, StrEnum } from '../../library/values/objects/enums.ts';

/** Makes the members, and the class known by its name: what is stored of it is found again. */
function declare(cls: any, spec: EnumSpec): void {
  remember({ ...spec, cls: enumeration(cls, spec) });
}

export class APIProtocol extends StrEnum {}
declare(APIProtocol, {
  name: 'APIProtocol',
  module: '',
  members: [
    ['HTTP', 'HTTP'],
    ['WEBHOOK', 'WEBHOOK'],
    ['WEBSOCKET', 'WEBSOCKET'],
  ],
});

export class HTTPMethod extends StrEnum {}
declare(HTTPMethod, {
  name: 'HTTPMethod',
  module: 'http',
  members: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => [name, name] as const),
});

export class AccessLevel extends IntEnum {}
declare(AccessLevel, {
  name: 'AccessLevel',
  module: '',
  members: [
    ['NO_ACCESS', -1],
    ['READ', 0],
    ['CONNECT', 1],
    ['WRITE', 2],
  ],
});

/** Schedules are accepted and kept; nothing runs them. */
export class ScheduleTrigger extends Enum {}
declare(ScheduleTrigger, {
  name: 'ScheduleTrigger',
  module: '',
  members: [
    ['STATIC', 'static'],
    ['DYNAMIC', 'dynamic'],
    ['CRON', 'cron'],
    ['INTERVAL', 'interval'],
    ['DATE', 'date'],
  ],
});
