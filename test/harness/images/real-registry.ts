/** The registry of Debian (`docker-registry`), with an account. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, freePort } from '../ports.ts';
import { removeFolder } from '../server.ts';

export interface RealRegistry extends AsyncDisposable {
  readonly host: string;
}

export async function startRealRegistry(login: { username: string; password: string }): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  const accounts = spawnSync('htpasswd', ['-iBn', login.username], { input: login.password, encoding: 'utf8' }).stdout;
  writeFileSync(join(folder, 'accounts'), accounts);
  const settings = {
    version: '0.1',
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: host },
    auth: { htpasswd: { realm: 'tests', path: join(folder, 'accounts') } },
  };
  writeFileSync(join(folder, 'settings.yml'), JSON.stringify(settings));
  const child = spawn('docker-registry', ['serve', join(folder, 'settings.yml')], { stdio: 'ignore' });
  await answers(`http://${host}/v2/`, () => child.exitCode === null);
  return {
    host,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      removeFolder(folder);
    },
  };
}
