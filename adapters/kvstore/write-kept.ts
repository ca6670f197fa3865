/** Lines of an archive into the databases that programs reach with `kvstore`, through their ports: whichever they are (decisions/0800). */
import type { CollectionLine, DocumentLine, KeptLine, PairLine } from '../../core/archive/archive.ts';
import { type DatabaseKind, type Databases, localUri } from '../../core/kvstore/databases.ts';
import type { Doc } from '../../core/kvstore/stored.ts';
import { identical, keyOf } from './embedded/compare.ts';
import { readDoc } from './embedded/stored-json.ts';

/** Number of documents or keys that are looked for, and written, at once. */
const together = 200;

/** Error of something that is there already and is not what the archive has. */
export class KeptOtherwise extends Error {
  override readonly name = 'KeptOtherwise';
}

/** `looks`: nothing is written; what is there already must be what the lines have. `writes`: the same. `keeps`: what is there stays, whatever it is. */
export type BringingMode = 'looks' | 'writes' | 'keeps';

/**
 * Brings lines into the databases; what is there already as the archive has it stays as it is. Documents keep their order.
 *
 * @throws KeptOtherwise when something else has the same key, unless it `keeps`
 */
export async function bringKept(
  databases: Databases,
  lines: AsyncIterable<KeptLine>,
  mode: BringingMode,
  nowMs: () => number,
  told: (done: number) => void = () => {},
): Promise<void> {
  const uriOf = (kind: DatabaseKind) => databases.addressOf(kind) ?? localUri;
  let batch: (DocumentLine | PairLine)[] = [];
  let place = '';
  let done = 0;
  const flush = async (): Promise<void> => {
    const some = batch;
    batch = [];
    const [first] = some;
    if (first === undefined) return;
    if (first.kind === 'key') await bringPairs(databases, uriOf('kvcache'), some as PairLine[], mode, nowMs());
    else await bringDocuments(databases, uriOf('docdb'), some as DocumentLine[], mode);
    told((done += some.length));
  };
  for await (const line of lines) {
    if (line.kind === 'collection') {
      await flush();
      if (mode !== 'looks') await makeIndexes(databases, uriOf('docdb'), line);
      continue;
    }
    const here = placeOf(line);
    if (here !== place || batch.length === together) await flush();
    place = here;
    batch.push(line);
  }
  await flush();
}

function placeOf(line: DocumentLine | PairLine): string {
  return JSON.stringify(line.kind === 'key' ? [line.number] : [line.db, line.collection]);
}

async function makeIndexes(databases: Databases, uri: string, { db, name, indexes }: CollectionLine): Promise<void> {
  const at = await databases.documents({ uri, name: db });
  for (const index of indexes)
    await at.createIndex(name, { ...index, expireSeconds: index.expireSeconds ?? undefined });
}

async function bringDocuments(
  databases: Databases,
  uri: string,
  lines: readonly DocumentLine[],
  mode: BringingMode,
): Promise<void> {
  const { db, collection } = lines[0]!;
  const at = await databases.documents({ uri, name: db });
  const docs = lines.map(({ doc }) => readDoc(JSON.stringify(doc)));
  const ids = docs.map((doc) => doc.get('_id')!);
  const filter: Doc = new Map([['_id', new Map([['$in', ids]])]]);
  const there = await at.find(collection, { filter, projection: undefined, sort: [], skip: 0, limit: ids.length });
  const known = new Map(there.map((doc) => [keyOf(doc.get('_id')!), doc]));
  const fresh = docs.filter((doc) => {
    const other = known.get(keyOf(doc.get('_id')!));
    if (other !== undefined && mode !== 'keeps' && !identical(other, doc))
      throw new KeptOtherwise(`the collection ${db}.${collection} has another document with an _id of the archive`);
    return other === undefined;
  });
  if (mode !== 'looks' && fresh.length > 0) await at.insertMany(collection, fresh);
}

async function bringPairs(
  databases: Databases,
  uri: string,
  lines: readonly PairLine[],
  mode: BringingMode,
  now: number,
): Promise<void> {
  const { number } = lines[0]!;
  // Names that are no numbers are kept in the first one, which an address may say otherwise.
  const at = await databases.keyValues({ uri, name: number === 0 ? '' : String(number) });
  await Promise.all(
    lines.map(async ({ key, value, expires_at: expires }) => {
      const seconds = expires === null ? undefined : Math.ceil((expires - now) / 1000);
      if (seconds !== undefined && seconds < 1) return;
      const isNew = mode !== 'looks' && (await at.set(key, value, seconds, true));
      if (isNew || mode === 'keeps') return;
      const other = await at.get(key);
      if (other !== undefined && other !== value)
        throw new KeptOtherwise(`the key ${JSON.stringify(key)} has another value than in the archive`);
    }),
  );
}
