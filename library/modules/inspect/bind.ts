/** `Signature.bind`: which arguments of a call go to which parameters. */

import { nativeClass } from '../../builtins/native-class.ts';
import type { ParamSpec } from '../../classes/spec.ts';
import { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';

export class BoundArguments {
  readonly signature: unknown;
  readonly arguments: Dict;
  readonly $params: readonly ParamSpec[];

  constructor(signature: unknown, params: readonly ParamSpec[], given: Dict) {
    this.signature = signature;
    this.$params = params;
    this.arguments = given;
  }

  /** Arguments given by place; after a parameter without one, the rest goes by name. */
  get args(): Tuple {
    const items: unknown[] = [];
    for (const param of this.$params) {
      if (param.kind === 'kw' || param.kind === 'kwargs' || !this.arguments.has(param.name)) break;
      const value: any = this.arguments.get(param.name);
      if (param.kind === 'args') items.push(...value.items);
      else items.push(value);
    }
    return new Tuple(items);
  }

  get kwargs(): Dict {
    const named = new Dict();
    let isByName = false;
    for (const param of this.$params) {
      const has = this.arguments.has(param.name);
      isByName ||= param.kind === 'kw' || param.kind === 'kwargs' || (!has && param.kind !== 'args');
      if (!isByName || !has) continue;
      const value: any = this.arguments.get(param.name);
      if (param.kind !== 'kwargs') named.set(param.name, value);
      else for (const [name, one] of value.entries()) named.set(name, one);
    }
    return named;
  }

  apply_defaults(): null {
    const all = this.$params.map((param): [string, unknown] | undefined => {
      if (this.arguments.has(param.name)) return [param.name, this.arguments.get(param.name)];
      if (param.default !== undefined) return [param.name, param.default()];
      if (param.kind === 'args') return [param.name, new Tuple([])];
      return param.kind === 'kwargs' ? [param.name, new Dict()] : undefined;
    });
    this.arguments.clear();
    for (const pair of all) if (pair !== undefined) this.arguments.set(...pair);
    return null;
  }

  [$repr](): string {
    const shown = [...this.arguments.entries()].map(([name, value]) => `${name}=${reprOf(value)}`);
    return `<BoundArguments (${shown.join(', ')})>`;
  }
}
nativeClass(BoundArguments, { name: 'BoundArguments', module: 'inspect' });

/** @throws TypeError for what does not fit; `isPartial`: arguments may be missing */
export function bindTo(
  signature: unknown,
  params: readonly ParamSpec[],
  args: readonly unknown[],
  kwargs: Dict | undefined,
  isPartial: boolean,
): BoundArguments {
  const named = new Map<string, unknown>((kwargs?.entries() ?? []) as Iterable<[string, unknown]>);
  const given = new Dict();
  let at = 0;
  for (const param of params) {
    const { name, kind } = param;
    if (kind === 'args') {
      if (at < args.length) given.set(name, new Tuple(args.slice(at)));
      at = args.length;
    } else if (kind === 'kwargs') continue;
    else if (kind !== 'kw' && at < args.length) {
      if (kind === 'any' && named.has(name)) throw new TypeError(`multiple values for argument ${reprOf(name)}`);
      given.set(name, args[at]);
      at += 1;
    } else if (kind !== 'pos' && named.has(name)) {
      given.set(name, named.get(name));
      named.delete(name);
    } else if (param.default === undefined && !isPartial)
      throw new TypeError(`missing a required ${kind === 'kw' ? 'keyword-only ' : ''}argument: ${reprOf(name)}`);
  }
  if (at < args.length) throw new TypeError('too many positional arguments');
  const others = params.find((param) => param.kind === 'kwargs');
  const [first] = named.keys();
  if (first !== undefined && others === undefined)
    throw new TypeError(`got an unexpected keyword argument ${reprOf(first)}`);
  if (first !== undefined) given.set(others!.name, Dict.from([...named]));
  return new BoundArguments(signature, params, given);
}
