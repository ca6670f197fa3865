/** The programs of docs/databases.md do what the page says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kvstore } from '../../core/modules/svc-scale.ts';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'databases.md'), 'utf8');
const files = Object.fromEntries(
  [...page.matchAll(/^```\w+ ([\w.]+)\n([\s\S]*?)^```$/gm)].map((block) => [block[1]!, block[2]!]),
);

test('the shop finds, sells and slows down', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, entry: 'main.svc' });
  const search = async (body: object) => (await post(server.base, '/walker/Search', body)).reports;
  expect(await search({ most: 10, tag: 'light' })).toEqual([{ name: 'bulb', price: 4 }]);
  expect((await search({ most: 100 })).map(({ name }: { name: string }) => name)).toEqual(['pen', 'bulb', 'lamp']);
  const { token } = await register(server.base, 'ada');
  const buy = (name: string) => post(server.base, '/walker/Buy', { name }, token);
  expect((await buy('pen')).reports).toEqual([1]);
  expect((await buy('pen')).reports).toEqual([0]);
  expect(await buy('pen')).toMatchObject({ status: 409, error: { code: 'SOLD_OUT' } });
  await Promise.all([buy('lamp'), buy('lamp')]);
  expect(await buy('bulb')).toMatchObject({ status: 429 });
  expect((await search({ most: 100 })).map(({ name }: { name: string }) => name)).toEqual(['bulb']);
});

test('the program in TypeScript', async () => {
  using folder = folderWith(files);
  expect(await runSvc(['check', 'app.ts'], { cwd: folder.path })).toMatchObject({ code: 0 });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const greet = async () => (await post(server.base, '/function/greet', { name: 'ada' })).data.result;
  expect(await greet()).toEqual({ name: 'ada', visits: 1, last: 'ada' });
  expect(await greet()).toEqual({ name: 'ada', visits: 2, last: 'ada' });
});

test('every method is in the reference, to which the page leads', () => {
  expect(page).toContain('](server/kvstore.md)');
  const reference = readFileSync(join(repository, 'docs/server/kvstore.md'), 'utf8');
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(kvstore).prototype).filter(
    (name) => name !== 'constructor' && !name.startsWith('$'),
  );
  expect(methods.length).toBe(23);
  for (const method of methods) expect(reference).toContain(`\`${method}`);
});
