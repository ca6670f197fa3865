import type { BaseException } from './exceptions.ts';
import { strOf } from './repr.ts';
import { typeName } from './type-name.ts';

/** `str(e)` of an exception nobody asked about: one that cannot be shown does not hide the other. */
export function textOfException(error: unknown): string {
  try {
    return strOf(error);
  } catch {
    return '<exception str() failed>';
  }
}

/** `ValueError: boom`; the name alone when there is no text. What a program keeps in `message` or `name` does not count. */
export function titleOfException(error: BaseException): string {
  const text = textOfException(error);
  return text === '' ? typeName(error) : `${typeName(error)}: ${text}`;
}
