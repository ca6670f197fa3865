import type { Databases } from '../../core/kvstore/databases.ts';
import { entriesOf } from '../../core/kvstore/encode.ts';
import { runInContext } from '../../core/memory/context.ts';
import { LiveSession } from '../../core/memory/live-session.ts';
import { createRuntime } from '../../core/memory/runtime.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import { kvstore } from '../../core/modules/svc-scale.ts';
import { callkw } from '../../library/values/calls/calls.ts';
import { strOf } from '../../library/values/objects/repr.ts';

/** Runs `work` as a call of a program that reaches these databases. */
export function withDatabases<T>(databases: Databases | undefined, work: () => T): T {
  const runtime = createRuntime({ store: openVolatileStore(), databases });
  const session = new LiveSession(runtime, { rootId: '0', kind: 'system', commitsAfterWalks: false }, []);
  return runInContext({ runtime, session, rootId: '0', userId: null, callerKind: 'system', warnings: [] }, work);
}

/** `kvstore(**options)` whose methods work outside calls; `find` gives an array. */
export function openHelper(databases: Databases, options: Record<string, unknown> = {}): any {
  const made = withDatabases(databases, () => callkw(kvstore, [], Object.entries(options) as never)) as any;
  return new Proxy(made, {
    get(target, name) {
      const member = target[name];
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) =>
        withDatabases(databases, async () => {
          const result = await member.apply(target, args);
          return name === 'find' ? [...result] : result;
        });
    },
  });
}

/** A value of the language in JavaScript's words, for comparisons in tests. */
export function plain(value: any): any {
  const entries = entriesOf(value);
  if (entries !== undefined) return Object.fromEntries([...entries].map(([name, item]) => [name, plain(item)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null && 'isoformat' in value) return `datetime ${value.isoformat()}`;
  if (typeof value === 'object' && value !== null && 'data' in value)
    return `bytes ${Buffer.from(value.data).toString('hex')}`;
  if (typeof value === 'object' && value !== null && 'is_nan' in value) return `Decimal ${strOf(value)}`;
  return value;
}

/** The same as one line of text. */
export function show(value: unknown): string {
  return JSON.stringify(plain(value), (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
}
