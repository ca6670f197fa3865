/**
 * A real PostgreSQL server for tests, on a free port, with a folder of its own and syncs on. A test that starts one is skipped by its name on a
 * machine that has none.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findTool, needTool } from './find-tool.ts';
import { freePort } from './ports.ts';
import { isRunning } from './worker-pids.ts';

export interface PostgresServer extends AsyncDisposable {
  /** Folder that belongs to who runs it. */
  readonly folder: string;
  /** Id of the first of its processes. */
  readonly pid: number;
  readonly port: number;
  /** Address of the database that is there. */
  readonly url: string;
  /** Address of a schema of its own, made now: as good as a database, and there at once. */
  urlOf(name: string): Promise<string>;
  /** Sends statements as the owner of everything. */
  run(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the server and all its processes at once, as `kill -9` of the first one does. */
  kill(): Promise<void>;
  /** After `kill`: the same folder and port. */
  start(): Promise<void>;
  /** Starts a second server that repeats this one, on the port given or a free one. */
  standby(port?: number): Promise<PostgresServer>;
  /** A standby becomes a server of its own. */
  promote(): Promise<void>;
  /** Stops answering without closing anything, and goes on. */
  pause(): void;
  resume(): void;
}

/** Debian keeps the server's programs beside the path. */
function programs(): string {
  nameServer();
  return join(needTool('postgres', 'postgresql'), '..');
}

function nameServer(): void {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(folder, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
  process.env['POSTGRES'] ??= found === undefined ? 'postgres' : join(found, 'postgres');
}

/** Tells whether the machine has the server's programs; tests that need them are named at the end of a run otherwise. */
export function hasPostgres(): boolean {
  nameServer();
  return findTool('postgres', 'postgresql') !== undefined;
}

/** The server refuses to be run by root. */
function asOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** `env`: further variables of its processes. */
export function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  return open(settings, undefined, undefined, env);
}

/** `of`: port of the server it repeats. */
async function open(
  settings: Readonly<Record<string, string>>,
  of: number | undefined,
  on?: number,
  env: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const bin = programs();
  const owner = asOwner();
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
  const data = join(folder, 'data');
  const given = { ...owner, cwd: folder, stdio: 'ignore' as const };
  const init = ['-D', data, '-A', 'trust', '-U', 'svc', '-E', 'UTF8', '--locale=C', '-N'];
  if (of === undefined) execFileSync(join(bin, 'initdb'), init, given);
  else
    execFileSync(
      join(bin, 'pg_basebackup'),
      ['-D', data, '-h', '127.0.0.1', '-p', String(of), '-U', 'svc', '-R', '-c', 'fast'],
      given,
    );
  const port = on ?? (await freePort());
  const all = {
    ...{ port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: folder, max_connections: '200' },
    // Refused statements are not printed: who measures or waits may not read them, and then the server waits for that.
    ...{ shared_buffers: '64MB', fsync: 'on', log_min_messages: 'log', ...settings },
  };
  const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let child: ChildProcess | undefined;
  const url = `postgres://svc@127.0.0.1:${port}/postgres`;
  const start = async () => {
    child = await launch(join(bin, 'postgres'), args, { ...owner, cwd: folder, env: { ...process.env, ...env } });
  };
  const signal = (name: NodeJS.Signals) => {
    // The processes of connections are children of the first one.
    for (const pid of childrenOf(child!.pid!)) tryKill(pid, name);
    tryKill(child!.pid!, name);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child.kill('SIGSTOP'); // a process that it began after they were listed would live on and keep the next server from the folder
    const others = childrenOf(child.pid!);
    child.kill('SIGKILL');
    await ended;
    // They notice it by themselves, some time later.
    for (const pid of others) tryKill(pid, 'SIGKILL');
    for (const pid of others) while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const run = async (text: string) => {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  await start();
  return {
    get pid() {
      return child!.pid!;
    },
    port,
    url,
    async urlOf(name) {
      await run(`CREATE SCHEMA IF NOT EXISTS ${name}`);
      return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    run,
    kill,
    start,
    folder,
    standby: (other) => open(settings, port, other),
    async promote() {
      await run('SELECT pg_promote()');
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async [Symbol.asyncDispose]() {
      signal('SIGCONT');
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function launch(program: string, args: readonly string[], options: object): Promise<ChildProcess> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr!.on('data', (chunk) => {
      printed += chunk;
      if (/ready to accept (read-only )?connections/.test(printed)) resolve(child);
      if (printed.length > 100_000) printed = printed.slice(-10_000);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`postgres ended\n${printed}`)));
  });
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number);
  } catch {
    return [];
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
