/**
 * `compose.yaml` with PostgreSQL and a key-value store, by its parts: each service gets the command, the variables and the check that the file gives it.
 * PostgreSQL is prepared as its image does it, from those variables.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultConfig } from '../../core/config/resolve.ts';
import { composeFile } from '../../infra/images/compose.ts';
import { findTool } from '../harness/find-tool.ts';
import { freePort } from '../harness/ports.ts';
import { hasPostgres, startPostgres } from '../harness/postgres-server.ts';
import { post } from '../harness/server.ts';
import { svcHere } from '../harness/svc-here.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const hasDatabases = hasPostgres() && findTool('redis-server', 'redis-server') !== undefined;
const secrets = { POSTGRES_PASSWORD: 'firstPassword1', KVCACHE_PASSWORD: 'secondPassword2' };

/** Texts as Compose hands them on: variables filled in, `$$` as one dollar sign. */
function filled<T>(value: T): T {
  const fill = (text: string) =>
    text.replaceAll(/\$\$|\$\{(\w+):([-?])([^}]*)\}/g, (_, name?: keyof typeof secrets, sign?: string, other = '') =>
      name === undefined ? '$' : (secrets[name] ?? (sign === '-' ? other : '')),
    );
  return JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'string' ? fill(one) : one));
}

test.skipIf(!hasDatabases)(
  'the application finds its databases by the variables of the file',
  async () => {
    using folder = folderWith({
      'main.svc': `node Note { has text: str; }
walker:pub Add { can add with Root entry { root.shared ++> Note(text="x"); report len([root.shared-->]); } }
`,
    });
    const request = {
      config: defaultConfig(),
      databases: ['postgres', 'kvcache'],
      secrets: [],
      name: 'notes',
    } as const;
    const { services } = filled(composeFile({ ...request, image: 'notes:1', filesPath: '/app/storage' })) as any;
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.postgres.environment;

    await using postgres = await startPostgres();
    await postgres.run(`ALTER ROLE ${POSTGRES_USER} PASSWORD '${POSTGRES_PASSWORD}'`);
    await postgres.run(`CREATE DATABASE ${POSTGRES_DB}`);
    writeFileSync(join(postgres.folder, 'data/pg_hba.conf'), 'host all all all scram-sha-256\n');
    await postgres.kill();
    await postgres.start();
    const [, program, ...given] = services.postgres.healthcheck.test;
    const isReady = (port: number) => {
      const at = { ...process.env, PGPORT: String(port), PATH: `${process.env['POSTGRES']}/..:${process.env['PATH']}` };
      return spawnSync(program, given, { env: at }).status === 0;
    };
    expect([isReady(postgres.port), isReady(1)]).toEqual([true, false]);

    const port = await freePort();
    const tools = {
      'valkey-server': `sed 's|^dir /data$|dir ${folder.path}|' | exec redis-server - --port ${port} --bind 127.0.0.1`,
      'valkey-cli': `exec redis-cli -p ${port} "$@"`,
    };
    for (const [name, text] of Object.entries(tools)) {
      writeFileSync(join(folder.path, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder.path, name), 0o755);
    }
    const { command, environment, healthcheck } = services.kvcache;
    const own = { PATH: `${folder.path}:${process.env['PATH']}`, ...environment };
    const store = spawn(command[0], command.slice(1), {
      ...{ env: own, detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise<void>((resolve, reject) => {
        store.stdout.on('data', (part) => String(part).includes('Ready to accept') && resolve());
        store.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      });
      const [, first, ...rest] = healthcheck.test;
      const ping = (env: object) => spawnSync(first, rest, { env: { ...own, ...env } }).status;
      expect([ping({}), ping({ KVCACHE_PASSWORD: 'another' })]).toEqual([0, 1]);

      const { DATABASE_URL, KVCACHE_URL, ...others } = services.app.environment;
      const address = await freePort();
      const at = (url: string, name: string, to: number) =>
        url.replace(new RegExp(`@${name}:\\d+`), `@127.0.0.1:${to}`);
      const env = {
        ...others,
        DATABASE_URL: at(DATABASE_URL, 'postgres', postgres.port),
        KVCACHE_URL: at(KVCACHE_URL, 'kvcache', port),
        SVC_SERVE_DRAIN_DELAY_SECONDS: '0',
      };
      const start = ['start', 'main.svc', '--host', '127.0.0.1', '--port', String(address)];
      await using app = spawnSvc(start, { cwd: folder.path, env });
      await app.until(/server ready/);
      expect((await post(`http://127.0.0.1:${address}`, '/walker/Add')).reports).toEqual([1]);
      expect((await post(`http://127.0.0.1:${address}`, '/walker/Add')).reports).toEqual([2]);
      app.kill('SIGTERM');
      expect(await app.exited, app.stderr()).toBe(0);
      // Another password is refused, and none is printed.
      await using wrong = spawnSvc(start, {
        cwd: folder.path,
        env: { ...env, DATABASE_URL: env.DATABASE_URL.replace(POSTGRES_PASSWORD, 'x') },
      });
      expect(await wrong.exited).not.toBe(0);
      expect(app.stdout() + app.stderr() + wrong.stdout() + wrong.stderr()).not.toMatch(/Password\d/);
    } finally {
      // The server is a child of the shell.
      process.kill(-store.pid!, 'SIGKILL');
    }
  },
  120_000,
);

test('databases that Compose is to have are named on the command line', async () => {
  using folder = folderWith({ 'main.svc': 'walker:pub Hello { can greet with Root entry { report 1; } }\n' });
  const at = async (list: string) => {
    const args = ['build', 'main.svc', '--target', 'container', `--compose=${list}`];
    const { code, stderr } = await svcHere(args, { cwd: folder.path, env: {} });
    return [code, stderr];
  };
  expect(await at('postgres,oracle')).toEqual([
    2,
    expect.stringContaining("--compose: 'oracle' is none of postgres, docdb, kvcache"),
  ]);
  expect(await at('docdb,postgres')).toEqual([
    2,
    expect.stringContaining('postgres and docdb both keep the graph: name one of them'),
  ]);
});
