/**
 * Answers to callers when conflicts are not solved by running again: `on_conflict = "fail"` (docs/server/storage.md#replay,
 * test/wire/5-con.md).
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  copyApp,
  post,
  type RunningServer,
  register,
  removeFolder,
  repository,
  startServer,
} from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

interface Answer {
  readonly status: number;
  readonly body: any;
  readonly retryAfter: string | null;
}

/** A hundred calls, twenty at a time. */
async function hundred(server: RunningServer, path: string, body: unknown, token: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  let left = 100;
  const client = async () => {
    while (left-- > 0) {
      const answer = await fetch(server.base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      answers.push({
        status: answer.status,
        body: await answer.json(),
        retryAfter: answer.headers.get('retry-after'),
      });
    }
  };
  await Promise.all(Array.from({ length: 20 }, client));
  return answers;
}

function checkAnswers(answers: readonly Answer[]): { stored: number; refused: number } {
  expect(answers).toHaveLength(100);
  const refused = answers.filter(({ status }) => status === 409);
  for (const { body, retryAfter } of refused) {
    expect(body).toMatchObject({ ok: false, status: 409, error: { code: 'WRITE_CONFLICT' }, data: null });
    expect(retryAfter).toBe('1');
  }
  const stored = answers.filter(({ status }) => status === 200).length;
  expect(stored + refused.length).toBe(100);
  return { stored, refused: refused.length };
}

const env = { SVC_SERVE_ON_CONFLICT: 'fail' };

test('CON-05 the calls of CON-01: only 200 and 409, and the value is the number of 200s', async () => {
  const folder = copyApp(join(repository, 'test/wire/app'));
  await using server = await startServer({ folder, env });
  const { token } = await register(server.base, 'ada');
  const { stored } = checkAnswers(await hundred(server, '/walker/Bump', { name: 'hits' }, token));
  const { reports } = await post(server.base, '/walker/Counters', {}, token);
  expect(reports).toEqual([[{ name: 'hits', value: stored }]]);
  await server.stop();
  removeFolder(folder);
});

// A call that waits between reading and writing lets others in between.
const overlapping = `import asyncio;
node Counter { has name: str; has value: int = 0; }
walker Bump {
    has name: str;
    async can go with Root entry {
        found = [-->[?:Counter, name == self.name]];
        before = found[0].value if found else 0;
        await asyncio.sleep(0.002);
        counter = found[0] if found else (here ++> Counter(name=self.name));
        counter.value = before + 1;
        report counter.value;
    }
}
walker Counters { can go with Root entry { report [[c.name, c.value] for c in [-->[?:Counter]]]; } }
`;

test('CON-05 calls that overlap: conflicts are answered 409 and change nothing', async () => {
  using folder = folderWith({ 'main.svc': overlapping });
  await using server = await startServer({ folder: folder.path, env });
  const { token } = await register(server.base, 'ada');
  const { stored, refused } = checkAnswers(await hundred(server, '/walker/Bump', { name: 'hits' }, token));
  expect(refused, 'calls must have met').toBeGreaterThan(0);
  expect(stored).toBeGreaterThan(0);
  expect((await post(server.base, '/walker/Counters', {}, token)).reports).toEqual([[['hits', stored]]]);
  await server.stop();
});

test('the same calls with conflicts solved: a hundred 200s', async () => {
  using folder = folderWith({ 'main.svc': overlapping });
  await using server = await startServer({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  expect(checkAnswers(await hundred(server, '/walker/Bump', { name: 'hits' }, token))).toEqual({
    stored: 100,
    refused: 0,
  });
  expect((await post(server.base, '/walker/Counters', {}, token)).reports).toEqual([[['hits', 100]]]);
  await server.stop();
});
