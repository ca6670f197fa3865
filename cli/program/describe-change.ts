/**
 * A change of stored data in words (docs/server/storage.md#changing-types). Apart from `check-stored.ts`, because
 * functions say it and have no compiler.
 */
import { losing, type StoredChange } from '../../core/memory/stored-changes.ts';
import type { SchemaChange } from '../../infra/targets/schema-changes.ts';

/** Objects are not there for the program, or a value is of a member its enum no longer has. */
export function isLosing({ change, examples }: StoredChange): boolean {
  return losing.has(change) || (change === 'default_used' && examples.some(({ before }) => isMember(before)));
}

function isMember(value: unknown): boolean {
  return value !== null && typeof value === 'object' && (value as { $t?: unknown }).$t === 'enum';
}

/** One change in words. */
export function describeChange({ type, field, change, count, now }: StoredChange): string {
  const place = field === undefined ? type : `${type}.${field}`;
  return `${place}: ${count} object${count === 1 ? '' : 's'} ${sentences[change](count === 1, now)}`;
}

/** A change of all objects that have the field, where nobody can count them. */
export function describeSchemaChange({ type, field, change }: SchemaChange): string {
  const place = field === undefined ? type : `${type}.${field}`;
  if (change === 'other') return `${place}: objects are stored differently there`;
  if (change === 'refitted')
    return `${place}: objects are converted where nothing is lost by it; else they get the default, and the value is kept beside it`;
  return `${place}: objects ${sentences[change](false, undefined)}`;
}

const sentences: Readonly<Record<StoredChange['change'], (one: boolean, now: string | undefined) => string>> = {
  added: (one) => `${one ? 'gets' : 'get'} the default of the new field`,
  kept_aside: (one) => `${one ? 'keeps' : 'keep'} the value of a field that is gone beside it`,
  restored: (one) => `${one ? 'gets' : 'get'} back a value that was kept beside it`,
  renamed: (one, now) =>
    now === undefined ? `${one ? 'has' : 'have'} it under its old name` : `${one ? 'is' : 'are'} read as ${now}`,
  converted: (one) => `${one ? 'is' : 'are'} converted without loss`,
  default_used: (one) => `${one ? 'gets' : 'get'} the default, the value does not fit and is kept beside it`,
  gone: (one) => `${one ? 'is' : 'are'} left aside, the program has no such type`,
  undecodable: (one) => `${one ? 'is' : 'are'} left aside, the record cannot be decoded`,
};
