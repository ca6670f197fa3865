// What a call costs over each store: processor time of the process and of the database, and round trips; what contention does; a model of
// throughput against processes beside what is measured; bytes on the disk. docs/guide/capacity.md says what follows from it.
// `node bench/capacity.mjs [stores contention processes size]`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadSource } from './lib/bundle.mjs';
import { simulate } from './lib/capacity-model.mjs';
import { databaseSeconds } from './lib/database-seconds.mjs';

const wanted = process.argv.slice(2);
const wants = (name) => wanted.length === 0 || wanted.includes(name);
const seconds = Number(process.env.SECONDS ?? 3);
const many = Number(process.env.CLIENTS ?? 32);
const project = await loadSource('bench/lib/project.ts');
const postgres = await project.startPostgres({ shared_buffers: '256MB', track_wal_io_timing: 'on' });
const proxy = await project.startTurnCounter(postgres.port);
const folder = mkdtempSync(join(process.env.DBDIR ?? tmpdir(), 'svc-capacity-'));
let names = 0;

const database = { store: '', sqliteFile: 'svc.db', durability: 'full' };
const stores = {
  SQLite: async () => ({ dataDir: join(folder, `sqlite${++names}`), scale: { database } }),
  PostgreSQL: async () => {
    const url = (await postgres.urlOf(`capacity${++names}`)).replace(`:${postgres.port}`, `:${proxy.port}`);
    return { dataDir: folder, scale: { database: { ...database, databaseUrl: url } } };
  },
};

/** Processes with clients; what all of them did together. */
async function measure(config, work, { processes = 1, clients = many } = {}) {
  const lines = [];
  const children = [];
  for (let i = 0; i < processes; i++) {
    const given = JSON.stringify({ config, work, clients, seconds });
    const child = spawn(process.execPath, [join(import.meta.dirname, 'lib/capacity-client.mjs'), given], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    lines.push(createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  }
  const [shared] = await Promise.all(lines.map(async (line) => (await line.next()).value));
  for (const child of children) child.stdin.write(`${shared}\n`);
  // The clients' first second warms up.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const [cpuBefore, turnsBefore] = [databaseSeconds(postgres.pid), proxy.turns];
  const wal = async () => (await postgres.run('SELECT wal_sync, wal_sync_time FROM pg_stat_wal'))[0];
  const walBefore = await wal();
  const told = await Promise.all(lines.map(async (line) => JSON.parse((await line.next()).value)));
  const walAfter = await wal();
  const sum = (name) => told.reduce((all, one) => all + one[name], 0);
  const done = sum('done');
  // What was counted here began a little later than the clients did.
  const share = (seconds * 1_000 - 100) / (seconds * 1_000);
  const syncs = walAfter.wal_sync - walBefore.wal_sync;
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  return {
    perSecond: told.reduce((all, one) => all + (one.done * 1_000) / one.tookMs, 0),
    processUs: (sum('cpuSeconds') * 1e6) / done,
    databaseUs: ((databaseSeconds(postgres.pid) - cpuBefore) * 1e6) / (done * share),
    trips: (proxy.turns - turnsBefore) / (done * share),
    runs: sum('runs') / (done + sum('failed')),
    failed: sum('failed'),
    syncMs: syncs === 0 ? 0 : (walAfter.wal_sync_time - walBefore.wal_sync_time) / syncs,
    callsPerSync: syncs === 0 ? 0 : (done * share) / syncs,
  };
}

function print(head, lines) {
  console.log(`\n| ${head.join(' | ')} |\n|${head.map(() => ' --- ').join('|')}|`);
  for (const line of lines) console.log(`| ${line.join(' | ')} |`);
}
const whole = (value) => Math.round(value).toLocaleString('en');

if (wants('stores')) {
  const lines = [];
  for (const [name, config] of Object.entries(stores))
    for (const work of ['read', 'list', 'create']) {
      const isRemote = name !== 'SQLite';
      const busy = await measure(await config(), work);
      const alone = isRemote ? await measure(await config(), work, { clients: 1 }) : undefined;
      const ofDatabase = isRemote
        ? [whole(busy.databaseUs), alone.trips.toFixed(1), busy.trips.toFixed(2)]
        : ['', '', ''];
      lines.push([name, work, whole(busy.processUs), ...ofDatabase]);
    }
  const head = ['store', 'call', 'µs of the process', 'µs of the database', 'round trips, alone', `of ${many} at once`];
  print(head, lines);
}

if (wants('contention')) {
  const lines = [];
  for (const processes of [1, 2])
    for (const work of [
      'create',
      'all append to one node',
      'one object is changed by all',
      'all list one node and append to it',
    ]) {
      const found = await measure(await stores.PostgreSQL(), work, { processes, clients: many / processes });
      const cost = whole(found.processUs + found.databaseUs);
      lines.push([work, processes, whole(found.perSecond), found.runs.toFixed(2), cost, found.failed]);
    }
  print(['work', 'processes', 'calls a second', 'runs of a call', 'µs of processor', 'refused'], lines);
}

if (wants('processes')) {
  const lines = [];
  const processors = Number(process.env.PROCESSORS ?? availableParallelism());
  const one = await measure(await stores.PostgreSQL(), 'create', { clients: 16 });
  // A transaction of one call and one of many tell what each part costs.
  const single = await measure(await stores.PostgreSQL(), 'create', { clients: 1 });
  const perFlight = one.callsPerSync;
  const writeMs = Math.max(0, (one.databaseUs - single.databaseUs / perFlight) / (1 - 1 / perFlight)) / 1_000;
  const transactionMs = Math.max(0, single.databaseUs / 1_000 - writeMs);
  for (const processes of [1, 2, 4]) {
    const found = await measure(await stores.PostgreSQL(), 'create', { processes, clients: 16 });
    const parts = { processes, clients: 16, processors, transactionMs, writeMs };
    const told = simulate({ ...parts, callMs: found.processUs / 1_000, syncMs: found.syncMs });
    const figures = [whole(found.perSecond), whole(told), (told / found.perSecond).toFixed(2)];
    lines.push([processes, ...figures, found.syncMs.toFixed(1), found.callsPerSync.toFixed(1)]);
  }
  print(['processes', 'calls a second', 'by the model', 'ratio', 'ms of a sync', 'calls in a sync'], lines);
}

if (wants('size')) {
  const config = await stores.PostgreSQL();
  await measure(config, 'create');
  const [{ bytes, nodes }] = await postgres.run(
    `SELECT pg_total_relation_size('capacity${names}.svc_node') + pg_total_relation_size('capacity${names}.svc_edge') AS bytes, (SELECT count(*) FROM capacity${names}.svc_node) AS nodes`,
  );
  print(['nodes with an edge each', 'bytes of each, with indexes'], [[whole(Number(nodes)), whole(bytes / nodes)]]);
}

await proxy[Symbol.asyncDispose]();
await postgres[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true });
