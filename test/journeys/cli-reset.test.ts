/** `svc reset` says what goes, asks, and leaves nothing behind; a store that is being served is left alone. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { post, register, runSvc, startServer, svcBin } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
node Note { has text: str; }
walker Add {
    has text: str;
    can add with Root entry {
        here ++> Note(text=self.text);
        shop.insert_one("notes", {"text": self.text});
        store().upload(self.text, f"{self.text}.txt");
        report len([-->]);
    }
}
walker:pub Count { can count with Root entry { report len(list(shop.find("notes", {}))); } }
`;

async function fill(folder: string): Promise<void> {
  writeFileSync(join(folder, 'one'), 'text of a file');
  await using server = await startServer({ folder });
  const { token } = await register(server.base, 'ada');
  expect((await post(server.base, '/walker/Add', { text: 'one' }, token)).data.reports).toEqual([1]);
  const { code, stderr } = await reset(folder, ['--yes']);
  expect([code, stderr]).toEqual([
    1,
    'svc: reset: .svc/data/svc.db is in use\n  hint: stop the server, or whoever else has it open\n',
  ]);
  expect((await post(server.base, '/walker/Add', { text: 'one' }, token)).data.reports).toEqual([2]);
  await server.stop();
}

async function reset(folder: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runSvc(['reset', ...args], { cwd: folder, env });
  return { code, stdout, stderr };
}

/** In a terminal, with one answer. */
function answered(folder: string, answer: string): Promise<{ code: number | null; shown: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      needTool('script', 'bsdutils'),
      ['-qec', `'${process.execPath}' '${svcBin}' reset`, '/dev/null'],
      { cwd: folder },
    );
    let shown = '';
    child.stdout.on('data', (chunk) => {
      shown += chunk;
      if (shown.endsWith('[y/N] ')) child.stdin.write(`${answer}\r`);
    });
    child.on('close', (code) => resolve({ code, shown: shown.replaceAll('\r', '') }));
  });
}

const told = `This deletes for good:
  .svc/data/svc.db: 5 nodes, 1 account
  .svc/data/kvstore.db: 2 documents and keys
  storage: 1 file, 1 KB
`;

test('what is stored is named, asked for and gone; what is served is not touched', async () => {
  using folder = folderWith({ 'main.svc': app, 'svc.toml': '[plugins.scale.jwt]\nsecret = "auto"\n' });
  expect(await reset(folder.path)).toEqual({ code: 0, stdout: 'Nothing is stored.\n', stderr: '' });
  await fill(folder.path);
  const before = readdirSync(join(folder.path, '.svc/data')).sort();

  const unasked = await reset(folder.path);
  expect([unasked.code, unasked.stderr]).toEqual([
    2,
    'svc: reset: standard input is not a terminal and --yes is absent\n',
  ]);
  expect(unasked.stdout).toBe(told);
  const production = await reset(folder.path, [], { SVC_ENV: 'production' });
  expect([production.code, production.stderr.split('\n')[0]]).toEqual([2, 'svc: reset: in production it needs --yes']);
  const no = await answered(folder.path, 'n');
  expect([no.code, no.shown]).toEqual([1, `${told}Proceed? [y/N] n\nNothing was deleted.\n`]);
  expect(
    readdirSync(join(folder.path, '.svc/data'))
      .sort()
      .filter((name) => !name.endsWith('-wal') && !name.endsWith('-shm')),
  ).toEqual(before.filter((name) => !name.endsWith('-wal') && !name.endsWith('-shm')));

  const yes = await answered(folder.path, 'yes');
  expect([yes.code, yes.shown]).toEqual([0, `${told}Proceed? [y/N] yes\nDeleted.\n`]);
  expect(readdirSync(join(folder.path, '.svc/data'))).toEqual([]);
  expect(existsSync(join(folder.path, 'storage'))).toBe(false);
  expect(existsSync(join(folder.path, '.svc/secrets/jwt'))).toBe(true);
  await using server = await startServer({ folder: folder.path });
  expect((await post(server.base, '/walker/Count')).data.reports).toEqual([0]);
  const login = await post(server.base, '/user/login', { username: 'ada', password: 'correct horse 1' });
  expect(login.error.code).toBe('UNAUTHORIZED');
});

test('--yes does not ask; a damaged store may go too; what is no file, or more than stored files, may not', async () => {
  using folder = folderWith({ 'main.svc': app });
  await fill(folder.path);
  writeFileSync(join(folder.path, '.svc/data/svc.db'), 'this is no database at all'.repeat(100));
  const damaged = await reset(folder.path, ['--yes'], { SVC_ENV: 'production' });
  expect(damaged.stdout).toContain('  .svc/data/svc.db, which is damaged\n');
  expect(damaged.code).toBe(0);
  expect(existsSync(join(folder.path, '.svc/data/svc.db'))).toBe(false);

  const remote = await reset(folder.path, ['--yes'], { DOCDB_URI: 'mongodb://127.0.0.1:1/' });
  expect([remote.code, remote.stderr]).toEqual([
    2,
    expect.stringMatching(/^svc: reset: the store is docdb \(.*127\.0\.0\.1:1.*\), not a file\n {2}hint: empty it/),
  ]);
  for (const path of ['.', '..', '/']) {
    const above = await reset(folder.path, ['--yes'], { SVC_STORAGE_PATH: path });
    expect([above.code, above.stderr]).toEqual([
      3,
      expect.stringContaining('is the folder of the project, or above it'),
    ]);
  }
  const bucket = await reset(folder.path, ['--yes'], { SVC_STORAGE_TYPE: 's3', SVC_STORAGE_S3_BUCKET: 'b' });
  expect(bucket.stdout).toContain('Files are kept in storage of type s3: they stay.\n');
  expect(existsSync(join(folder.path, 'main.svc'))).toBe(true);
});
