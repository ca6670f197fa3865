/**
 * L2: copies of records beside a remote store (docs/server/storage.md#tiers), a port. A copy carries its version; who
 * reads it knows from the store itself which version is the present one and uses no other. So a cache can lose, delay
 * or refuse anything without a wrong answer. Nothing here rejects.
 */

/** Copy of a node without its edges. Texts as in `NodeRow`. */
export interface Payload {
  readonly id: string;
  /** The database it belongs to: the ids of some nodes are the same everywhere. */
  readonly home: string;
  readonly rev: number;
  readonly module: string;
  readonly type: string;
  readonly schema: string;
  readonly owner: string;
  readonly access: string;
  readonly data: string;
  readonly attic: string;
}

export interface PayloadCache {
  /** Reads copies in the order asked; undefined where there is none, and everywhere while nobody answers. */
  get(ids: readonly string[]): Promise<readonly (Payload | undefined)[]>;
  /** Keeps copies, in the background. A copy of a higher version stays. */
  put(payloads: readonly Payload[]): void;
  /** Removes copies, in the background. */
  drop(ids: readonly string[]): void;
  /** Rejects while it cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
