/** Positional sub-patterns of class patterns (docs/language/statements.md#match). */

import { itemsOf } from '../containers/iteration.ts';
import { getattrOr } from '../objects/attributes.ts';
import { TypeError } from '../objects/exceptions.ts';
import { className, isTypeObject } from '../objects/type-name.ts';

/** The attribute that sub-pattern `i` of `count` is matched against. @throws TypeError where the class has fewer. */
export function matchArgument(cls: any, i: number, count: number): any {
  const names = itemsOf(getattrOr(cls, '__match_args__', []));
  if (i < names.length) return names[i];
  const accepted = isTypeObject(cls) ? 1 : names.length;
  throw new TypeError(
    `${className(cls)}() accepts ${accepted} positional sub-pattern${accepted === 1 ? '' : 's'} (${count} given)`,
  );
}
