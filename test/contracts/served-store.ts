/** Contract of applications with their users, whichever store they are configured with, through real processes. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { killInRounds } from '../harness/kill-rounds.ts';
import { copyApp, post, register, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

export interface ServedStore {
  /** Name of the store in banners and readiness. */
  readonly kind: string;
  /** Configures an application of its own; asked while tests run. */
  readonly envFor: (name: string) => Record<string, string>;
}

/** Copies of applications, removed after the tests of the file. */
export function createApps(): (name: string) => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) removeFolder(folder);
  });
  return (name) => {
    const folder = copyApp(join(repository, name));
    folders.push(folder);
    return folder;
  };
}

/** Titles of a user's tasks, in `examples/todo`. */
export async function titles(base: string, token: string): Promise<string[]> {
  const { reports } = await post(base, '/walker/ListTasks', undefined, token, 'GET');
  return reports.map((task: any) => task.title);
}

const visits = `node Visit { has count: int = 0; }
with entry {
    found = [root -->[?:Visit]];
    visit = found[0] if found else root ++> Visit();
    visit.count += 1;
    print(visit.count);
}
`;

export function describeServedStore({ kind, envFor }: ServedStore): void {
  const app = createApps();

  test(`${kind}: tasks are kept, whichever process serves them, and only their owner sees them`, async () => {
    const folder = app('examples/todo');
    const env = envFor('todo');
    let ada = '';
    let milk = '';
    {
      await using server = await startServer({ folder, env });
      expect(server.output()).toContain(`"store":"${kind}"`);
      ada = (await register(server.base, 'ada')).token;
      milk = (await post(server.base, '/walker/AddTask', { title: 'milk', tags: ['home'] }, ada)).reports[0]._svc_id;
      await post(server.base, '/walker/AddTask', { title: 'call mum' }, ada);
      expect(await server.stop()).toBe(0);
    }
    await using one = await startServer({ folder, env });
    await using two = await startServer({ folder, env });
    expect(await titles(one.base, ada)).toEqual(['milk', 'call mum']);
    expect((await post(two.base, `/walker/FinishTask/${milk}`, {}, ada)).reports[0].done).toBe(true);
    expect((await post(one.base, '/walker/Summary', undefined, ada, 'GET')).reports).toEqual([
      { total: 2, finished: 1, by_tag: { home: 1 } },
    ]);
    expect((await post(one.base, `/walker/RemoveTask/${milk}`, undefined, ada, 'DELETE')).ok).toBe(true);
    expect(await titles(two.base, ada)).toEqual(['call mum']);
    const bob = (await register(two.base, 'bob')).token;
    expect(await titles(one.base, bob)).toEqual([]);
    expect((await post(one.base, `/walker/FinishTask/${milk}`, {}, bob)).error.code).toBe('NODE_NOT_FOUND');
    expect(await (await fetch(`${one.base}/healthz/ready`)).json()).toMatchObject({
      status: 'ok',
      store: kind,
      durability: 'full',
    });
  });

  test(`${kind}: kill -9 loses no acknowledged write and tears no unit`, async () => {
    const [folder, env] = [app('test/wire/app'), envFor('kill')];
    await killInRounds({ start: () => startServer({ folder, env }), rounds: 3, clients: 3, lives: [300, 800] });
  });

  test(`${kind}: svc run keeps its graph there, and svc graph draws it`, async () => {
    using folder = folderWith({ 'main.svc': visits });
    const env = envFor('run');
    for (const stdout of ['1\n', '2\n'])
      expect(await runSvc(['run', 'main.svc'], { cwd: folder.path, env })).toEqual({ code: 0, stdout, stderr: '' });
    const graph = await runSvc(['graph', 'main.svc'], { cwd: folder.path, env });
    expect(graph.stdout).toContain('Visit(count=2)');
  });
}
