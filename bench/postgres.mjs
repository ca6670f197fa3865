// P5 and U1 over PostgreSQL beside what is written by hand with Hono and pg: the same server, the same isolation (SERIALIZABLE), the same
// durability (fsync on). A typed hop among a million edges; a start with a million users. `node bench/postgres.mjs [P5 U1 hop start]`
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { loadSource } from './lib/bundle.mjs';
import { databaseSeconds } from './lib/database-seconds.mjs';
import { measureAsync } from './lib/micro.mjs';
import { post, registerUsers, script, secret, startProject } from './lib/project-server.mjs';
import { alternate, median, printRows, ratio, rounds, row } from './lib/rounds.mjs';
import { benchFolder, cpuSeconds, load, startServer } from './lib/server.mjs';

const project = await loadSource('bench/lib/project.ts');
const wanted = process.argv.slice(2);
const wants = (name) => wanted.length === 0 || wanted.includes(name);
const count = Math.min(rounds, 5);
const clients = 20;
const seconds = Number(process.env.SECONDS ?? 2);
const rows = [];
const notes = [];
const server = await project.startPostgres({ shared_buffers: '256MB' });

const small = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';
const path = '/walker/CreateAndList';

if (wants('P5')) {
  const ours = await startProject([], { DATABASE_URL: await server.urlOf('ours') });
  const usual = await startServer([process.execPath, join(benchFolder, 'baselines', 'hono-postgres.mjs')], {
    SECRET: secret,
    DATABASE_URL: await server.urlOf('usual'),
  });
  const tokens = await registerUsers(ours, 100);
  const theirs = Array.from({ length: 100 }, (_, i) => signToken(`user${i}`));
  const sides = {
    ours: { server: ours, lua: script('pg-ours', small, tokens), token: tokens[0] },
    usual: { server: usual, lua: script('pg-usual', small, theirs), token: theirs[0] },
  };
  // Over tables that hold a few pages the planner scans them, and with SERIALIZABLE nearly every transaction is begun again.
  await server.run(`SET search_path = usual;
    INSERT INTO node SELECT 'n' || i, 'Item', '${small}' FROM generate_series(1, 20000) i;
    INSERT INTO edge SELECT 'e' || i, 'user' || (i % 100), 'n' || i, 'Has', '{}' FROM generate_series(1, 20000) i;
    ANALYZE node, edge`);
  for (const { server: one, lua, token } of Object.values(sides)) {
    const { reports } = await post(one, path, small, token);
    if (reports[0].name !== 'Ada Lovelace') throw new Error(`a wrong answer: ${JSON.stringify(reports)}`);
    load(one, path, lua, 32, 2);
  }
  const wall = { ours: [], usual: [] };
  const all = { ours: [], usual: [] };
  const measure = (name) => () => {
    const { server: one, lua } = sides[name];
    const [appBefore, before] = [cpuSeconds(one.pid), databaseSeconds(server.pid)];
    const { perCpuSecond, perSecond, requests } = load(one, path, lua);
    wall[name].push(perSecond);
    all[name].push(requests / (cpuSeconds(one.pid) - appBefore + databaseSeconds(server.pid) - before));
    return perCpuSecond;
  };
  const app = await alternate({ ours: measure('ours'), usual: measure('usual') }, count);
  for (const { server: one } of Object.values(sides)) await one.stop();
  const subject = 'create a child, list ten / Hono + jose + pg, SERIALIZABLE, fsync on';
  const two = (x) => x >= 2;
  rows.push(row('P5', `${subject}: requests a second`, '>= 2.0', ratio(wall, 'ours', 'usual'), two));
  rows.push(row('P5', `${subject}: per CPU s of application and database`, '>= 2.0', ratio(all, 'ours', 'usual'), two));
  rows.push(row('P5', `${subject}: per CPU s of the application`, '>= 2.0', ratio(app, 'ours', 'usual'), two));
}

const system = { rootId: '0'.repeat(32), userId: null, kind: 'system' };
const opened = [];
async function openUnits(url) {
  const { graph } = await project.openPostgresStore({ url });
  opened.push(graph);
  const runtime = project.createRuntime({ store: graph });
  return async (work) => project.runUnit(runtime, system, work);
}
const program = () => project.loadProgram(join(import.meta.dirname, 'apps/graph.svc'), 'async');

async function newHolder(unit, app, children) {
  const id = await unit(() => app.make_holder());
  for (let left = children; left > 0; left -= 5_000) await unit(() => app.fill(id, Math.min(left, 5_000)));
  return id;
}

