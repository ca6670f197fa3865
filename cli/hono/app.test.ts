import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startHono } from '../../test/harness/hono-server.ts';
import { copyApp, post, removeFolder, repository } from '../../test/harness/server.ts';

const folders: string[] = [];
afterAll(() => folders.forEach(removeFolder));

function copied(): string {
  const folder = copyApp(join(repository, 'examples/hono'));
  folders.push(folder);
  return folder;
}

test('an application below a path, beside other routes; what it stored is there for the next process', async () => {
  const folder = copied();
  await using first = await startHono(folder, {}, '/api');
  expect(await (await fetch(`${first.origin}/own`)).text()).toBe('own');
  expect((await post(first.base, '/walker/Visits')).data.reports).toEqual([1]);
  expect((await post(first.base, '/walker/Visits')).data.reports).toEqual([2]);
  expect((await post(first.base, '/walker/None')).error.code).toBe('NOT_FOUND');
  expect((await fetch(`${first.base}/healthz/ready`)).status).toBe(200);
  expect((await fetch(`${first.origin}/walker/Visits`, { method: 'POST' })).status).toBe(404);
  expect(await first.stop()).toBe(0);
  await using second = await startHono(folder, {}, '/nested/api');
  expect((await post(second.base, '/walker/Visits')).data.reports).toEqual([3]);
  expect(await second.stop()).toBe(0);
});

test('a program that is wrong is refused with what svc start would say', async () => {
  const folder = copied();
  writeFileSync(join(folder, 'main.svc'), 'walker Broken { has \n');
  const started = startHono(folder).then((server) => server.stop());
  await expect(started).rejects.toThrow('cannot start main.svc: the program has errors, shown above');
});
