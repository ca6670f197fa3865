import type { ExecutionContext } from '../../../core/memory/context.ts';
import { rootOf } from '../../../core/memory/session-rows.ts';
import type { Walk } from '../../../core/walkers/walk.ts';
import type { DebugFunction, DebugName } from '../../../lang/5-emit/debug-tables.ts';
import { bare, boxed } from '../../../library/values/numbers/float-box.ts';
import { typeName } from '../../../library/values/objects/type-name.ts';
import type { Scope } from '../protocol.ts';
import type { Call } from './calls.ts';
import type { Openings, Part } from './values.ts';
import { queueOf } from './walk-view.ts';

/** Locals, Walk, Globals and Call of a frame, as far as it has them. */
export function scopesOf(call: Call, walk: Walk | undefined, openings: Openings): readonly Scope[] {
  const open = (name: Scope['name'], parts: readonly Part[]): Scope => ({
    name,
    ref: openings.open((start, count) => parts.slice(start, start + count)),
  });
  const { names } = call.module.tables;
  const globals = partsOfNames(call, names);
  const isModule = call.fn.kind === 'module';
  const own = isModule ? names.filter(([, , form]) => form !== 'standard') : namesOf(call);
  const locals = [...selfOf(call, own), ...partsOfNames(call, own)];
  const found = [open('Locals', isModule ? locals.filter(isVariable) : locals)];
  if (walk !== undefined) found.push(open('Walk', walkParts(call, walk)));
  found.push(open('Globals', [...globals.filter(isVariable), ...globals.filter((part) => !isVariable(part))]));
  const context = call.unit as ExecutionContext | undefined;
  if (context?.session !== undefined) found.push(open('Call', callParts(context)));
  return found;
}

/** `self` of a method; abilities have theirs among what belongs to the walk, methods of a `class` may declare it. */
function selfOf(call: Call, names: readonly DebugName[]): readonly Part[] {
  if (call.fn.around !== 'self' || names.some(([name]) => name === 'self')) return [];
  const self = valueOf(call, 'this');
  return self === undefined ? [] : [{ name: 'self', read: () => self }];
}

/** The variables of the function, then those of the functions around it. */
function namesOf({ module, fn }: Call): readonly DebugName[] {
  const found = new Map<string, DebugName>();
  const { functions } = module.tables;
  for (let at: DebugFunction | undefined = fn; at !== undefined && at.kind !== 'module'; at = functions[at.outer ?? 0])
    for (const name of at.names) if (!found.has(name[0])) found.set(name[0], name);
  return [...found.values()];
}

/** Variables that have a value. */
function partsOfNames(call: Call, names: readonly DebugName[]): readonly Part[] {
  return names.flatMap(([name, code, form]) => {
    if (valueOf(call, code) === undefined) return [];
    const isBare = form === 'bare';
    return [
      {
        name,
        read: () => (isBare ? boxed(valueOf(call, code)) : valueOf(call, code)),
        write: (next: unknown) => {
          setting = isBare ? bare(next) : next;
          call.read(`${code} = globalThis[Symbol.for("svc.debug")].setting()`);
        },
      },
    ];
  });
}

let setting: unknown;

/** The value that is being set, for the code that sets it. */
export function takeSetting(): unknown {
  return setting;
}

function valueOf(call: Call, code: string): unknown {
  try {
    return call.read(code);
  } catch {
    // Not initialised yet.
    return undefined;
  }
}

function isVariable({ read }: Part): boolean {
  const value = read();
  return typeof value !== 'function' && typeName(value) !== 'module';
}

function walkParts({ fn }: Call, walk: Walk): readonly Part[] {
  return [
    { name: 'here', read: () => walk.here },
    { name: 'self', read: () => (fn.around === 'location' ? walk.here : walk.walker) },
    { name: 'visitor', read: () => walk.walker },
    { name: 'queue', read: () => queueOf(walk) },
    { name: 'reports', read: () => walk.reports },
  ];
}

function callParts(context: ExecutionContext): readonly Part[] {
  const parts: Part[] = [
    { name: 'user', read: () => context.userId },
    { name: 'root', read: () => rootOf(context.session) },
    { name: 'unit', read: () => context.callerKind },
  ];
  const incoming = context.call?.incoming;
  if (incoming !== undefined) parts.push({ name: 'request', read: () => `${incoming.method} ${incoming.path}` });
  for (const [name, value] of incoming?.headers() ?? [])
    if (name === 'x-request-id') parts.push({ name: 'request id', read: () => value });
  return parts;
}
