// What a competent author writes by hand today: Hono, jose, pg with a pool and textbook tables (text ids, secondary indexes, the one for
// listing holds all that is listed by), one SERIALIZABLE transaction a request that is begun again when another one was first. Tokens: HS256
// with SECRET, claims sub and root.
import { createSecretKey, randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { jwtVerify } from 'jose';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(`CREATE TABLE IF NOT EXISTS node(id text PRIMARY KEY, type text, data jsonb);
  CREATE TABLE IF NOT EXISTS edge(id text PRIMARY KEY, src text, dst text, type text, data jsonb);
  CREATE INDEX IF NOT EXISTS edge_src ON edge(src, type, dst); CREATE INDEX IF NOT EXISTS edge_dst ON edge(dst, type)`);

async function createAndList(root, body) {
  const client = await pool.connect();
  try {
    for (;;) {
      try {
        await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
        const child = randomUUID();
        const data = { name: body.name, age: body.age, tags: body.tags };
        await client.query('INSERT INTO node VALUES($1, $2, $3)', [child, 'Item', data]);
        await client.query('INSERT INTO edge VALUES($1, $2, $3, $4, $5)', [randomUUID(), root, child, 'Has', {}]);
        const { rows } = await client.query(
          'SELECT n.data FROM edge e JOIN node n ON n.id = e.dst WHERE e.src = $1 AND e.type = $2 LIMIT 10',
          [root, 'Has'],
        );
        await client.query('COMMIT');
        return rows.map(({ data: item }) => item);
      } catch (error) {
        await client.query('ROLLBACK');
        if (error.code !== '40001') throw error;
      }
    }
  } finally {
    client.release();
  }
}
// Bytes would be imported anew for every token.
const key = createSecretKey(Buffer.from(process.env.SECRET));

const app = new Hono();
app.use('/walker/*', async (context, next) => {
  try {
    const token = context.req.header('authorization').slice('Bearer '.length);
    context.set('claims', (await jwtVerify(token, key, { algorithms: ['HS256'] })).payload);
  } catch {
    return context.json({ error: 'unauthorized' }, 401);
  }
  await next();
});
app.post('/walker/CreateAndList', async (context) =>
  context.json({ status: 200, reports: await createAndList(context.get('claims').sub, await context.req.json()) }),
);
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
