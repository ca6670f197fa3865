/**
 * Documents in versions, so that a transaction reads what was there when it began and meets the writes of others as a conflict. A statement
 * outside a transaction waits for the one that holds what it wants to write.
 */
import { calculateObjectSize, deserialize, EJSON, ObjectId, serialize } from 'bson';
import { duplicateKey, Refusal, writeConflict } from './failure.ts';
import type { Doc } from './wire.ts';

export interface Transaction {
  /** Commits up to this one are seen. */
  readonly seesUntil: number;
  readonly entries: Set<Entry>;
  readonly ended: Promise<void>;
}

interface Version {
  readonly at: number;
  readonly doc: Doc | undefined;
}

/** Everything there ever was under one `_id`. */
export interface Entry {
  readonly order: number;
  /** Newest last. */
  versions: Version[];
  holder: Transaction | undefined;
  pending: Doc | undefined;
}

export interface Index {
  readonly name: string;
  readonly key: Doc;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly expireAfterSeconds?: number;
  /** Entries by the first field's value; they may have moved on since. */
  readonly places: Map<string, Set<Entry>>;
}

/** The statement has to wait until this transaction is over. */
export class Held extends Error {
  readonly by: Transaction;
  constructor(by: Transaction) {
    super('held by a transaction');
    this.by = by;
  }
}

export interface Clock {
  now: number;
}

const mostDocumentBytes = 16 * 1024 * 1024;

export class Collection {
  readonly place: string;
  readonly indexes: Map<string, Index> = new Map();
  private readonly clock: Clock;
  private readonly entries: Map<string, Entry> = new Map();
  private count = 0;

  constructor(place: string, clock: Clock) {
    this.place = place;
    this.clock = clock;
  }

  /**
   * Lists the documents that a transaction, or a reader without one, sees of these entries, in order of first creation.
   */
  visible(entries: Iterable<Entry>, transaction: Transaction | undefined): { entry: Entry; doc: Doc }[] {
    const seen: { entry: Entry; doc: Doc }[] = [];
    for (const entry of entries) {
      const doc = this.docOf(entry, transaction);
      if (doc !== undefined) seen.push({ entry, doc });
    }
    return seen;
  }

  docOf(entry: Entry, transaction: Transaction | undefined): Doc | undefined {
    if (transaction === undefined) return entry.versions.at(-1)?.doc;
    if (entry.holder === transaction) return entry.pending;
    return entry.versions.findLast(({ at }) => at <= transaction.seesUntil)?.doc;
  }

  /** Gives the entries that can match a filter, by `_id` or the first field of an index; else all. */
  candidates(filter: Doc): Iterable<Entry> {
    const parts: Doc[] = [filter, ...(Array.isArray(filter['$and']) ? filter['$and'] : [])];
    for (const part of parts) {
      const ids = wantedValues(part['_id']);
      if (ids !== undefined) return ids.flatMap((id) => this.entries.get(idText(id)) ?? []);
    }
    for (const { key, places } of this.indexes.values()) {
      const [first] = Object.keys(key);
      for (const part of parts) {
        const values = wantedValues(part[first!]);
        if (values !== undefined) return merged(values.map((value) => places.get(idText(value))));
      }
    }
    const alternatives = filter['$or'];
    if (Array.isArray(alternatives) && alternatives.length > 0) {
      const sets = alternatives.map((part: Doc) => this.candidates(part));
      if (sets.every((set) => set !== this.all())) return merged(sets);
    }
    return this.all();
  }

  private all(): Iterable<Entry> {
    return this.everything;
  }

  private readonly everything: Iterable<Entry> = { [Symbol.iterator]: () => this.entries.values() };

  insert(given: Doc, transaction: Transaction | undefined): Entry {
    const doc = '_id' in given ? given : { _id: new ObjectId(), ...given };
    const text = idText(doc['_id']);
    let entry = this.entries.get(text);
    if (entry !== undefined) {
      this.requireFree(entry, transaction);
      if (this.newest(entry, transaction) !== undefined)
        throw duplicateKey(this.place, '_id_', { _id: 1 }, { _id: doc['_id'] });
    } else {
      entry = { order: ++this.count, versions: [], holder: undefined, pending: undefined };
    }
    this.put(entry, doc, transaction);
    this.entries.set(text, entry);
    return entry;
  }

  /** Replaces a document or, without one, removes it. */
  write(entry: Entry, doc: Doc | undefined, transaction: Transaction | undefined): void {
    this.requireFree(entry, transaction);
    this.put(entry, doc, transaction);
  }

  private newest(entry: Entry, transaction: Transaction | undefined): Doc | undefined {
    return entry.holder === transaction && transaction !== undefined ? entry.pending : entry.versions.at(-1)?.doc;
  }

  /** @throws Refusal 112 for a transaction that came too late; Held for a statement without one */
  requireFree(entry: Entry, transaction: Transaction | undefined): void {
    if (entry.holder !== undefined && entry.holder !== transaction) {
      if (transaction === undefined) throw new Held(entry.holder);
      throw writeConflict();
    }
    if (transaction !== undefined && (entry.versions.at(-1)?.at ?? 0) > transaction.seesUntil) throw writeConflict();
  }

