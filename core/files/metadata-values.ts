import { Dict } from '../../library/values/containers/dict.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { reprOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { textOf } from '../../library/values/text/text-arguments.ts';
import type { FileMetadata } from './storage.ts';

/**
 * Checks the metadata a program gave and turns it into a record. @throws TypeError unless it is a dict, ValueError for
 * what is not a scalar of JSON
 */
export function fileMetadata(given: unknown): FileMetadata | undefined {
  if (given === undefined || given === null) return undefined;
  if (!(given instanceof Dict)) throw new TypeError(`metadata must be a dict, not '${typeName(given)}'`);
  const values: [string, string | number | boolean | null][] = [];
  for (const [name, value] of given.entries()) {
    const key = textOf(name);
    if (key === undefined) throw new ValueError(`metadata has the name ${reprOf(name)}, which is not text`);
    const scalar = textOf(value) ?? value;
    if (!isScalar(scalar)) throw new ValueError(`metadata ${reprOf(key)} is not text, a number, a bool or None`);
    values.push([key, scalar]);
  }
  return Object.fromEntries(values);
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}
