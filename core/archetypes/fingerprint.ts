/** What identifies the shape of a stored type (server.md 15.9). */
import { createHash } from 'node:crypto';
import type { ClassMeta } from './meta.ts';
import { metaOf } from './meta.ts';
import { typeText } from './type-text.ts';

const known = new WeakMap<ClassMeta, string>();

/** SHA-256 over kind, base types and ordered fields with their types, in hexadecimal. */
export function fingerprintOf(meta: ClassMeta): string {
  let print = known.get(meta);
  if (print === undefined) {
    const bases = meta.mro.slice(1).map((cls) => metaOf(cls)?.name ?? cls.name);
    const fields = meta.fields.map((field) => `${field.name}:${typeText(field.type)}`);
    print = createHash('sha256')
      .update([meta.kind, bases.join(','), ...fields].join('\n'))
      .digest('hex');
    known.set(meta, print);
  }
  return print;
}