  private put(entry: Entry, given: Doc | undefined, transaction: Transaction | undefined): void {
    const doc = given === undefined ? undefined : copyOf(given);
    if (doc !== undefined) {
      if (calculateObjectSize(doc) > mostDocumentBytes)
        throw new Refusal(10334, 'BSONObjectTooLarge', 'the document is larger than 16777216 bytes');
      this.requireUnique(entry, doc, transaction);
    }
    if (transaction === undefined) this.apply(entry, doc, ++this.clock.now);
    else {
      entry.holder = transaction;
      entry.pending = doc;
      transaction.entries.add(entry);
      this.enter(entry, doc);
    }
  }

  private requireUnique(entry: Entry, doc: Doc, transaction: Transaction | undefined): void {
    for (const { name, key, unique, sparse, places } of this.indexes.values()) {
      const fields = Object.keys(key);
      if (!unique || (sparse && fields.every((field) => valueAt(doc, field) === undefined))) continue;
      const wanted = keyText(doc, fields);
      for (const other of places.get(idText(valueAt(doc, fields[0]!))) ?? []) {
        if (other === entry) continue;
        const theirs = other.holder === undefined ? other.versions.at(-1)?.doc : other.pending;
        const old = other.versions.at(-1)?.doc;
        const isTaken = (seen: Doc | undefined) => seen !== undefined && keyText(seen, fields) === wanted;
        if (other.holder !== undefined && other.holder !== transaction) {
          if (isTaken(theirs) || isTaken(old)) this.requireFree(other, transaction);
          continue;
        }
        if (!isTaken(theirs)) continue;
        if (transaction !== undefined && (other.versions.at(-1)?.at ?? 0) > transaction.seesUntil)
          throw writeConflict();
        throw duplicateKey(
          this.place,
          name,
          key,
          Object.fromEntries(fields.map((field) => [field, valueAt(doc, field)])),
        );
      }
    }
  }

  apply(entry: Entry, doc: Doc | undefined, at: number): void {
    entry.versions.push({ at, doc });
    this.enter(entry, doc);
  }

  private enter(entry: Entry, doc: Doc | undefined): void {
    if (doc === undefined) return;
    for (const index of this.indexes.values()) enterOne(index, entry, doc);
  }

  addIndex(index: Omit<Index, 'places'>): void {
    if (this.indexes.has(index.name)) return;
    const made: Index = { ...index, places: new Map() };
    for (const entry of this.entries.values())
      for (const { doc } of entry.versions) if (doc !== undefined) enterOne(made, entry, doc);
    this.indexes.set(index.name, made);
    try {
      for (const { entry, doc } of this.visible(this.all(), undefined)) this.requireUnique(entry, doc, undefined);
    } catch (error) {
      this.indexes.delete(index.name);
      throw error;
    }
  }

  /** Forgets versions nobody can see any more. */
  prune(oldest: number): void {
    for (const [text, entry] of this.entries) {
      const keep = entry.versions.findLastIndex(({ at }) => at <= oldest);
      if (keep > 0) entry.versions = entry.versions.slice(keep);
      if (entry.holder !== undefined || entry.versions.length !== 1) continue;
      const [only] = entry.versions;
      if (only!.doc !== undefined || only!.at > oldest) continue;
      this.entries.delete(text);
      for (const { places } of this.indexes.values()) for (const set of places.values()) set.delete(entry);
    }
  }
}

function enterOne({ key, places }: Index, entry: Entry, doc: Doc): void {
  const value = valueAt(doc, Object.keys(key)[0]!);
  for (const one of Array.isArray(value) ? [...value, value] : [value]) {
    const text = idText(one);
    const set = places.get(text);
    if (set === undefined) places.set(text, new Set([entry]));
    else set.add(entry);
  }
}

function merged(sets: readonly (Iterable<Entry> | undefined)[]): Entry[] {
  const all = new Set<Entry>();
  for (const set of sets) for (const entry of set ?? []) all.add(entry);
  return [...all].sort((a, b) => a.order - b.order);
}

/** The values a condition allows, when it names them. */
function wantedValues(condition: unknown): unknown[] | undefined {
  if (condition === undefined || condition instanceof RegExp) return undefined;
  if (condition === null || typeof condition !== 'object' || '_bsontype' in condition) return [condition];
  const operators = Object.keys(condition).filter((name) => name.startsWith('$'));
  if (operators.length === 0) return [condition];
  if ('$eq' in condition) return [condition.$eq];
  if ('$in' in condition && Array.isArray(condition.$in)) {
    return condition.$in.some((value) => value instanceof RegExp) ? undefined : condition.$in;
  }
  return undefined;
}

export function valueAt(doc: any, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (value === null || value === undefined ? undefined : value[name]), doc);
}

function keyText(doc: Doc, fields: readonly string[]): string {
  return idText(fields.map((field) => valueAt(doc, field) ?? null));
}

/** Equal values have equal texts, whatever kind of number they are. */
export function idText(value: unknown): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return `n${value}`;
  return EJSON.stringify({ v: value ?? null } as never, { relaxed: true });
}

export function copyOf(doc: Doc): Doc {
  return deserialize(serialize(doc, { ignoreUndefined: true }));
}
