/** Contract of applications with their users, whichever store they are configured with, through real processes. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { killInRounds } from '../harness/kill-rounds.ts';
import { copyApp, post, register, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { workerPids } from '../harness/worker-pids.ts';

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

export function describeTwoWorkers(envFor: ServedStore['envFor']): void {
  const app = createApps();

  test('100 parallel increments over two workers give 100, 60 find-or-create give one', async () => {
    const folder = app('test/wire/app');
    const env = { ...envFor('workers'), SVC_SERVE_CONFLICT_MAX_ATTEMPTS: '100' };
    await using server = await startServer({ folder, env, args: ['--workers', '2'] });
    expect(workerPids(server.child.pid!)).toHaveLength(2);
    const { token } = await register(server.base, 'ada');
    const bump = (name: string) => post(server.base, '/walker/Bump', { name }, token);
    const first = await Promise.all(Array.from({ length: 60 }, () => bump('created')));
    expect(first.filter((answer) => !answer.ok)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 100 }, () => bump('hits')));
    expect(answers.filter((answer) => !answer.ok)).toEqual([]);
    const [counters] = (await post(server.base, '/walker/Counters', {}, token)).reports;
    expect(counters.map(({ name, value }: any) => [name, value])).toEqual([
      ['created', 60],
      ['hits', 100],
    ]);
  });
}

/** Database of a test alone. */
export interface OwnDatabase {
  readonly env: Record<string, string>;
  readonly server: AsyncDisposable & {
    kill(): Promise<void>;
    start(): Promise<void>;
    /** Stops answering without closing anything. */
    pause(): void;
    resume(): void;
  };
}

export function describeOutage(open: () => Promise<OwnDatabase>): void {
  const app = createApps();

  test('a database that is killed or stops answering is answered 503 and served again when it is back', async () => {
    const { server: database, env } = await open();
    await using _ = database;
    const folder = app('examples/todo');
    await using server = await startServer({ folder, env: { SVC_DATABASE_CONNECT_TIMEOUT_MS: '1000', ...env } });
    const { token } = await register(server.base, 'cleo');
    const add = (title: string) => post(server.base, '/walker/AddTask', { title }, token);
    const list = () => post(server.base, '/walker/ListTasks', undefined, token, 'GET');
    expect((await add('one')).ok).toBe(true);
    const unavailable = { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } };
    const isReady = async () => (await fetch(`${server.base}/healthz/ready`)).status === 200;

    await database.kill();
    expect(await add('two')).toMatchObject(unavailable);
    expect(await isReady()).toBe(false);
    await database.start();
    await until(async () => (await add('three')).ok);
    await until(isReady);

    database.pause();
    expect(await list()).toMatchObject(unavailable);
    database.resume();
    await until(async () => (await list()).ok);
    expect(await titles(server.base, token)).toEqual(['one', 'three']);
    expect(server.output()).not.toContain('    at ');
  });
}

/** Asks again until the answer is yes; the test's own time limit ends it otherwise. */
export async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
