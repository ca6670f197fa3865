/** Queries and changes on one collection, judged by mingo. */
import { ObjectId, serialize } from 'bson';
import { Aggregator, Query } from 'mingo';
import { updateOne } from 'mingo/updater';
import { type Collection, copyOf, type Entry, idText, type Transaction, valueAt } from './collection.ts';
import { badValue, Refusal } from './failure.ts';
import type { Doc } from './wire.ts';

/** Collection that a statement works on, and the listener for its writes. */
export interface Place {
  readonly collection: Collection;
  readonly transaction: Transaction | undefined;
  note(entry: Entry): void;
}

export interface Found {
  readonly entry: Entry;
  readonly doc: Doc;
}

const options = { scriptEnabled: false } as never;

export function select({ collection, transaction }: Place, filter: Doc): Found[] {
  const seen = collection.visible(collection.candidates(filter), transaction);
  if (Object.keys(filter).length === 0) return seen;
  const query = judged(() => new Query(filter as never, options));
  return judged(() => seen.filter(({ doc }) => query.test(doc as never)));
}

export interface FindSpec {
  readonly filter?: Doc;
  readonly sort?: Doc;
  readonly projection?: Doc;
  readonly skip?: number;
  readonly limit?: number;
}

export function find(place: Place, { filter = {}, sort, projection, skip = 0, limit = 0 }: FindSpec): Doc[] {
  const docs = select(place, filter).map(({ doc }) => doc);
  return judged(() => {
    let cursor = new Query({}, options).find<Doc>(docs as never, (projection ?? {}) as never);
    if (sort !== undefined && Object.keys(sort).length > 0) cursor = cursor.sort(sort as never);
    if (skip > 0) cursor = cursor.skip(skip);
    if (limit !== 0) cursor = cursor.limit(Math.abs(limit));
    return cursor.all() as Doc[];
  });
}

export function sorted(found: readonly Found[], sort: Doc | undefined): readonly Found[] {
  if (sort === undefined || found.length < 2) return found;
  const byDoc = new Map(found.map((one) => [one.doc, one]));
  const docs = new Query({}, options).find<Doc>([...byDoc.keys()] as never).sort(sort as never);
  return (docs.all() as Doc[]).map((doc) => byDoc.get(doc)!);
}

export function aggregate(place: Place, pipeline: readonly Doc[], placeNamed: (name: string) => Place): Doc[] {
  const [first, ...others] = pipeline;
  const starts = first?.['$match'];
  let docs = select(place, starts ?? {}).map(({ doc }) => doc);
  let waiting: Doc[] = [];
  const runWaiting = () => {
    if (waiting.length > 0) docs = judged(() => new Aggregator(waiting as never, options).run(docs as never) as Doc[]);
    waiting = [];
  };
  for (const stage of starts === undefined ? pipeline : others) {
    if (stage['$lookup'] === undefined) waiting.push(stage);
    else {
      runWaiting();
      docs = lookUp(docs, stage['$lookup'], placeNamed(stage['$lookup'].from));
    }
  }
  runWaiting();
  return docs;
}

/** Joins by equality with one field, as an index does it; mingo would look at every document of the other collection. */
function lookUp(docs: readonly Doc[], { localField, foreignField, pipeline = [], as }: Doc, place: Place): Doc[] {
  if (localField === undefined || foreignField === undefined)
    throw badValue('$lookup needs localField and foreignField here');
  const known = new Map<string, Doc[]>();
  const found = (value: unknown): Doc[] => {
    const text = idText(value);
    let list = known.get(text);
    if (list === undefined) {
      list = aggregate(place, [{ $match: { [foreignField]: value } }, ...pipeline], () => place);
      known.set(text, list);
    }
    return list;
  };
  return docs.map((doc) => {
    const value = valueAt(doc, localField);
    return { ...doc, [as]: (Array.isArray(value) ? value : [value]).flatMap(found) };
  });
}

export interface UpdateSpec {
  readonly q: Doc;
  readonly u: Doc | readonly Doc[];
  readonly multi?: boolean;
  readonly upsert?: boolean;
  readonly arrayFilters?: readonly Doc[];
}

