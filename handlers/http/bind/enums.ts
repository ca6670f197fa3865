import { wordList } from '../../../base/word-list.ts';
import { metaOf } from '../../../library/values/objects/enums.ts';
import { refuse } from './place.ts';
import type { Coerce } from './scalars.ts';

/** A member of an enumeration by its value, else by its name. Names are not exact: in a union other members come first. */
export function coerceEnum(cls: object): Coerce {
  return (value, place) => {
    const { members, byName } = metaOf(cls);
    const byValue = members.find((member) => (place.isText ? String(member.value) === value : member.value === value));
    if (byValue !== undefined) return byValue;
    const named = typeof value === 'string' && !place.isExact ? byName.get(value) : undefined;
    return named ?? refuse(place, 'enum', `must be ${wordList(namesOf(members))}`);
  };
}

/** Values where they are texts, which answers show, else names. */
function namesOf(members: readonly { readonly name: string; readonly value: unknown }[]): string[] {
  return members.map(({ name, value }) => (typeof value === 'string' ? value : name));
}
