/** A real PgBouncer in transaction mode before a PostgreSQL server, on a free port. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needTool } from './find-tool.ts';
import { freePort } from './ports.ts';
import type { PostgresServer } from './postgres-server.ts';

export interface Bouncer extends Disposable {
  readonly url: string;
}

export async function startBouncer(server: PostgresServer): Promise<Bouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bouncer-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users'), '"svc" ""\n');
  writeFileSync(
    join(folder, 'ini'),
    `[databases]\npostgres = host=127.0.0.1 port=${server.port} user=svc\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\nauth_file = ${folder}/users\npool_mode = transaction\ndefault_pool_size = 3\nserver_login_retry = 1\n`,
  );
  chmodSync(folder, 0o755);
  const owner = statSync(server.folder);
  const bouncer = spawn(needTool('pgbouncer', 'pgbouncer'), [join(folder, 'ini')], {
    ...(process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}),
    stdio: 'ignore',
  });
  while (bouncer.exitCode === null && !(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    [Symbol.dispose]() {
      bouncer.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
