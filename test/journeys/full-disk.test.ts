/** Commands on a disk that is full, read-only or somebody else's: what is in the way is said in a line, and nothing is left that looks like a result. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../harness/postgres-server.ts';
import { runSvc, svcBin } from '../harness/server.ts';
import { hasSmallDisks, mountSmallDisk, type SmallDisk } from '../harness/small-disk.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `import from svc_scale.lib { kvstore }
glob shop = kvstore("shop");
node Note { has n: int; has text: str; }
with entry {
    for i in range(800) { root ++> Note(n=i, text=f"{i} " * 700); }
    for i in range(800) { shop.insert_one("d", {"_id": i, "t": "y" * 1000}); }
    print("done");
}
`;
const can = hasSmallDisks();
const home = folderWith({ 'main.svc': program });
let postgres: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres()) postgres = await startPostgres();
  expect((await runSvc(['run', 'main.svc'], { cwd: home.path })).stdout).toBe('done\n');
  expect((await runSvc(['export', '-o', 'all.jsonl'], { cwd: home.path })).code).toBe(0);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await postgres?.[Symbol.asyncDispose]();
});

/** Runs a command; gives its exit code and its messages without its progress. */
async function said(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await runSvc(args, { cwd, env });
  const lines = stderr.split('\n').filter((line) => line !== '' && !/^svc: (nodes|lines|checked|copied)/.test(line));
  return [code, lines];
}

/** A disk that nothing more fits on, with the application and its store on it. */
function fullDisk(): SmallDisk {
  const disk = mountSmallDisk(20_000);
  cpSync(home.path, disk.path, { recursive: true });
  rmSync(join(disk.path, 'all.jsonl'));
  fill(disk);
  return disk;
}

function fill(disk: SmallDisk): void {
  disk.resize(40_000);
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk.path, 'ballast')}`, 'bs=4k', 'count=100000'], { stdio: 'ignore' });
  expect(() => writeFileSync(join(disk.path, 'one-more'), 'x'.repeat(8192))).toThrow('ENOSPC');
  rmSync(join(disk.path, 'one-more'), { force: true });
}

test.skipIf(!can)(
  'an export, a backup and an import for which there is no room say so, and leave nothing',
  async () => {
    using disk = mountSmallDisk(1500);
    const { path } = disk;
    const [out, copy] = [join(path, 'all.jsonl'), join(path, 'copy.db')];
    expect(await said(['export', '-o', out], home.path)).toEqual([1, ['svc: export: the disk is full']]);
    expect(await said(['backup', '-o', copy], home.path)).toEqual([1, ['svc: backup: the disk is full']]);
    expect(readdirSync(path)).toEqual([]);
    copyFileSync(join(home.path, 'main.svc'), join(path, 'main.svc'));
    let refused = 0;
    // The room ends in the graph, in what kvstore keeps, or between.
    for (let size = 1500; ; size += 750) {
      disk.resize(size);
      const [code, lines] = await said(['import', join(home.path, 'all.jsonl')], path);
      if (code === 0) break;
      refused++;
      expect(lines).toEqual(['svc: import: the disk is full']);
      expect(readdirSync(join(path, '.svc/data'))).toEqual([]);
    }
    expect(refused).toBeGreaterThan(4);
    expect(readdirSync(join(path, '.svc/data')).sort()).toEqual(['kvstore.db', 'svc.db']);
  },
);

test.skipIf(!can)('on a full disk a store is not opened half, and not moved', async () => {
  using disk = fullDisk();
  for (const args of [
    ['user', 'list'],
    ['run', 'main.svc'],
    ['start', 'main.svc', '--port', '0'],
  ]) {
    const [code, lines] = await said(args, disk.path);
    expect([args, code, lines]).toEqual([args, code === 0 ? 0 : 7, expect.anything()]);
    expect((lines as string[]).join('\n')).not.toMatch(/^ {4}at /m);
  }
});

test.skipIf(!can || !hasPostgres())(
  'an export of PostgreSQL onto a full disk says so, and leaves nothing',
  async () => {
    using app = folderWith({ 'main.svc': program });
    const env = { DATABASE_URL: await postgres!.urlOf('onto_full') };
    expect((await runSvc(['run', 'main.svc'], { cwd: app.path, env })).stdout).toBe('done\n');
    using disk = mountSmallDisk(1500);
    expect(await said(['export', '-o', join(disk.path, 'all.jsonl')], app.path, env)).toEqual([
      1,
      ['svc: export: the disk is full'],
    ]);
    expect(readdirSync(disk.path)).toEqual([]);
  },
);

const commands = [
  ['export'],
  ['backup', '-o', '/dev/null/x'],
  ['user', 'list'],
  ['run', 'main.svc'],
  ['start', 'main.svc', '--port', '0'],
  ['reset', '--yes'],
  ['migrate', '--to', 'postgres://nobody@localhost:1/x'],
];

test.skipIf(!can)('on a read-only disk each command says that it is read-only', async () => {
  using disk = mountSmallDisk(40_000);
  cpSync(home.path, disk.path, { recursive: true });
  disk.setReadOnly(true);
  for (const args of commands.filter(([name]) => name !== 'backup')) {
    const [code, lines] = await said(args, disk.path);
    expect([args, code, (lines as string[]).at(-1)]).toEqual([
      args,
      7,
      expect.stringMatching(/EROFS|readonly database|disk is read-only/),
    ]);
    expect((lines as string[]).join('\n')).not.toMatch(/^ {4}at |damaged/m);
  }
  disk.setReadOnly(false);
  expect(existsSync(join(disk.path, '.svc/data/svc.db'))).toBe(true);
});

test.skipIf(process.getuid?.() !== 0)(
  'a store of somebody else is left alone, and each command says that it may not',
  async () => {
    using app = folderWith({});
    cpSync(home.path, app.path, { recursive: true });
    for (const folder of ['.', '.svc', '.svc/data']) chmodSync(join(app.path, folder), 0o755);
    mkdirSync(join(app.path, 'cache'), { mode: 0o777 });
    for (const args of commands.filter(([name]) => name !== 'backup' && name !== 'start' && name !== 'run')) {
      const { status, stderr } = spawnSync(process.execPath, [svcBin, ...args], {
        cwd: app.path,
        uid: 65534,
        gid: 65534,
        env: { ...process.env, NO_COLOR: '1', HOME: join(app.path, 'cache') },
        encoding: 'utf8',
      });
      expect([args, status, stderr]).toEqual([args, 7, expect.stringMatching(/^svc: .*EACCES[^\n]*\n$/)]);
    }
    expect(readdirSync(join(app.path, '.svc/data')).filter((name) => /^(svc|kvstore)\.db$/.test(name))).toHaveLength(2);
  },
);
