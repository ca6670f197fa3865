/** `svc new --template typescript`: a project that checks, passes its tests and serves as it is. */
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

test('it checks, passes its tests and serves', async () => {
  using folder = folderWith({});
  expect(await runSvc(['new', 'Shop', '-t', 'typescript'], { cwd: folder.path })).toMatchObject({
    code: 0,
    stdout: 'Created Shop (typescript).\n\n  cd Shop\n  svc start\n',
  });
  const shop = join(folder.path, 'Shop');
  const { name, type } = JSON.parse(readFileSync(join(shop, 'package.json'), 'utf8'));
  expect([name, type]).toEqual(['shop', 'module']);
  // Links stand for the packages that `npm install` would bring.
  await mkdir(join(shop, 'node_modules'));
  for (const one of ['typescript', '@typescript'])
    symlinkSync(join(repository, 'node_modules', one), join(shop, 'node_modules', one));
  expect(await runSvc(['check'], { cwd: shop })).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'no problems found in 2 files\n',
  });
  const tested = await runSvc(['test'], { cwd: shop });
  expect(tested.stdout).toMatch(/\n2 tests: 2 passed \(/);
  await using server = await startServer({ folder: shop, entry: 'app.ts' });
  expect((await post(server.base, '/walker/Hello', { name: 'Ada' })).reports).toEqual(['Hello, Ada!']);
  const { token } = await register(server.base, 'ada');
  const added = await post(server.base, '/walker/AddTask', { title: 'buy milk' }, token);
  const finished = await post(server.base, `/walker/FinishTask/${added.reports[0]._svc_id}`, {}, token);
  expect(finished.reports[0]).toMatchObject({ title: 'buy milk', done: true });
  expect((await post(server.base, '/walker/ListTasks', {}, token)).reports).toEqual(finished.reports);
  expect((await post(server.base, '/walker/AddTask', { title: '' }, token)).error.code).toBe('EMPTY_TITLE');
});
