/**
 * Bits of `$st`, the state word of every node and edge. A fresh object is `FULL`: all its edges are in memory, because nobody else
 * can know it.
 */
export const LAZY = 1; // fields still in `$row`
export const DIRTY = 2; // fields changed since they were loaded or written
export const DELETED = 4;
export const FULL_OUT = 8; // `$out` lists every outgoing edge
export const FULL_IN = 16;
export const FULL = FULL_OUT | FULL_IN;
export const WATCHED = 32; // a container of it was handed out: compared at commit
export const READ = 64; // in the read set of its session
export const HOPPED = 128; // its edges were enumerated once; the second time they are kept
export const ENUMERATED = 256; // in the session's set of enumerated nodes
export const ACCESS = 512; // access rules changed
export const BOTH_WAYS = 4096; // an edge without direction
export const MIXED_OUT = 1024; // `$out` may hold two edges to one node
