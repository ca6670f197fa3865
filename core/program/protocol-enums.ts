/** Enumerations of server programs: `APIProtocol`, `HTTPMethod`, `AccessLevel`, `ScheduleTrigger` (docs/server/programs.md#names). */
import { Enum, enumeration, IntEnum, StrEnum } from '../../library/values/objects/enums.ts';

export class APIProtocol extends StrEnum {}
enumeration(APIProtocol, {
  name: 'APIProtocol',
  module: '',
  members: [
    ['HTTP', 'HTTP'],
    ['WEBHOOK', 'WEBHOOK'],
    ['WEBSOCKET', 'WEBSOCKET'],
  ],
});

export class HTTPMethod extends StrEnum {}
enumeration(HTTPMethod, {
  name: 'HTTPMethod',
  module: 'http',
  members: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => [name, name] as const),
});

export class AccessLevel extends IntEnum {}
enumeration(AccessLevel, {
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
enumeration(ScheduleTrigger, {
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