export interface Updated {
  readonly matched: number;
  readonly modified: number;
  readonly upserted: unknown;
  /** Before and after, of the first. */
  readonly before: Doc | undefined;
  readonly after: Doc | undefined;
}

export function update(place: Place, spec: UpdateSpec, sort?: Doc): Updated {
  const { q, u, multi = false, upsert = false } = spec;
  if (Array.isArray(u)) throw badValue('an update by a pipeline is not known here');
  const found = sorted(select(place, q), sort);
  const chosen = multi ? found : found.slice(0, 1);
  if (chosen.length === 0 && upsert) {
    const made = changed(equalities(q), u as Doc, spec, true);
    const doc = '_id' in made ? made : { _id: new ObjectId(), ...made };
    insert(place, doc);
    return { matched: 0, modified: 0, upserted: doc['_id'], before: undefined, after: doc };
  }
  const changes = chosen.map(({ entry, doc }) => ({ entry, doc, made: changed(doc, u as Doc, spec, false) }));
  // A document that stays as it is is not written, so it is in nobody's way.
  const writes = changes.filter(({ doc, made }) => !same(doc, made));
  for (const { entry } of writes) place.collection.requireFree(entry, place.transaction);
  for (const { entry, doc, made } of writes) {
    if (!same({ _id: doc['_id'] }, { _id: made['_id'] }))
      throw new Refusal(
        66,
        'ImmutableField',
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    place.collection.write(entry, made, place.transaction);
    place.note(entry);
  }
  const [first] = changes;
  return {
    matched: chosen.length,
    modified: writes.length,
    upserted: undefined,
    before: first?.doc,
    after: first?.made,
  };
}

export function insert(place: Place, doc: Doc): void {
  place.note(place.collection.insert(doc, place.transaction));
}

export function remove(place: Place, filter: Doc, limit: number, sort?: Doc): readonly Found[] {
  const found = sorted(select(place, filter), sort);
  const gone = limit === 0 ? found : found.slice(0, limit);
  for (const { entry } of gone) place.collection.requireFree(entry, place.transaction);
  for (const { entry } of gone) {
    place.collection.write(entry, undefined, place.transaction);
    place.note(entry);
  }
  return gone;
}

function changed(doc: Doc, change: Doc, { arrayFilters }: UpdateSpec, isNew: boolean): Doc {
  const names = Object.keys(change);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length === 0) return '_id' in doc ? { _id: doc['_id'], ...change } : { ...change };
  if (operators.length !== names.length)
    throw badValue(`unknown modifier: ${names.find((name) => !name.startsWith('$'))}`);
  const { $setOnInsert, ...rest } = change;
  const modifier = isNew && $setOnInsert !== undefined ? { ...rest, $set: { ...rest['$set'], ...$setOnInsert } } : rest;
  const docs = [copyOf(doc)];
  if (Object.keys(modifier).length === 0) return docs[0]!;
  judged(() => updateOne(docs as never, {}, modifier as never, { arrayFilters: [...(arrayFilters ?? [])] }, options));
  return docs[0]!;
}

/** Collects the members that a new document takes over from the filter of an upsert. */
function equalities(filter: Doc): Doc {
  const doc: Doc = {};
  for (const [name, value] of Object.entries(filter)) {
    if (name === '$and') for (const part of value as Doc[]) Object.assign(doc, equalities(part));
    if (name.startsWith('$')) continue;
    const isPlain =
      value === null || typeof value !== 'object' || !Object.keys(value).some((key) => key.startsWith('$'));
    if (isPlain) place(doc, name, value);
    else if ('$eq' in value) place(doc, name, value.$eq);
  }
  return doc;
}

function place(doc: Doc, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let at = doc;
  for (const name of names) at = at[name] ??= {};
  at[last] = value;
}

function same(a: Doc, b: Doc): boolean {
  return Buffer.compare(bytes(a), bytes(b)) === 0;
}

function bytes(doc: Doc): Uint8Array {
  return serialize(doc, { ignoreUndefined: true });
}

/** Runs `work`, and refuses as a server would where mingo cannot read the statement. */
function judged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(2, 'BadValue', (error as Error).message);
  }
}
