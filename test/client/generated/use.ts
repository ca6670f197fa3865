/** An application that uses everything of a generated client; `tell` gets what it saw. It knows the program by its types alone. */
import { ApiError, type Client, Lane, type Task } from './api.js';

export async function use(api: Client, name: string, tell: (line: string) => void): Promise<void> {
  const told = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    tell(`${error.status} ${error.code}: ${error.message}${error.hint === undefined ? '' : ' (with a hint)'}`);
  };

  // Without a token.
  await api.walkers.AddTask({ title: 'milk' }).catch(told);
  await api.login(name, 'wrong password').catch(told);

  // Signing in.
  const account = await api.register(name, 'correct horse 1');
  tell(`registered ${account.email}, ${api.token === null ? 'no token' : 'signed in'}`);
  await api.logout();
  tell(`signed out: ${api.token}`);
  await api.login(name, 'correct horse 1');
  const before = api.token;
  const next = await api.refresh();
  tell(`refreshed: ${next !== before && api.token === next}`);
  tell(`me: ${(await api.me()).email}`);

  // Walkers, nodes, enumerations, objects, sets.
  const { reports, result } = await api.walkers.AddTask({
    title: 'milk',
    lane: Lane.DONE,
    tags: new Set(['shop']),
    place: { city: 'Ulm' },
  });
  const milk: Task = reports[0]!;
  const tag: string | undefined = milk.tags[0];
  tell(`${milk.title} ${milk.lane} ${tag} ${milk.place?.city} ${milk.place?.zip} ${result.title}`);
  await api.walkers.AddTask({ title: 'bread' });
  tell(`all: ${(await api.walkers.ListTasks()).reports.map(({ title }) => title)}`);
  tell(`done: ${(await api.walkers.ListTasks({ lane: 'done' })).reports.map(({ title }) => title)}`);
  tell(`renamed: ${(await api.walkers.Rename.on(milk, { title: 'oat milk' })).reports[0]?.title}`);
  tell(`by its id: ${(await api.walkers.Rename.on(milk._svc_id, { title: 'milk' })).reports[0]?.title}`);
  await api.walkers.AddTask({ title: '' }).catch(told);
  // @ts-expect-error: the field is called `title`
  await api.walkers.AddTask({ titel: 'milk' }).catch(told);
  // @ts-expect-error: the enumeration has no such member
  await api.walkers.ListTasks({ lane: 'never' }).catch(told);
  // @ts-expect-error: tasks have no such field, and its private one is not in answers
  tell(`private: ${milk.secret}`);
  await api.walkers.Rename.on('0'.repeat(31).concat('9'), { title: 'x' }).catch(told);

  // Other methods, paths and queries; files.
  const page = (await api.walkers.Page({ page: 3, q: 'a b', ids: [1, 2] })).reports[0]!;
  tell(`page ${page.page}, q ${page.q}, ids ${page.ids}`);
  const upload = { file: new File(['abc'], 'a.txt'), note: 'n' };
  tell(`upload ${JSON.stringify((await api.walkers.Upload(upload)).reports[0])}`);

  // Functions.
  tell(`add ${await api.functions.add({ a: 1 })} ${await api.functions.add({ a: 1, b: 5 })}`);
  tell(`owner ${await api.functions.owner({ task: milk })}`);
  tell(`raw ${await api.functions.raw({ name: 'Ada' })}`);
  await api.functions.fails().catch(told);

  // Streams.
  const seen: number[] = [];
  for await (const value of api.walkers.Count({ to: 4 })) seen.push(value);
  tell(`stream ${seen}`);
  for await (const value of api.walkers.Count({ to: 1_000_000 })) if (value === 2) break;
  try {
    for await (const value of api.functions.numbers({ n: 5 })) tell(`number ${value}`);
  } catch (error) {
    told(error);
  }

  // Keys.
  const key = await api.keys.create({ name: 'robot', scopes: ['call'], allowed_walkers: ['ListTasks'] });
  tell(`key ${key.api_key.startsWith('svck_')} ${(await api.keys.list()).map((one) => one.name)}`);
  await api.keys.revoke(key.api_key_id);
  tell(`keys ${(await api.keys.list()).length}`);

  // Calls that are given up.
  const ending = new AbortController();
  ending.abort();
  await api.walkers.ListTasks({}, { signal: ending.signal }).catch(told);

  // Sockets.
  await new Promise<void>((done) => {
    const shout = api.sockets.Shout({
      onMessage: ({ reports: [text] }) => {
        tell(`shouted ${text}`);
        shout.close();
        done();
      },
    });
    shout.send({ text: 'hello' });
  });

  // Values that follow the server.
  await new Promise<void>((done) => {
    let values = 0;
    const stop = api.live.ListTasks({}, ({ reports: tasks }) => {
      values += 1;
      const titles: string[] = tasks.map(({ title }) => title);
      tell(`live ${titles}`);
      if (values === 1) void api.walkers.AddTask({ title: 'eggs' });
      else done(stop());
    });
  });
  await new Promise<void>((done) => {
    api.live.add({ a: 1, b: 2 }, { onValue: (sum) => done(tell(`live sum ${sum.toFixed(1)}`)) });
  });
  await new Promise<void>((done) => {
    // @ts-expect-error: every walk of it writes.
    api.live.AddTask(
      { title: 'written' },
      {
        onValue: () => tell('it wrote'),
        onError: (error: ApiError, isFinal: boolean) => done(tell(`${error.code}, final: ${isFinal}`)),
      },
    );
  });
}
