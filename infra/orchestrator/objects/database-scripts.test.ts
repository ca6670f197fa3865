import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { needTool } from '../../../test/harness/find-tool.ts';
import { freePort } from '../../../test/harness/ports.ts';
import { folderWith } from '../../../test/harness/svc-process.ts';
import { docdbInitScript } from './docdb.ts';
import { kvcacheDatabase, kvcacheScript } from './kvcache.ts';

/** Valkey by the name of Redis, from which it comes, with its data and its port where the test wants them. */
function valkeyIn(folder: string, port: number): string {
  const tools = {
    'valkey-server': `shift; sed 's|^dir /data$|dir ${folder}|' | exec redis-server - --port ${port} --bind 127.0.0.1`,
    'valkey-cli': `exec redis-cli -p ${port} "$@"`,
  };
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return `${folder}:${process.env['PATH']}`;
}

test('the key-value store starts with a password, an append-only file and the policy of evictions', async () => {
  needTool('redis-server', 'redis-server');
  using folder = folderWith({});
  const port = await freePort();
  const password = 'secretOf32letters0123456789abcde';
  const env = { PATH: valkeyIn(folder.path, port), KVCACHE_PASSWORD: password };
  const server = spawn('sh', ['-c', kvcacheScript], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk) => String(chunk).includes('Ready to accept connections') && resolve());
    server.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  const client = new Redis({ port, password });
  try {
    expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'volatile-lru']);
    expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
    expect(existsSync(join(folder.path, 'appendonlydir'))).toBe(true);
    const [program, ...args] = kvcacheDatabase.check as [string, ...string[]];
    expect(execFileSync(program, args, { env, encoding: 'utf8' })).toBe('');
    const wrong = { env: { ...env, KVCACHE_PASSWORD: 'another' }, stdio: 'pipe' } as const;
    expect(() => execFileSync(program, args, wrong)).toThrow();
  } finally {
    client.disconnect();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    execFileSync('valkey-cli', ['shutdown', 'nosave'], { env: { ...env, REDISCLI_AUTH: password } });
    await ended;
  }
});

test('what prepares the document database is a script, and its program one too', () => {
  execFileSync('sh', ['-n'], { input: docdbInitScript });
  const [, program] = /--eval '([^']*)'/.exec(docdbInitScript)!;
  expect(new Script(program!)).toBeInstanceOf(Script);
  // On no command line: the program takes it from its environment.
  expect(docdbInitScript).not.toContain('$DOCDB_PASSWORD');
});
