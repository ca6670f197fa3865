/**
 * Address of a helper's data (docs/server/kvstore.md#embedded, docs/server/configuration.md#precedence): the argument,
 * the environment, the configuration, or the embedded backend.
 */

import { ValueError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { type DatabaseKind, type Databases, localUri } from './databases.ts';

const schemes: Readonly<Record<DatabaseKind, RegExp>> = {
  docdb: /^(mongodb(\+srv)?:\/\/|local:)/,
  kvcache: /^(rediss?:\/\/|local:)/,
};

const shown: Readonly<Record<DatabaseKind, string>> = {
  docdb: 'mongodb://, mongodb+srv:// or local:',
  kvcache: 'redis://, rediss:// or local:',
};

/** @throws ValueError for a kind there is not */
export function checkKind(kind: unknown): DatabaseKind {
  if (kind !== 'docdb' && kind !== 'kvcache') throw new ValueError(`Unsupported db_type: ${strOf(kind)}`);
  return kind;
}

/** @throws ValueError for an address that is none of this kind */
export function checkUri(kind: DatabaseKind, uri: string): string {
  if (!schemes[kind].test(uri)) throw new ValueError(`The URI of a ${kind} must start with ${shown[kind]}`);
  return uri;
}

/** @throws ValueError `No <kind> URI configured` where there is neither an address nor a place for data */
export function resolveUri(kind: DatabaseKind, explicit: string | undefined, databases: Databases | undefined): string {
  if (databases === undefined) throw new ValueError(`No ${kind} URI configured`);
  const uri = explicit ?? databases.addressOf(kind) ?? localUri;
  if (uri.startsWith(localUri) && !databases.hasEmbedded) throw new ValueError(`No ${kind} URI configured`);
  return uri;
}

/** @throws ValueError when no document database can be called so */
export function checkDatabase(name: string): string {
  if (name === '' || /[/\\. "$*<>:|?\0]/.test(name) || Buffer.byteLength(name) > 63)
    throw new ValueError(`Not the name of a database: '${name}'`);
  return name;
}
