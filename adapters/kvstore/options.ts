/** Settings of the databases of `kvstore`. */
import type { DatabaseKind } from '../../core/kvstore/databases.ts';

export interface DatabasesOptions {
  readonly docdbUri: string;
  readonly kvcacheUrl: string;
  /** PostgreSQL that keeps the graph, and what has no other address; absent: none. */
  readonly databaseUrl?: string | undefined;
  readonly ownDatabase: string;
  /** Folder of the embedded database; `:memory:`: it ends with the process; undefined: there is none. */
  readonly embeddedIn: string | undefined;
  readonly durability: 'full' | 'normal';
  readonly connectTimeoutMs: number;
  readonly operationTimeoutMs: number;
  readonly poolSize: number;
}

/** Name of the file of the embedded database, beside the graph's. */
export const embeddedFile = 'kvstore.db';

/** Kinds of data that programs without an address keep elsewhere than in the embedded database. */
export function kindsElsewhere({ docdbUri, kvcacheUrl, databaseUrl }: DatabasesOptions): readonly DatabaseKind[] {
  if (databaseUrl !== undefined) return ['docdb', 'kvcache'];
  return [...(docdbUri === '' ? [] : (['docdb'] as const)), ...(kvcacheUrl === '' ? [] : (['kvcache'] as const))];
}