if (wants('U1')) {
  const app = await program();
  const unit = await openUnits(await server.urlOf('units'));
  const holders = [];
  for (let i = 0; i < clients; i++) holders.push(await newHolder(unit, app, 10));
  const pool = new pg.Pool({ connectionString: await server.urlOf('units_usual'), max: clients });
  await pool.query(`CREATE TABLE node(id text PRIMARY KEY, type text, data jsonb);
    CREATE TABLE edge(id text PRIMARY KEY, src text, dst text, type text, data jsonb);
    CREATE INDEX edge_src ON edge(src, type); CREATE INDEX edge_dst ON edge(dst, type)`);
  let next = 0;
  const insert = async (holder) => {
    const client = await pool.connect();
    try {
      for (;;) {
        try {
          const id = `n${next++}`;
          await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
          await client.query('INSERT INTO node VALUES($1, $2, $3)', [id, 'Item', { name: id, done: false }]);
          await client.query('INSERT INTO edge VALUES($1, $2, $3, $4, $5)', [`e${id}`, holder, id, 'Has', {}]);
          await client.query('COMMIT');
          return;
        } catch (error) {
          await client.query('ROLLBACK');
          if (error.code !== '40001') throw error;
        }
      }
    } finally {
      client.release();
    }
  };
  const times = { ours: [], usual: [] };
  const rate = (name, work) => async () => {
    const until = performance.now() + seconds * 1_000;
    const before = performance.now();
    let done = 0;
    const client = async (id) => {
      while (performance.now() < until) {
        const began = performance.now();
        await work(id);
        times[name].push(performance.now() - began);
        done++;
      }
    };
    await Promise.all(holders.map(client));
    return (done * 1_000) / (performance.now() - before);
  };
  const perCpu = { ours: [], usual: [] };
  /** The same load by processor time of this process and the database's. */
  const counted = (name, work) => async () => {
    const before = databaseSeconds(server.pid);
    const own = process.cpuUsage();
    const began = performance.now();
    const perSecond = await work();
    const { user, system: kernel } = process.cpuUsage(own);
    const done = (perSecond * (performance.now() - began)) / 1_000;
    perCpu[name].push(done / ((user + kernel) / 1e6 + databaseSeconds(server.pid) - before));
    return perSecond;
  };
  const ours = rate('ours', (id) => unit(() => app.fill(id, 1)));
  const usual = rate('usual', insert);
  await ours();
  await usual();
  const commits = await alternate({ ours: counted('ours', ours), usual: counted('usual', usual) }, count);
  await pool.end();
  const result = ratio(commits, 'ours', 'usual');
  rows.push(
    row('U1', `commits a second, ${clients} clients / pg by hand, SERIALIZABLE`, '>= 2.0', result, (x) => x >= 2),
  );
  const both = ratio(perCpu, 'ours', 'usual');
  rows.push(row('U1', 'the same per CPU s of process and database', '>= 2.0', both, (x) => x >= 2));
  for (const [name, all] of Object.entries(times))
    notes.push(`U1, ${name}: median of one commit ${median(all).toFixed(2)} ms`);
}

if (wants('hop')) {
  const app = await program();
  const unit = await openUnits(await server.urlOf('hops'));
  const holder = async (children) => {
    const id = await newHolder(unit, app, children);
    await unit(() => app.rare(id, 20));
    return id;
  };
  const edges = Number(process.env.EDGES ?? 1_000_000);
  const ids = { few: await holder(1_000), many: await holder(edges) };
  await server.run('VACUUM ANALYZE');
  const hop = (id) => () => measureAsync(() => unit(() => app.typed_hop(id)), { slices: 3, sliceMs: 200, warmMs: 200 });
  const hops = await alternate({ many: hop(ids.many), few: hop(ids.few) }, count);
  const subject = `typed hop to 20 nodes: cost among ${edges.toLocaleString('en')} others / among 1,000 (lower is better)`;
  rows.push(row('U2', subject, '<= 1.3', ratio(hops, 'few', 'many'), (x) => x <= 1.3));
}

if (wants('start')) {
  const url = await server.urlOf('users');
  (await project.openPostgresStore({ url })).graph.close();
  const users = 1_000_000;
  await server.run(`SET search_path = users;
    INSERT INTO svc_node SELECT 100000 + i, lpad(to_hex(i + 65536), 32, '0'), (SELECT min(id) FROM svc_type), 100000 + i, 1, 0, 0, 0, '', '{}', '' FROM generate_series(1, ${users}) i;
    INSERT INTO svc_root SELECT 100 + i, 100000 + i FROM generate_series(1, ${users}) i;
    INSERT INTO svc_users SELECT 'u' || i, lpad(to_hex(i + 65536), 32, '0'), 'user', NULL, '{}', false, 0, '2026', '2026' FROM generate_series(1, ${users}) i;
    INSERT INTO svc_identities SELECT 'login', 'user' || i, 'username', 'u' || i, NULL, false, '2026' FROM generate_series(1, ${users}) i`);
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const { graph, accounts } = await project.openPostgresStore({ url });
    if ((await accounts.accountByIdentity('login', 'user777777')) === undefined) throw new Error('no such user');
    times.push((performance.now() - began) / 1_000);
    await graph.close();
  }
  const result = {
    median: median(times),
    low: Math.min(...times),
    high: Math.max(...times),
    figure: median(times),
    base: 1,
  };
  rows.push(row('', 'seconds to open a store of 1,000,000 users and find one', '<= 1', result, (x) => x <= 1));
}

for (const graph of opened) await graph.close();
await server[Symbol.asyncDispose]();
printRows(rows);
for (const note of notes) console.log(note);

function signToken(subject) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: subject, root: subject, iat, exp: iat + 7 * 86400 })}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}
