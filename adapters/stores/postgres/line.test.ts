/** Ways to a server: several hosts of which one takes over, TLS, PgBouncer in transaction mode, limits (docs/server/stores.md#postgresql). */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { silentLog } from '../../../core/log/create-log.ts';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { addEntry, entries, guest } from '../../../test/harness/entry-node.ts';
import { needTool } from '../../../test/harness/find-tool.ts';
import { startBouncer } from '../../../test/harness/pgbouncer.ts';
import { freePort } from '../../../test/harness/ports.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../test/harness/postgres-server.ts';
import { type Bus, openBus } from '../../postgres/open-bus.ts';
import { readAddress, shownAddress } from './address.ts';
import { createLines, statement } from './line.ts';
import { openPostgresStore, type PostgresOptions } from './store.ts';

const test = plainTest.skipIf(!hasPostgres());
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

async function opened(options: PostgresOptions) {
  const { graph } = await openPostgresStore(options);
  const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 100 }) });
  const run = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(runtime, guest, work);
  return {
    graph,
    add: (n: number) => run(() => addEntry(n)),
    numbers: () => run(async () => (await entries()).map(({ n }) => n)),
    [Symbol.asyncDispose]: () => graph.close(),
  };
}

/** A way to a server that can be cut off. */
async function startProxy(port: number) {
  const sockets = new Set<Socket>();
  const listener: Server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        from.destroy();
        to.destroy();
        sockets.delete(socket);
      });
    }
    from.pipe(to).pipe(from);
  });
  const own = await freePort();
  const open = () => new Promise<void>((resolve) => listener.listen(own, '127.0.0.1', resolve));
  await open();
  return {
    port: own,
    open,
    async cut() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

test.each([
  ['postgres://ada:p%40ss@db.example.com/shop', [['db.example.com', 5432]], 'shop', 'prefer'],
  [
    'postgresql://ada@one:1,two/shop?sslmode=verify-full&port=6000',
    [
      ['one', 1],
      ['two', 6000],
    ],
    'shop',
    'verify-full',
  ],
  ['postgres://ada@/shop?host=/cloudsql/a:b:c', [['/cloudsql/a:b:c', 5432]], 'shop', 'prefer'],
  ['postgres://ada@[::1]:6/', [['::1', 6]], 'ada', 'prefer'],
])('%s', (url, places, database, sslmode) => {
  const read = readAddress(url);
  expect(read).toMatchObject({ database, sslmode, user: 'ada' });
  expect(read.places.map(({ host, port }) => [host, port])).toEqual(places);
  expect(shownAddress(url)).not.toContain('ada:');
});

test('a connection that is cut in the middle: what is answered is stored, once, and calls go on', async () => {
  const proxy = await startProxy(server.port);
  await using store = await opened({
    url: (await server.urlOf('cut')).replace(String(server.port), String(proxy.port)),
  });
  const acknowledged: number[] = [];
  let n = 0;
  let cuts = 0;
  let running = true;
  const client = async () => {
    while (running) {
      const mine = n++;
      await store.add(mine).then(
        () => acknowledged.push(mine),
        () => {},
      );
    }
  };
  const all = Promise.all([client(), client(), client(), client()]);
  for (; cuts < 10; cuts++) {
    const enough = acknowledged.length + 5;
    while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 1));
    await proxy.cut();
    await proxy.open();
  }
  running = false;
  await all;
  const stored = await store.numbers();
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((mine) => !stored.includes(mine))).toEqual([]);
  await proxy.cut();
});

test('of two hosts the one that can be written is used; when its synchronous standby takes over, nothing is lost', async () => {
  await using first = await startPostgres({ wal_level: 'replica', max_wal_senders: '5' });
  await using second = await first.standby();
  await first.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await first.run('SELECT pg_reload_conf()');
  const hosts = `127.0.0.1:${second.port},127.0.0.1:${first.port}`;
  await using store = await opened({ url: `postgres://svc@${hosts}/postgres`, connectTimeoutMs: 30_000 });
  const acknowledged: number[] = [];
  let n = 0;
  let running = true;
  const client = async () => {
    while (running) {
      const mine = n++;
      await store.add(mine).then(
        () => acknowledged.push(mine),
        () => {},
      );
    }
  };
  const all = Promise.all([client(), client(), client()]);
  while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  await first.kill();
  await second.promote();
  const enough = acknowledged.length + 20;
  while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 5));
  running = false;
  await all;
  const stored = await store.numbers();
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.filter((mine) => !stored.includes(mine))).toEqual([]);
});

