/** `type(name, bases, members)`: a class made while the program runs. */
import { base } from '../builtins/class-base.ts';
import type { Dict } from '../values/containers/dict.ts';
import { becomeMember } from '../values/objects/class-methods.ts';
import { key } from '../values/objects/protocol.ts';
import { archetype } from './archetype.ts';
import { Obj } from './classes.ts';
import { mix, settle } from './mro.ts';

export function makeClass(name: string, bases: readonly unknown[], members: Dict, keywords?: Dict): unknown {
  const parents = bases.map((one) => base(one as any));
  const parent: any = parents.length === 0 ? Obj : parents.length === 1 ? parents[0] : mix(...(parents as any[]));
  const cls: any = { [name]: class extends parent {} }[name];
  const waiting: [string, unknown][] = [];
  for (const [member, value] of members.entries() as Iterable<[string, unknown]>) {
    // The constructor is looked at when the class is registered.
    if (member === '__init__' || member === 'init') becomeMember(cls, 'init', value);
    else waiting.push([key(member), value]);
  }
  const module = members.get('__module__');
  archetype(cls, {
    kind: 'class',
    name,
    module: module === undefined ? '__main__' : String(module),
    fields: [],
    abilities: [],
  });
  for (const [k, value] of waiting)
    if (!becomeMember(cls, k, value))
      Object.defineProperty(cls, k, { value, writable: true, enumerable: true, configurable: true });
  settle(cls, keywords?.size ? ([...keywords.entries()] as [string, unknown][]) : undefined);
  return cls;
}
