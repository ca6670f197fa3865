import * as t from './tokens.ts';

/**
 * Open-addressing table from the characters of a word to its token kind and one string per spelling, so that a name that occurs
 * often is neither cut out of the text nor hashed again. Entry 0 is unused; slots hold entry numbers.
 */
export interface WordTable {
  slots: Int32Array;
  hashes: Int32Array;
  kinds: Uint8Array;
  readonly words: string[];
}

/** A table that knows the words of the language. */
export function createWordTable(): WordTable {
  return {
    slots: preloaded.slots.slice(),
    hashes: preloaded.hashes.slice(),
    kinds: preloaded.kinds.slice(),
    words: preloaded.words.slice(),
  };
}

/** The hash the scanner computes along: start with 0 and fold in each character code. */
function foldHash(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0;
}

/** Entry number of `text.slice(start, end)`, whose hash is given; new words are added as NAME. */
export function findWord(table: WordTable, text: string, start: number, end: number, hash: number): number {
  const { slots, hashes, words } = table;
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 13)) & mask;
  for (;;) {
    const entry = slots[slot]!;
    if (entry === 0) return addWord(table, text.slice(start, end), hash);
    if (hashes[entry] === hash && isAt(words[entry]!, text, start, end)) return entry;
    slot = (slot + 1) & mask;
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  const length = end - start;
  if (word.length !== length) return false;
  for (let i = 0; i < length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

function addWord(table: WordTable, word: string, hash: number): number {
  const entry = table.words.length;
  if (entry === table.hashes.length) grow(table);
  table.words.push(word);
  table.hashes[entry] = hash;
  table.kinds[entry] = t.NAME;
  place(table, entry, hash);
  return entry;
}

function place(table: WordTable, entry: number, hash: number): void {
  const mask = table.slots.length - 1;
  let slot = (hash ^ (hash >>> 13)) & mask;
  while (table.slots[slot] !== 0) slot = (slot + 1) & mask;
  table.slots[slot] = entry;
}

/** Twice the room; slots stay at most half full. */
function grow(table: WordTable): void {
  const size = table.hashes.length * 2;
  const { hashes, kinds } = table;
  table.hashes = new Int32Array(size);
  table.kinds = new Uint8Array(size);
  table.slots = new Int32Array(size * 2);
  table.hashes.set(hashes);
  table.kinds.set(kinds);
  for (let entry = 1; entry < table.words.length; entry++) place(table, entry, hashes[entry]!);
}

const preloaded: WordTable = preload();

function preload(): WordTable {
  const table: WordTable = {
    slots: new Int32Array(2048),
    hashes: new Int32Array(1024),
    kinds: new Uint8Array(1024),
    words: [''],
  };
  const kinds: readonly (readonly [string, number])[] = [
    ...t.words,
    ...t.builtinTypes.map((word) => [word, t.BUILTIN_TYPE] as const),
  ];
  for (const [word, kind] of kinds) {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = foldHash(hash, word.charCodeAt(i));
    table.kinds[findWord(table, word, 0, word.length, hash)] = kind;
  }
  return table;
}
