/** Settings of the databases of `kvstore`. */
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
