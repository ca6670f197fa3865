/** The decorators `restspec` and `schedule` (server.md 4.1, 4.2). */
import type { RestSpec } from '../../library/classes/spec.ts';
import { builtin } from '../../library/values/calls/builtin.ts';
import { $primitive } from '../../library/values/objects/protocol.ts';

const $rest = Symbol('svc.restspec');
const $schedule = Symbol('svc.schedule');

/** Settings of a declaration without `restspec`. */
export const plainRest: RestSpec = {
  method: 'POST',
  path: '',
  protocol: 'HTTP',
  broadcast: false,
  envelope: true,
  produces: '',
  verify: '',
  secret: '',
};

/** `@restspec(method=…, path=…)`: notes the options on a walker or function. */
export const restspec = builtin(
  'restspec',
  (
    method?: unknown,
    path?: unknown,
    protocol?: unknown,
    broadcast?: unknown,
    envelope?: unknown,
    produces?: unknown,
    verify?: unknown,
    secret?: unknown,
  ) => {
    const spec: RestSpec = {
      method: textOf(method, plainRest.method).toUpperCase() as RestSpec['method'],
      path: textOf(path, ''),
      protocol: textOf(protocol, plainRest.protocol).toUpperCase() as RestSpec['protocol'],
      broadcast: broadcast === true,
      envelope: envelope !== false,
      produces: textOf(produces, ''),
      verify: textOf(verify, '') as RestSpec['verify'],
      secret: textOf(secret, ''),
    };
    return (target: unknown) => note(target, $rest, spec);
  },
);

/** `@schedule(…)`: kept for the description; this release runs no schedules. */
export const schedule = builtin('schedule', (args: unknown, kwargs: unknown) => {
  const options = { args, kwargs };
  return (target: unknown) => note(target, $schedule, options);
});

function note(target: unknown, key: symbol, value: unknown): unknown {
  if (typeof target === 'function') Object.defineProperty(target, key, { value, configurable: true });
  return target;
}

/** The options given to a walker or function; undefined without the decorator. Not inherited. */
export function restOf(target: unknown): RestSpec | undefined {
  return typeof target === 'function' && Object.hasOwn(target, $rest) ? (target as any)[$rest] : undefined;
}

export function isScheduled(target: unknown): boolean {
  return typeof target === 'function' && Object.hasOwn(target, $schedule);
}

// Members of an enumeration, or plain texts.
function textOf(value: unknown, fallback: string): string {
  if (value === undefined || value === null) return fallback;
  const plain = typeof value === 'object' ? ((value as any)[$primitive] ?? (value as any).value ?? value) : value;
  return String(plain);
}
