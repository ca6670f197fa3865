/** The collections and their indexes (docs/server/stores.md#document-database). */
import type { Collection, Db, Document, IndexSpecification, MongoClient } from 'mongodb';

/** Every document of the store is known by a text. */
export interface Stored extends Document {
  readonly _id: string;
}

export interface Collections {
  readonly client: MongoClient;
  readonly db: Db;
  readonly nodes: Collection<Stored>;
  readonly edges: Collection<Stored>;
  readonly users: Collection<Stored>;
  readonly identities: Collection<Stored>;
  readonly apiKeys: Collection<Stored>;
  readonly revoked: Collection<Stored>;
  readonly counters: Collection<Stored>;
  readonly claims: Collection<Stored>;
  readonly quarantine: Collection<Stored>;
  readonly meta: Collection<Stored>;
}

export function collectionsOf(client: MongoClient, name: string): Collections {
  const db = client.db(name);
  const collection = (part: string) => db.collection<Stored>(`svc_${part}`);
  return {
    client,
    db,
    nodes: collection('nodes'),
    edges: collection('edges'),
    users: collection('users'),
    identities: collection('identities'),
    apiKeys: collection('api_keys'),
    revoked: collection('revoked_tokens'),
    counters: collection('counters'),
    claims: collection('idempotency'),
    quarantine: collection('quarantine'),
    meta: collection('meta'),
  };
}

const indexes: Readonly<Partial<Record<keyof Collections, readonly IndexSpecification[]>>> = {
  nodes: [
    { type: 1, _id: 1 },
    { owner: 1, type: 1 },
  ],
  edges: [
    { source: 1, seq: 1 },
    { source: 1, target_type: 1, seq: 1 },
    { target: 1, seq: 1 },
    { target: 1, source_type: 1, seq: 1 },
  ],
  identities: [{ user_id: 1 }],
  apiKeys: [{ user_id: 1, created_at: 1 }],
};

/** Deleted by the server some time after their date; until then they are left out when read. */
const expiring = ['revoked', 'counters', 'claims'] as const;

/** Makes what is missing; what is there stays. Collections exist before the first transaction writes to them. */
export async function prepareCollections(collections: Collections): Promise<void> {
  const known = await collections.db.listCollections({}, { nameOnly: true }).toArray();
  const names = new Set(known.map(({ name }) => name));
  const all = Object.values(collections).filter(isCollection);
  for (const { collectionName } of all)
    if (!names.has(collectionName)) await collections.db.createCollection(collectionName).catch(ignoreExisting);
  for (const [part, specifications] of Object.entries(indexes)) {
    const collection = collections[part as 'nodes'];
    await collection.createIndexes(specifications.map((key) => ({ key: key as Record<string, 1> })));
  }
  await collections.users.createIndex({ root_id: 1 }, { unique: true });
  for (const part of expiring) await collections[part].createIndex({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

function isCollection(value: unknown): value is Collection<Stored> {
  return typeof value === 'object' && value !== null && 'collectionName' in value;
}

/** Ignores the error of a collection that another process made at the same moment. */
function ignoreExisting(error: unknown): void {
  if ((error as { code?: number }).code !== 48) throw error;
}
