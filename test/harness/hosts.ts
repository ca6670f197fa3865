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
  // Test files run side by side: each has networks by its process.
  const prefix = `10.${64 + (process.pid % 192)}`;
  const first = 4 * (Math.floor(process.pid / 192) % 64);
  const links = (i: number) => ({ front: `${prefix}.${first + i}`, back: `${prefix}.${first + i + 1}` });
  const database = await startPostgres({ listen_addresses: '*' });
  appendFileSync(join(database.folder, 'data/pg_hba.conf'), `\nhost all all ${prefix}.0.0/16 trust\n`);
  await database.run('SELECT pg_reload_conf()');
  const hosts = [makeHost(1, links(0), database), makeHost(2, links(2), database)] as const;
  return {
    hosts,
    database,
    async [Symbol.asyncDispose]() {
      for (const { name } of hosts) ip('netns', 'del', name);
      await database[Symbol.asyncDispose]();
    },
  };
}

/** `nets`: the first three numbers of the addresses of each link. */
function makeHost(number: number, nets: Readonly<Record<'front' | 'back', string>>, database: PostgresServer): Host {
  const name = `svc${process.pid}h${number}`;
  const links = { front: `sv${process.pid % 100_000}f${number}`, back: `sv${process.pid % 100_000}b${number}` };
  ip('netns', 'add', name);
  for (const kind of ['front', 'back'] as const) {
    const [link, net] = [links[kind], nets[kind]];
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', kind, 'netns', name);
    ip('addr', 'add', `${net}.1/24`, 'dev', link);
    ip('link', 'set', link, 'up');
    ip('-n', name, 'addr', 'add', `${net}.2/24`, 'dev', kind);
    ip('-n', name, 'link', 'set', kind, 'up');
  }
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const inside = `${nets.front}.2`;
  const databaseUrl = `postgres://svc@${nets.back}.1:${database.port}/postgres`;
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
