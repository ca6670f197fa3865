import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFiles } from './watch-files.ts';

let dir = '';
let stop: (() => void) | undefined;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watch-test-'));
});
afterEach(async () => {
  stop?.();
  await rm(dir, { recursive: true, force: true });
});

/** Changes as they come, relative to the directory. */
function changes(emptyMs?: number): () => Promise<string[]> {
  const batches: string[][] = [];
  let wake = () => {};
  const watcher = watchFiles({
    directory: dir,
    ignore: new Set(['.svc']),
    matches: (name) => name.endsWith('.svc'),
    quietMs: 30,
    ...(emptyMs === undefined ? {} : { emptyMs }),
    onChange: (paths) => {
      batches.push(paths.map((path) => path.slice(dir.length + 1)).sort());
      wake();
    },
  });
  stop = () => watcher.close();
  return async () => {
    while (batches.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return batches.shift()!;
  };
}

test('tells about changed, new, replaced and removed files, several at once', async () => {
  await writeFile(join(dir, 'a.svc'), '1');
  const next = changes();
  // In one turn, however long the disk takes: nothing is told in between.
  writeFileSync(join(dir, 'a.svc'), '22');
  writeFileSync(join(dir, 'b.svc'), '1');
  writeFileSync(join(dir, 'note.txt'), '1');
  expect(await next()).toEqual(['a.svc', 'b.svc']);
  await writeFile(join(dir, 'b.svc~'), 'new');
  await rename(join(dir, 'b.svc~'), join(dir, 'b.svc'));
  expect(await next()).toEqual(['b.svc']);
  await rm(join(dir, 'a.svc'));
  expect(await next()).toEqual(['a.svc']);
});

test('sees new directories and leaves ignored ones alone', async () => {
  await mkdir(join(dir, '.svc'));
  const next = changes();
  await writeFile(join(dir, '.svc', 'x.svc'), '1');
  await mkdir(join(dir, 'lib', 'deep'), { recursive: true });
  await writeFile(join(dir, 'lib', 'deep', 'c.svc'), '1');
  expect(await next()).toEqual(['lib/deep/c.svc']);
  await writeFile(join(dir, 'lib', 'deep', 'c.svc'), '22');
  expect(await next()).toEqual(['lib/deep/c.svc']);
});

test('goes on where a folder has become a file of its name', async () => {
  const next = changes();
  await mkdir(join(dir, 'a.svc'));
  expect(await next()).toEqual(['a.svc']);
  await writeFile(join(dir, 'a.svc', 'a.svc'), '1');
  expect(await next()).toContain('a.svc/a.svc');
  rmSync(join(dir, 'a.svc'), { recursive: true });
  writeFileSync(join(dir, 'a.svc'), '1');
  expect(await next()).toContain('a.svc');
  await writeFile(join(dir, 'b.svc'), '1');
  expect(await next()).toEqual(['b.svc']);
});

test('tells of a file that is emptied and then written once, when it has been written', async () => {
  await writeFile(join(dir, 'a.svc'), '1');
  const next = changes(3_600_000);
  const file = openSync(join(dir, 'a.svc'), 'w');
  await setTimeout(200);
  writeFileSync(join(dir, 'b.svc'), '1');
  await setTimeout(200);
  writeSync(file, '22');
  closeSync(file);
  expect(await next()).toEqual(['a.svc', 'b.svc']);
});

test('tells of a file that stays empty', async () => {
  await writeFile(join(dir, 'a.svc'), '1');
  const next = changes(50);
  await writeFile(join(dir, 'a.svc'), '');
  expect(await next()).toEqual(['a.svc']);
});
