/**
 * `sem` for what another module declares (docs/language/delegation.md#sem): adds a description to what the runtime
 * knows about it.
 */
import { $enum } from '../values/objects/enums.ts';
import { key } from '../values/objects/protocol.ts';
import { specOf } from './func.ts';
import { metaOf } from './meta.ts';

type Described = { sem?: Readonly<Record<string, string>> };

/** `path` leads from `target` (a module, class, enum or function) to the part that `text` describes; unknown parts are left alone. */
export function describe(target: any, path: readonly string[], text: string): void {
  const [first, ...rest] = path;
  const own: Described | undefined = metaOf(target)?.spec ?? specOf(target) ?? target?.[$enum];
  if (own === undefined) {
    if (first !== undefined && target !== null && typeof target === 'object') describe(target[key(first)], rest, text);
    return;
  }
  if (first === undefined) add(own, '', text);
  else {
    if (rest.length === 0) add(own, first, text);
    const inner = memberOf(target, first);
    if (inner !== undefined) describe(inner, rest, text);
  }
}

// Methods by the names they have in the language; a constructor by either of them.
function memberOf(target: any, name: string): unknown {
  if (typeof target !== 'function' || target.prototype === undefined) return undefined;
  const k = name === '__init__' ? 'init' : key(name);
  const found = Object.getOwnPropertyDescriptor(target.prototype, k)?.value ?? target[k];
  return specOf(found) === undefined && metaOf(found) === undefined ? undefined : found;
}

function add(own: Described, part: string, text: string): void {
  own.sem = { ...own.sem, [part]: text };
}
