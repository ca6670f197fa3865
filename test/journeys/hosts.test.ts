/** Two hosts, each with a network of its own, that serve one application on one PostgreSQL server (docs/server/stores.md#postgresql). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hosts, mayMakeHosts, openHosts } from '../harness/hosts.ts';
import { post, register } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = (fields: string, also = '') => `
node Note { has n: int${fields}; }
walker Add { has n: int; can add with Root entry { here ++> Note(n=self.n); report self.n; } }
walker All { can look with Root entry { report [note.n for note in [-->[?:Note]]]; } }
${also}`;

const hasHosts = mayMakeHosts();
let made: Hosts;
beforeAll(async () => {
  if (hasHosts) made = await openHosts();
});
afterAll(() => made?.[Symbol.asyncDispose]());

test.skipIf(!hasHosts)('sessions are one; a host that is cut off is not needed, and comes back', async () => {
  using folder = folderWith({ 'main.svc': program('') });
  const [one, two] = made.hosts;
  await using a = await one.serve(folder.path);
  await using b = await two.serve(folder.path);
  const { token } = await register(a.base, 'ann');
  for (let n = 0; n < 10; n++)
    expect((await post((n % 2 === 0 ? a : b).base, '/walker/Add', { n }, token)).ok).toBe(true);
  for (const link of ['front', 'back'] as const) one.cut(link);
  await expect(fetch(`${a.base}/healthz`, { signal: AbortSignal.timeout(1000) })).rejects.toThrow();
  for (let n = 10; n < 20; n++) expect((await post(b.base, '/walker/Add', { n }, token)).ok).toBe(true);
  await sleep(5000);
  for (const link of ['front', 'back'] as const) one.heal(link);
  let answer: any;
  while (answer?.ok !== true) answer = await post(a.base, '/walker/All', {}, token).catch(() => sleep(100));
  expect(answer.reports[0].sort((x: number, y: number) => x - y)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  // A session that ends at one host has ended at the other.
  expect((await post(b.base, '/user/logout', {}, token)).ok).toBe(true);
  let status = 200;
  while (status !== 401) status = (await post(a.base, '/walker/All', {}, token)).status;
});

test.skipIf(!hasHosts)('a rolling upgrade to a version with another schema, under load: no call fails', async () => {
  using first = folderWith({ 'main.svc': program('') });
  using second = folderWith({
    'main.svc': program(
      ', text: str = "new"',
      'walker Texts { can look with Root entry { report [note.text for note in [-->[?:Note]]]; } }',
    ),
  });
  writeFileSync(join(second.path, 'svc.toml'), '[project]\nname = "main"\n');
  writeFileSync(join(first.path, 'svc.toml'), '[project]\nname = "main"\n');
  const [one, two] = made.hosts;
  let serving = [await one.serve(first.path), await two.serve(first.path)];
  const old = [...serving];
  const { token } = await register(serving[0]!.base, 'bob');
  let isOver = false;
  let next = 0;
  const failed: unknown[] = [];
  const acknowledged: number[] = [];
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const n = next++;
        const { base } = serving[n % serving.length]!;
        await post(base, '/walker/Add', { n }, token).then(
          (answer) => (answer.ok ? acknowledged.push(n) : failed.push(answer)),
          (error) => failed.push(error),
        );
      }
    }),
  );
  const more = async () => {
    const enough = acknowledged.length + 30;
    while (acknowledged.length < enough && failed.length === 0) await sleep(5);
  };
  await more();
  for (const [i, host] of [one, two].entries()) {
    const fresh = await host.serve(second.path);
    serving = serving.map((server, at) => (at === i ? fresh : server));
    await more();
    // The proxy sends nothing there any more; what is on its way is answered.
    await old[i]!.stop();
    await more();
  }
  isOver = true;
  await load;
  const texts = (await post(serving[0]!.base, '/walker/Texts', {}, token)).reports[0];
  const all = (await post(serving[1]!.base, '/walker/All', {}, token)).reports[0];
  for (const server of serving) await server.stop();
  console.info(`${acknowledged.length} calls during a rolling upgrade, ${failed.length} failed`);
  expect(failed).toEqual([]);
  expect(all.sort((x: number, y: number) => x - y)).toEqual(acknowledged.sort((x, y) => x - y));
  expect(new Set(texts)).toEqual(new Set(['new']));
});
