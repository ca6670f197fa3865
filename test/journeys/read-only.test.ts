/**
 * A call that changed nothing does not write to the store at all: no transaction, no fsync
 * (docs/server/storage.md#commit-points). Proved by the system calls.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { post, register } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { startTraced } from '../harness/traced-server.ts';

const app = `node Task { has title: str; has tags: list[str] = []; has count: int = 0; }
edge Owns { has since: int = 1; }
walker Add { has title: str; can go with Root entry { here +>: Owns() :+> Task(title=self.title, tags=["a"]); report "added"; } }
walker Look {
    can go with Root entry { visit [->:Owns:->]; }
    can read with Task entry { report [here.title, here.tags, len(here.tags), here.count]; }
}
walker Roots { can go with Root entry { report len(allroots()); } }
walker Same { can go with Root entry { for t in [-->[?:Task]] { t.count = t.count; t.tags.append("x"); t.tags.pop(); } report "same"; } }
walker Detached { can go with Root entry { t = Task(title="gone"); report t.title; } }
walker Hooked { can go with Root entry { on_commit(lambda: None); report "hooked"; } }
walker Fails { can go with Root entry { here ++> Task(title="no"); raise ValueError("no"); } }
def:protect total(n: int) -> int { return n + len([root-->]); }
`;

/** System calls of a server that has made none for a second, however slow the machine. */
async function atRest(server: { calls(): string[] }): Promise<string[]> {
  for (let before = server.calls(); ; ) {
    await sleep(1000);
    const now = server.calls();
    if (now.length === before.length) return now;
    before = now;
  }
}

test('calls that only read make no write and no sync; one that writes makes both', async () => {
  using folder = folderWith({ 'main.svc': app });
  await using server = await startTraced({ folder: folder.path });
  const { token } = await register(server.base, 'ada');
  for (const title of ['a', 'b', 'c']) expect((await post(server.base, '/walker/Add', { title }, token)).ok).toBe(true);
  // Writes that a first read may still cause have happened once.
  const reads: [string, unknown][] = [
    ['/walker/Look', {}],
    ['/walker/Roots', {}],
    ['/walker/Same', {}],
    ['/walker/Detached', {}],
    ['/walker/Hooked', {}],
    ['/function/total', { n: 1 }],
    ['/traverse', { depth: -1, detailed: true }],
  ];
  for (const [path, body] of reads) expect((await post(server.base, path, body, token)).status, path).toBe(200);
  const before = await atRest(server);
  for (let i = 0; i < 10; i++)
    for (const [path, body] of reads) expect((await post(server.base, path, body, token)).status, path).toBe(200);
  expect((await post(server.base, '/walker/Fails', {}, token)).status).toBe(500);
  expect((await atRest(server)).slice(before.length)).toEqual([]);
  // The same watch sees a call that writes.
  expect((await post(server.base, '/walker/Add', { title: 'd' }, token)).ok).toBe(true);
  const after = (await atRest(server)).slice(before.length);
  expect(after.filter((line) => /write/.test(line)).length).toBeGreaterThan(0);
  expect(after.filter((line) => /f(data)?sync/.test(line)).length).toBeGreaterThan(0);
  await server.stop();
});
