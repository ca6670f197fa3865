/** A member of an archive. `name` uses `/`; folders have no `data`. */
export interface ArchiveEntry {
  readonly name: string;
  readonly mode: number;
  readonly modified: Date;
  readonly data?: Uint8Array;
  /** A symbolic link: where it leads. */
  readonly link?: string;
  /** Number of the user and group that own it; absent: 0. Written only. */
  readonly owner?: number;
}

/** The bytes are no archive of this kind. */
export class NotAnArchive extends Error {}
