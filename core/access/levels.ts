/**
 * `AccessLevel` and the forms level arguments come in (docs/language/access.md#levels,
 * docs/server/permissions.md#levels).
 */
import { wordList } from '../../base/word-list.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { $primitive } from '../../library/values/objects/protocol.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { levelNames } from './rules.ts';

/** The level a value stands for: −1 to 2, a name, or a member of `AccessLevel`; undefined for anything else. */
export function levelOrNone(value: unknown): number | undefined {
  const plain =
    value !== null && typeof value === 'object' ? ((value as any)[$primitive] ?? (value as any).value) : value;
  if (typeof plain === 'number') return Number.isInteger(plain) && plain >= -1 && plain <= 2 ? plain : undefined;
  if (typeof plain !== 'string') return undefined;
  const at = levelNames.indexOf(plain as never);
  return at < 0 ? undefined : at - 1;
}

/** @throws ValueError */
export function requireLevel(value: unknown): number {
  const level = levelOrNone(value);
  if (level === undefined) throw new ValueError(`invalid access level: ${reprOf(value)} (${wordList(levelNames)})`);
  return level;
}
