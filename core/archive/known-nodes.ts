/**
 * Nodes of an archive by their ids, while it is checked and while it is imported: a port, so that their number does not matter to the memory of the
 * process (decisions/0825).
 */
import type { Key } from '../memory/rows.ts';

export interface Place {
  readonly key: Key;
  /** Number of the stored type. */
  readonly type: number;
}

export interface KnownNodes {
  add(id: string, isRoot: boolean): void;
  has(id: string): boolean;
  isRoot(id: string): boolean;
  /** Notes that a root has an account. */
  own(root: string): void;
  /** A root that has none, those of `apart` left aside. */
  loneRoot(apart: readonly string[]): string | undefined;
  /** Notes where a store has a node. */
  put(id: string, place: Place): void;
  placeOf(id: string): Place | undefined;
  close(): void;
}
