/** The code of docs/typescript.md, file by file, does what the page says. */
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'typescript.md'), 'utf8');
const files = Object.fromEntries(
  [...page.matchAll(/^```\w+ ([\w.]+)\n([\s\S]*?)^```$/gm)].map((block) => [block[1]!, block[2]!]),
);

test('the page has the files it speaks of', () => {
  expect(Object.keys(files)).toEqual(['app.ts', 'shelf.svc', 'both.ts', 'tests.ts', 'tsconfig.json']);
});

test('it runs, serves and passes its tests', async () => {
  using folder = folderWith(files);
  const svc = (...args: string[]) => runSvc(args, { cwd: folder.path });
  const said = /^svc run app\.ts +# (.*)$/m.exec(page)![1]!;
  expect((await svc('run', 'app.ts', '--no-persist')).stdout).toMatch(new RegExp(`^${said}$`, 'm'));
  expect((await svc('run', 'both.ts', '--no-persist')).stdout).toMatch(/\[ 45 \] 50\n$/);
  expect(await svc('test', 'tests.ts')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const { token } = await register(server.base, 'ada');
  const added = await post(server.base, '/walker/AddTask', { title: 'call', minutes: 3 }, token);
  expect(added.reports[0]).toMatchObject({ title: 'call', minutes: 3 });
  expect(added.reports[0]).not.toHaveProperty('note');
  expect(await post(server.base, '/walker/AddTask', { title: '' }, token)).toMatchObject({
    status: 422,
    error: { code: 'EMPTY_TITLE' },
  });
  expect((await post(server.base, '/quick', undefined, token, 'GET')).reports).toEqual(['call', '3 minutes']);
  expect(await post(server.base, '/function/minutes', {}, token)).toMatchObject({ result: 3 });
});

test('its types are right', async () => {
  using folder = folderWith(files);
  await mkdir(join(folder.path, 'node_modules'));
  for (const name of ['typescript', '@typescript', '@types', 'undici-types'])
    symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  expect(await runSvc(['check'], { cwd: folder.path })).toMatchObject({ code: 0, stderr: '' });
});