test('a server that goes away under many statements ends them, and warns nobody of listeners', async () => {
  await using dying = await startPostgres();
  const lines = await createLines({
    address: readAddress(await dying.urlOf('many')),
    connectTimeoutMs: 5000,
    operationTimeoutMs: 20_000,
  });
  const line = await lines.open();
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  try {
    const slow = statement('SELECT pg_sleep(20)');
    const waiting = Promise.allSettled(Array.from({ length: 30 }, () => line.ask(slow, [])));
    await sleep(200);
    await dying.kill();
    expect((await waiting).map(({ status }) => status)).toEqual(Array(30).fill('rejected'));
    await sleep(50);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', hear);
    await line.end();
  }
});

test('TLS as sslmode says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
  const [key, cert] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  execFileSync(
    needTool('openssl', 'openssl'),
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject],
    { stdio: 'ignore' },
  );
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(server.folder);
    chownSync(key, uid, gid);
  }
  await using tls = await startPostgres({ ssl: 'on', ssl_key_file: key, ssl_cert_file: cert });
  const at = (host: string, query: string) => `postgres://svc@${host}:${tls.port}/postgres?${query}`;
  const usesTls = async (url: string) => {
    await using store = await opened({ url });
    await store.add(1);
    const [row] = await tls.run(
      "SELECT count(*) AS n FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE s.ssl AND a.application_name = 'svc'",
    );
    return Number(row!['n']) > 0;
  };
  expect(await usesTls(at('127.0.0.1', ''))).toBe(true);
  expect(await usesTls(at('127.0.0.1', 'sslmode=require'))).toBe(true);
  expect(await usesTls(at('127.0.0.1', 'sslmode=disable'))).toBe(false);
  expect(await usesTls(at('localhost', `sslmode=verify-full&sslrootcert=${cert}`))).toBe(true);
  expect(await usesTls(at('127.0.0.1', `sslmode=verify-ca&sslrootcert=${cert}`))).toBe(true);
  await expect(
    openPostgresStore({ url: at('127.0.0.1', `sslmode=verify-full&sslrootcert=${cert}`) }),
  ).rejects.toMatchObject({ status: 503 });
  await expect(openPostgresStore({ url: at('localhost', 'sslmode=verify-full') })).rejects.toMatchObject({
    status: 503,
  });
  // A server without TLS is refused where it is asked for.
  await expect(openPostgresStore({ url: `${server.url}?sslmode=require` })).rejects.toMatchObject({ status: 503 });
  expect(readFileSync(cert, 'utf8')).toContain('CERTIFICATE');
  rmSync(folder, { recursive: true, force: true });
});

test('PgBouncer in transaction mode', async () => {
  using bouncer = await startBouncer(server);
  const { url } = bouncer;
  await using store = await opened({ url, connectTimeoutMs: 10_000 });
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.add(n)));
  expect((await store.numbers()).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  const rows = await server.run(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = 'postgres' AND application_name <> 'svc' AND backend_type = 'client backend'",
  );
  expect(Number(rows[0]!['n'])).toBeLessThanOrEqual(4);
  let bus: Bus | undefined;
  const warned = await new Promise<string>((resolve) => {
    void openBus({ url, application: 'demo', log: { ...silentLog, warn: resolve } }).then((made) => {
      bus = made;
    });
  });
  await bus?.close();
  expect(warned).toBe('the database delivers no notifications: processes look for what others have told');
});

test('a process has no more connections than pool_size', async () => {
  await using store = await opened({ url: await server.urlOf('few'), poolSize: 3 });
  const most = { n: 0 };
  const watching = setInterval(async () => {
    const [row] = await server.run("SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'svc'");
    most.n = Math.max(most.n, Number(row!['n']));
  }, 50);
  await Promise.all(Array.from({ length: 200 }, (_, n) => store.add(n)));
  clearInterval(watching);
  expect(most.n).toBeLessThanOrEqual(3);
  expect(await store.numbers()).toHaveLength(200);
});
