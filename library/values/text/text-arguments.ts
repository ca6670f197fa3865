/** Checks of arguments that have to be text. */
import { TypeError } from '../objects/exceptions.ts';
import { $primitive } from '../objects/protocol.ts';
import { typeName } from '../objects/type-name.ts';

/** The text of a string or of a member of a string enum. */
export function textOf(x: any): string | undefined {
  if (typeof x === 'string') return x;
  const inner = typeof x === 'object' && x !== null ? x[$primitive] : undefined;
  return typeof inner === 'string' ? inner : undefined;
}

/** @throws TypeError `must be str, not X`, with `what` in front */
export function requireText(x: unknown, what = ''): string {
  if (typeof x === 'string') return x;
  const text = textOf(x);
  if (text === undefined) throw new TypeError(`${what}${what === '' ? '' : ' '}must be str, not ${typeName(x)}`);
  return text;
}

/** The name of an attribute that is computed. @throws TypeError */
export function attributeText(name: unknown): string {
  const text = textOf(name);
  if (text === undefined) throw new TypeError(`attribute name must be string, not '${typeName(name)}'`);
  return text;
}
