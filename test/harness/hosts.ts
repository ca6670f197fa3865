/**
 * Hosts with a network of their own each, that reach one PostgreSQL server: network namespaces of this machine. Each has two links: `front`, by
 * which tests call it, and `back`, by which it reaches the database.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { needTool } from './find-tool.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { type RunningServer, startServer } from './server.ts';

export interface Host {
  readonly name: string;
  /** Address of the database as the host sees it. */
  readonly databaseUrl: string;
  /** Serves a folder there. */
  serve(folder: string, more?: Readonly<Record<string, string>>): Promise<RunningServer>;
  /** Takes the other end of a link away: nothing arrives, and nobody is told. */
  cut(link: 'front' | 'back'): void;
  heal(link: 'front' | 'back'): void;
}

export interface Hosts extends AsyncDisposable {
  readonly hosts: readonly [Host, Host];
  readonly database: PostgresServer;
}

/** Networks belong to root, and in most containers to nobody. */
export function mayMakeHosts(): boolean {
  const name = `svc${process.pid}trial`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return true;
  } catch {
    return false;
  }
}

function ip(...args: string[]): void {
  execFileSync(needTool('ip', 'iproute2'), args, { stdio: 'pipe' });
}

export async function openHosts(): Promise<Hosts> {
  // Test files run side by side.
  const net = `10.${100 + (process.pid % 100)}`;
  const database = await startPostgres({ listen_addresses: '*' });
  appendFileSync(join(database.folder, 'data/pg_hba.conf'), `\nhost all all ${net}.0.0/16 trust\n`);
  await database.run('SELECT pg_reload_conf()');
  const hosts = [1, 2].map((number) => makeHost(net, number, database)) as never as readonly [Host, Host];
  return {
    hosts,
    database,
    async [Symbol.asyncDispose]() {
      for (const { name } of hosts) ip('netns', 'del', name);
      await database[Symbol.asyncDispose]();
    },
  };
}

function makeHost(net: string, number: number, database: PostgresServer): Host {
  const name = `svc${process.pid}h${number}`;
  const links = { front: `sv${process.pid % 100_000}f${number}`, back: `sv${process.pid % 100_000}b${number}` };
  ip('netns', 'add', name);
  for (const [i, [kind, link]] of Object.entries(links).entries()) {
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', kind, 'netns', name);
    ip('addr', 'add', `${net}.${number * 10 + i}.1/24`, 'dev', link);
    ip('link', 'set', link, 'up');
    ip('-n', name, 'addr', 'add', `${net}.${number * 10 + i}.2/24`, 'dev', kind);
    ip('-n', name, 'link', 'set', kind, 'up');
  }
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const inside = `${net}.${number * 10}.2`;
  const databaseUrl = `postgres://svc@${net}.${number * 10 + 1}.1:${database.port}/postgres`;
  return {
    name,
    databaseUrl,
    async serve(folder, more = {}) {
      const server = await startServer({
        folder,
        args: ['--host', inside],
        under: ['ip', 'netns', 'exec', name],
        env: {
          DATABASE_URL: databaseUrl,
          JWT_SECRET: 'k'.repeat(40),
          SVC_DATABASE_OPERATION_TIMEOUT_MS: '3000',
          ...more,
        },
      });
      return Object.assign(Object.create(server), { base: `http://${inside}:${server.port}` });
    },
    cut: (link) => ip('link', 'set', links[link], 'down'),
    heal: (link) => ip('link', 'set', links[link], 'up'),
  };
}
