/**
 * Durability: acknowledged writes are there after the process was killed, the disk was full, or the file was damaged.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { killInRounds } from '../harness/kill-rounds.ts';
import { copyApp, post, register, removeFolder, repository, runSvc, startServer, svcBin } from '../harness/server.ts';

const app = join(repository, 'test/wire/app');
const rounds = Number(process.env['KILL_ROUNDS'] ?? 12);

/** For 200 rounds (CON-04): KILL_ROUNDS=200. */
test(
  `CON-04 kill -9 in ${rounds} rounds loses no acknowledged write and tears no unit`,
  async () => {
    const folder = copyApp(app);
    await killInRounds({ start: () => startServer({ folder }), rounds, clients: 4, lives: [5, 500] });
    removeFolder(folder);
  },
  120_000 + rounds * 5_000,
);

test('a full disk is answered 503, loses nothing, and the process lives', async () => {
  const folder = copyApp(app);
  let token = '';
  {
    await using server = await startServer({ folder });
    token = (await register(server.base, 'ada')).token;
    await server.stop();
  }
  // Every write to the database's log fails with "no space left" from the 150th on.
  const wal = join(folder, '.svc/data/svc.db-wal');
  const trace = join(folder, 'trace.txt');
  const child = spawn(
    needTool('strace', 'strace'),
    [
      '-f',
      '-qq',
      '-o',
      trace,
      '-P',
      wal,
      '-e',
      'trace=pwrite64,write,pwritev',
      '-e',
      'inject=pwrite64,write,pwritev:error=ENOSPC:when=150+',
      process.execPath,
      svcBin,
      'start',
      'main.svc',
      '--port',
      '0',
      '--host',
      '127.0.0.1',
      '--json',
    ],
    { cwd: folder, env: { ...process.env, SVC_ENV: 'test' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let printed = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const match = /"port":(\d+)/.exec(printed);
      if (match) resolve(Number(match[1]));
    });
    child.stderr.on('data', (chunk) => (printed += chunk));
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  const base = `http://127.0.0.1:${port}`;
  const acknowledged: string[] = [];
  const refused: any[] = [];
  for (let i = 0; i < 400 && refused.length < 20; i++) {
    const answer = await post(base, '/walker/AddTask', { title: `t${i}` }, token);
    if (answer.ok) acknowledged.push(`t${i}`);
    else refused.push(answer);
  }
  expect(refused.length, 'the fault must have fired').toBeGreaterThan(0);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(new Set(refused.map((answer) => answer.error.code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  expect(readFileSync(trace, 'utf8')).toContain('ENOSPC');
  expect((await post(base, '/walker/Ping')).reports).toEqual(['pong']); // alive, and reading works
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.on('exit', resolve));
  execFileSync(needTool('pkill', 'procps'), ['-KILL', '-P', String(child.pid)]);
  await ended;
  await using server = await startServer({ folder });
  const titles = (await post(server.base, '/walker/ListTasks', {}, token)).reports.map((task: any) => task.title);
  expect(titles).toEqual(expect.arrayContaining(acknowledged));
  await server.stop();
  removeFolder(folder);
});

test('a damaged database file is refused and left as it is', async () => {
  const folder = copyApp(app);
  const file = join(folder, '.svc/data/svc.db');
  {
    await using server = await startServer({ folder });
    await register(server.base, 'ada');
    await server.stop();
  }
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 100, Math.min(bytes.length, 8192));
  writeFileSync(file, bytes);
  const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
  const before = digest();
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], {
    cwd: folder,
    env: { SVC_ENV: 'test' },
  });
  expect(code).toBe(7);
  expect(stderr).toMatch(/^svc: .*svc\.db/m);
  expect(digest()).toBe(before);
  removeFolder(folder);
});

test('a file that is no database is refused and left as it is', async () => {
  const folder = copyApp(app);
  mkdirSync(join(folder, '.svc/data'), { recursive: true });
  const file = join(folder, '.svc/data/svc.db');
  writeFileSync(file, 'these are my holiday notes, not a database\n'.repeat(50));
  const { code } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder, env: { SVC_ENV: 'test' } });
  expect(code).toBe(7);
  expect(readFileSync(file, 'utf8')).toMatch(/^these are my holiday notes/);
  removeFolder(folder);
});
