// What a competent author writes by hand today: Hono, jose, SQLite with textbook tables (text ids, secondary indexes), one commit a request,
// SYNC=NORMAL unless told otherwise. Tokens: HS256 with SECRET, claims sub and root.
import { createSecretKey, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { jwtVerify } from 'jose';
import Libsql from 'libsql';

const [Database, driver] = await openers();
const db = new Database(join(process.cwd(), 'usual.db'));
db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${process.env.SYNC ?? 'NORMAL'};
  CREATE TABLE node(id TEXT PRIMARY KEY, type TEXT, data TEXT);
  CREATE TABLE edge(id TEXT PRIMARY KEY, src TEXT, dst TEXT, type TEXT, data TEXT);
  CREATE INDEX edge_src ON edge(src, type); CREATE INDEX edge_dst ON edge(dst, type);`);
const putNode = db.prepare('INSERT INTO node VALUES(?, ?, ?)');
const putEdge = db.prepare('INSERT INTO edge VALUES(?, ?, ?, ?, ?)');
const firstTen = db.prepare(
  'SELECT n.data FROM edge e JOIN node n ON n.id = e.dst WHERE e.src = ? AND e.type = ? LIMIT 10',
);
const createAndList = db.transaction((root, body) => {
  const child = randomUUID();
  putNode.run(child, 'Item', JSON.stringify({ name: body.name, age: body.age, tags: body.tags }));
  putEdge.run(randomUUID(), root, child, 'Has', '{}');
  return firstTen.all(root, 'Has').map((item) => JSON.parse(item.data));
});
// Bytes would be imported anew for every token.
const key = createSecretKey(Buffer.from(process.env.SECRET));

const app = new Hono();
app.get('/driver', (context) => context.json({ driver }));
app.post('/walker/Ping', async (context) =>
  context.json({ status: 200, reports: [`pong ${(await context.req.json()).name}`] }),
);
app.use('/walker/*', async (context, next) => {
  try {
    const token = context.req.header('authorization').slice('Bearer '.length);
    context.set('claims', (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload);
  } catch {
    return context.json({ error: 'unauthorized' }, 401);
  }
  await next();
});
app.post('/walker/WhoAmI', (context) => context.json({ status: 200, reports: [context.get('claims').sub] }));
app.post('/walker/CreateAndList', async (context) =>
  context.json({ status: 200, reports: createAndList(context.get('claims').sub, await context.req.json()) }),
);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });

/** better-sqlite3 is the fastest driver, but has to be built (`npm rebuild better-sqlite3`); libsql comes ready. */
async function openers() {
  try {
    const { default: Better } = await import('better-sqlite3');
    new Better(':memory:').close();
    return [Better, 'better-sqlite3'];
  } catch {
    return [Libsql, 'libsql'];
  }
}
