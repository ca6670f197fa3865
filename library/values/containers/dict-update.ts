/** Merging into a dict: `{**a, **b}`, `d.update(x)`, `d |= x`, `dict(x)`. */
import { isPlainObject } from '../calls/border.ts';
import { inRegion } from '../calls/regions.ts';
import { TypeError, ValueError } from '../objects/exceptions.ts';
import { callMethod } from '../objects/methods.ts';
import { $primitive } from '../objects/protocol.ts';
import { typeName } from '../objects/type-name.ts';
import { Dict } from './dict.ts';
import { itemsOf, tryIter } from './iteration.ts';
import { getitem } from './subscripts.ts';
import { passWritten } from './written-keys.ts';

/** `{…, **other}` of generated code; other values than mappings are an error. */
export function dictUpdate(target: Dict, other: any): Dict {
  changed(target, (d) => update(d, other));
  return target;
}

/**
 * Gives the result of `act` on the entries of `d`, which is not changed before all that has to be waited for is known
 * (decisions/0210).
 */
export function changed<T>(d: Dict, act: (d: Dict) => T): T {
  if (!inRegion()) return act(d);
  const copy: Dict = Dict.prototype.copy.call(d);
  const result = act(copy);
  d.become(copy);
  return result;
}

function update(target: Dict, other: any): Dict {
  if (other instanceof Dict) {
    for (const [k, v] of other.map) target.set(k, v);
    passWritten(other, target);
    return target;
  }
  if (isMapping(other)) return copyMapping(target, other);
  const source = tryIter(other);
  if (source === undefined) throw new TypeError(`'${typeName(other)}' object is not iterable`);
  let index = 0;
  for (const pair of source) {
    const items = pairItems(pair, index);
    target.set(items[0], items[1]);
    index += 1;
  }
  return target;
}

/** `**other` in a dict display or call: only mappings. */
export function dictSpread(target: Dict, other: any): Dict {
  if (other instanceof Dict || isMapping(other)) return dictUpdate(target, other);
  throw new TypeError(`'${typeName(other)}' object is not a mapping`);
}

/** `**other` among the arguments of a call. @throws TypeError for a name that is no text or has been given */
export function keywordSpread(target: Dict, other: any): Dict {
  const more = other instanceof Dict ? other : dictSpread(new Dict(), other);
  for (const [name, value] of more.map) {
    if (typeof name !== 'string' && typeof (name as any)?.[$primitive] !== 'string')
      throw new TypeError('keywords must be strings');
    if (target.has(name)) throw new TypeError(`got multiple values for keyword argument '${name}'`);
    target.set(name, value);
  }
  passWritten(more, target);
  return target;
}

function isMapping(x: any): boolean {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return false;
  if (typeof x.keys === 'function') return true;
  return isPlainObject(x);
}

function copyMapping(target: Dict, other: any): Dict {
  if (other instanceof Map) for (const [k, v] of other) target.set(k, v);
  else if (typeof other.keys === 'function')
    for (const k of itemsOf(callMethod(other, 'keys'))) target.set(k, getitem(other, k));
  else for (const name of Object.keys(other)) target.set(name, getitem(other, name));
  return target;
}

function pairItems(pair: unknown, index: number): readonly unknown[] {
  const source = tryIter(pair);
  if (source === undefined)
    throw new TypeError(`cannot convert dictionary update sequence element #${index} to a sequence`);
  const items = itemsOf(source);
  if (items.length !== 2) {
    throw new ValueError(`dictionary update sequence element #${index} has length ${items.length}; 2 is required`);
  }
  return items;
}
