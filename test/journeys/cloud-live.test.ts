/**
 * Live subscriptions and topics where no process holds connections (docs/server/cloud.md#live): `svc start --emulate`, its tables in memory and
 * in DynamoDB; and archives of functions under their own runtime client.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDynamo } from '../harness/dynamo-server.ts';
import { LiveClient, type LiveFrame } from '../harness/live-client.ts';
import { serveFunctions } from '../harness/platforms/function-server.ts';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { hear, post, signUp } from '../harness/topics.ts';

const program = `import from svc_scale { publish, subscribe, unsubscribe }

node Note { has text: str; }
node Board { has title: str; }

walker Add { has text: str; can add with Root entry { here ++> Note(text=self.text); } }
walker Notes { can go with Root entry { for note in [-->[?:Note]] { report note.text; } } }
walker Many { has count: int; can go with Root entry { for i in range(self.count) { here ++> Note(text=f"note {i}"); } } }
walker Change { has text: str; can go with Root entry { for note in [-->[?:Note]] { note.text = self.text; } } }
walker Slip { can go with Root entry { report 1; here ++> Note(text="no"); } }
walker Big { has size: int; can go with Root entry { report "x" * self.size; } }
walker:pub Free { has n: int = 0; can go with Root entry { report self.n; } }

walker Open { has title: str; can go with Root entry { report oid((here ++> Board(title=self.title))[0]); } }
walker Share { has board: str, who: str, gives: bool; can go with Root entry {
    for board in [-->[?:Board]] { if self.gives { perm_grant(board, READ); } else { perm_revoke(board); } }
} }
walker Rename { has title: str; can go with Root entry { for board in [-->[?:Board]] { board.title = self.title; } } }
walker See { can go with Board entry { report here.title; } }

walker:pub Count { can go with Root entry { report len([-->[?:Note]]); } }

walker:pub Listen { has topic: str; can go with Root entry { subscribe(self.topic); report "in"; } }
walker:pub Say { has topic: str, text: any, times: int = 1; can go with Root entry {
    for i in range(self.times) { publish(self.topic, self.text if self.times == 1 else i); }
} }
walker:pub Expel { has topic: str, who: str; can go with Root entry { unsubscribe(self.topic, root_id=self.who); publish(self.topic, "expelled"); } }

@restspec(protocol="WEBSOCKET")
async walker:pub Room {
    has join: list[str] = [], leave: list[str] = [], say: list[any] = [], fails: bool = False;
    can act with Root entry {
        for topic in self.join { subscribe(topic); }
        if len(self.say) > 0 { for text in self.say[1:] { publish(self.say[0], text); } }
        for topic in self.leave { unsubscribe(topic); }
        if self.fails { raise ValueError("no"); }
    }
}
@restspec(protocol="WEBSOCKET")
async walker Club { has join: list[str] = []; can act with Root entry { for topic in self.join { subscribe(topic); } report oid(root); } }
`;

const settings = `[project]
name = "live"
[plugins.scale.live]
topic_buffer_messages = 5
max_topics_per_connection = 3
max_per_connection = 4
`;

const deployed = {
  SVC_ENV: 'test',
  SVC_DATABASE_STORE: 'dynamodb',
  SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'live-',
  SVC_SECRETS_PATH: '',
  JWT_SECRET: 'x'.repeat(64),
};

const ways = {
  async 'tables in memory'(folder: string) {
    const server = await startServer({ folder, args: ['--emulate'] });
    return { server, end: async () => void (await server.stop()) };
  },
  async 'archives behind a gateway, streams call their function'(folder: string) {
    const server = await serveFunctions({ folder, env: deployed, format: 'http-api' });
    return { server, end: server.stop };
  },
  async 'tables in DynamoDB'(folder: string) {
    const dynamo = await startDynamo();
    const env = { SVC_DATABASE_STORE: 'dynamodb', SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo.endpoint };
    const server = await startServer({ folder, args: ['--emulate'], env });
    return {
      server,
      async end() {
        await server.stop();
        await dynamo.stop();
      },
    };
  },
};

describe.each(Object.entries(ways))('%s', (_name, start) => {
  const folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
  let opened: Awaited<ReturnType<typeof start>>;
  let server: Pick<RunningServer, 'base' | 'port'>;
  let users = 0;
  beforeAll(async () => {
    opened = await start(folder.path);
    server = opened.server;
  });
  afterAll(async () => {
    await opened.end();
    folder[Symbol.dispose]();
  });
  const account = () => signUp(server, `user${++users}@example.com`);
  const call = async (name: string, fields: object, token?: string) => {
    const { status, body } = await post(server, `/walker/${name}`, fields, token);
    expect([status, body.error]).toEqual([200, null]);
    return body.reports;
  };

  test('a value follows commits of its own user, with versions, and nobody else hears of it', async () => {
    const [ada, bob] = [await account(), await account()];
    const [a, b] = [await LiveClient.open(server.base, ada), await LiveClient.open(server.base, bob)];
    a.subscribe('n', 'Notes');
    b.subscribe(7, 'Notes');
    expect(await a.of('n')).toMatchObject({ type: 'result', version: 1, data: { reports: [] } });
    expect(await b.of(7)).toMatchObject({ type: 'result', version: 1, data: { reports: [] } });
    await call('Add', { text: 'milk' }, ada);
    const second = await a.until('n', ['milk']);
    expect(second.version).toBe(2);
    await call('Change', { text: 'tea' }, ada);
    expect((await a.until('n', ['tea'])).version).toBe(3);
    // The same value again is not sent.
    await call('Change', { text: 'tea' }, ada);
    await call('Add', { text: 'sugar' }, ada);
    expect((await a.until('n', ['tea', 'sugar'])).version).toBe(4);
    expect(b.raw.join('')).not.toMatch(/milk|tea|sugar/);
    expect(b.frames).toHaveLength(1);
    a.close();
    b.close();
  });

  test('who comes back says what it has: the same is not sent, another value has a higher version', async () => {
    const ada = await account();
    await call('Add', { text: 'one' }, ada);
    const first = await LiveClient.open(server.base, ada);
    first.subscribe('n', 'Notes');
    const { version, digest } = await first.of('n');
    first.close();
    const same = await LiveClient.open(server.base, ada);
    same.subscribe('n', 'Notes', { have: { version: 41, digest } });
    same.say({ type: 'ping' });
    expect((await same.next()).type).toBe('pong');
    await call('Add', { text: 'two' }, ada);
    expect(await same.until('n', ['one', 'two'])).toMatchObject({ version: 42 });
    same.close();
    const other = await LiveClient.open(server.base, ada);
    other.subscribe('n', 'Notes', { have: { version, digest } });
    expect(await other.of('n')).toMatchObject({ version: version! + 1, data: { reports: ['one', 'two'] } });
    other.close();
  });

  test('a patch comes where it is small, to those who take patches', async () => {
    const ada = await account();
    await call('Many', { count: 40 }, ada);
    const [patched, whole] = [await LiveClient.open(server.base, ada), await LiveClient.open(server.base, ada)];
    patched.subscribe('n', 'Notes', { patch: true });
    whole.subscribe('n', 'Notes');
    await Promise.all([patched.of('n'), whole.of('n')]);
    await call('Add', { text: 'last' }, ada);
    expect(await patched.of('n')).toMatchObject({
      ...{ type: 'patch', version: 2, base: 1 },
      ops: [{ op: 'add', path: '/reports/40', value: 'last' }],
    });
    expect(await whole.of('n')).toMatchObject({ type: 'result', version: 2 });
    patched.close();
    whole.close();
  });

  test('what writes, is too large, is unknown or too many is refused; ids are used once and may be freed', async () => {
    const ada = await account();
    const client = await LiveClient.open(server.base, ada);
    const refused = async (id: string) => {
      const { type, error, final } = await client.of(id);
      return [type, error?.code, final];
    };
    client.subscribe('a', 'Slip');
    expect(await refused('a')).toEqual(['error', 'NOT_READ_ONLY', true]);
    expect(await call('Notes', {}, ada)).toEqual([]);
    client.subscribe('a', 'Big', { fields: { size: 140_000 } });
    expect(await refused('a')).toEqual(['error', 'LIMIT_REACHED', true]);
    client.subscribe('a', 'Nothing');
    expect(await refused('a')).toEqual(['error', 'NOT_FOUND', true]);
    client.subscribe('a', 'Big', { fields: { size: 100_000 } });
    expect(await client.of('a')).toMatchObject({ type: 'result' });
    client.subscribe('a', 'Notes');
    expect(await refused('a')).toEqual(['error', 'VALIDATION_ERROR', false]);
    client.say({
      type: 'subscribe',
      all: ['b', 'c', 'd', 'e'].map((id) => ({ id, walker: 'Free', fields: { n: 1 } })),
    });
    expect(await refused('e')).toEqual(['error', 'LIMIT_REACHED', true]);
    client.say({ type: 'unsubscribe', id: 'a' });
    // The gateway hands on messages of a connection side by side, so that the place need not be free at once.
    const again = async () => {
      // More often, and the rate of messages is over: what is dropped for it has no id.
      await new Promise((resolve) => setTimeout(resolve, 100));
      client.subscribe('e', 'Free');
      return await client.of('e');
    };
    let frame = await again();
    while (frame.error?.code === 'LIMIT_REACHED') frame = await again();
    expect(frame.type).toBe('result');
    client.close();
  });

  test('a guest signs in, its subscriptions run again; logout and another one’s token end the connection', async () => {
    const [ada, bob] = [await account(), await account()];
    await call('Add', { text: 'mine' }, ada);
    const client = await LiveClient.open(server.base);
    client.subscribe('count', 'Count');
    expect(await client.of('count')).toMatchObject({ version: 1, data: { reports: [0] } });
    client.subscribe('free', 'Free');
    expect((await client.of('free')).data?.reports).toEqual([0]);
    client.subscribe('n', 'Notes');
    expect(await client.of('n')).toMatchObject({ type: 'error', error: { code: 'UNAUTHORIZED' }, final: true });
    client.say({ type: 'token', token: ada });
    expect(await client.of('count')).toMatchObject({ version: 2, data: { reports: [1] } });
    client.subscribe('n', 'Notes');
    await client.until('n', ['mine']);
    expect(client.frames.filter(({ id }) => id === 'free')).toHaveLength(1);
    // The gateway hands on frames of a connection side by side: what subscribes may say itself who it is for.
    const page = await LiveClient.open(server.base);
    page.say({ type: 'subscribe', all: [{ id: 'n', walker: 'Notes' }], token: ada });
    page.say({ type: 'token', token: ada });
    expect(await page.of('n')).toMatchObject({ type: 'result', version: 1, data: { reports: ['mine'] } });
    page.say({ type: 'subscribe', id: 'm', walker: 'Notes', token: bob });
    expect(await page.next()).toMatchObject({ error: { code: 'UNAUTHORIZED', reason: 'identity_mismatch' } });
    const other = await LiveClient.open(server.base, ada);
    other.say({ type: 'token', token: bob });
    expect(await other.next()).toMatchObject({ error: { code: 'UNAUTHORIZED', reason: 'identity_mismatch' } });
    await other.closed;
    await post(server, '/user/logout', {}, ada);
    expect(await client.next(({ type }) => type === 'error')).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    await client.closed;
  });

  test('a right that is taken away shows in the next frame', async () => {
    const [ada, bob] = [await account(), await account()];
    const [board] = await call('Open', { title: 'plans' }, ada);
    await call('Share', { board, who: '', gives: true }, ada);
    const client = await LiveClient.open(server.base, bob);
    client.subscribe('s', 'See', { node: board });
    await client.until('s', ['plans']);
    await call('Rename', { title: 'more plans' }, ada);
    await client.until('s', ['more plans']);
    await call('Share', { board, who: '', gives: false }, ada);
    expect(await client.of('s')).toMatchObject({ type: 'error', error: { code: 'NODE_NOT_FOUND' }, final: true });
    await call('Rename', { title: 'secret' }, ada);
    client.say({ type: 'ping' });
    await client.next(({ type }) => type === 'pong');
    expect(client.raw.join('')).not.toContain('secret');
    client.close();
  });

  test('messages of topics: one order, a unit together, none of a failed call; who joined and greeted hears it', async () => {
    const [a, b] = [await hear(server), await hear(server)];
    await a.ask({ join: ['t1'], say: ['t1', 'hello'] });
    await b.ask({ join: ['t1'] });
    await b.ask({ say: ['t1', 'no'], fails: true });
    await Promise.all([
      call('Say', { topic: 't1', text: '', times: 3 }),
      call('Say', { topic: 't1', text: '', times: 3 }),
      b.ask({ say: ['t1', 'x', 'y'] }),
    ]);
    await a.until(9);
    await b.until(8);
    expect(a.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(a.messages[0]).toEqual({ type: 'message', topic: 't1', seq: 1, data: 'hello' });
    expect(b.messages).toEqual(a.messages.slice(1));
    const said = JSON.stringify(a.messages.map(({ data }) => data));
    expect(said.match(/0,1,2/g)).toHaveLength(2);
    expect(said).toContain('"x","y"');
    await b.ask({ leave: ['t1'] });
    await a.ask({ say: ['t1', 'after'] });
    await a.until(10);
    expect(b.messages).toHaveLength(8);
    for (const { socket } of [a, b]) socket.terminate();
  });

  test('who comes back is sent what is kept, after a gap for what is not', async () => {
    await call('Say', { topic: 't2', text: '', times: 8 });
    const a = await hear(server);
    await a.ask({ join: ['t2'], $since: { t2: 1 } });
    await call('Say', { topic: 't2', text: 'now' });
    await a.until(7);
    expect(a.messages[0]).toEqual({ type: 'gap', topic: 't2', from: 2, to: 3 });
    expect(a.messages.slice(1).map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9]);
    const b = await hear(server);
    await b.ask({ join: ['t2'], $since: { t2: 100 } });
    await b.until(1);
    expect(b.messages).toEqual([{ type: 'gap', topic: 't2', from: 1, to: 9 }]);
    const live = await LiveClient.open(server.base);
    live.subscribe('l', 'Listen', { fields: { topic: 't2' }, since: { t2: 7 } });
    expect((await live.next()).seq).toBe(8);
    expect(await live.next()).toEqual({ type: 'message', topic: 't2', seq: 9, data: 'now', id: 'l' });
    expect((await live.of('l')).data?.reports).toEqual(['in']);
    await call('Say', { topic: 't2', text: 'then' });
    expect((await live.of('l')).seq).toBe(10);
    live.say({ type: 'unsubscribe', id: 'l' });
    // Frames are handed on side by side: it is done when the id is free.
    for (let isFree = false; !isFree; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      live.subscribe('l', 'Free');
      isFree = (await live.of('l')).type === 'result';
    }
    await call('Say', { topic: 't2', text: 'more' });
    await b.until(3);
    live.say({ type: 'ping' });
    expect((await live.next()).type).toBe('pong');
    for (const { socket } of [a, b, live]) socket.terminate();
  });

  test('nobody is skipped or told twice who resumes while others send', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => hear(server)));
    const sends = Array.from({ length: 5 }, () => call('Say', { topic: 't3', text: 'a' }));
    await Promise.all(all.map((one) => one.ask({ join: ['t3'], $since: { t3: 0 } })));
    await Promise.all(sends);
    for (const one of all) {
      await one.until(5);
      expect(one.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
      one.socket.terminate();
    }
  });

  test('who is expelled hears nothing more, on any connection', async () => {
    const [ada, bob] = [await account(), await account()];
    const [a, b] = [
      await hear(server, { path: '/ws/Club', token: ada }),
      await hear(server, { path: '/ws/Club', token: bob }),
    ];
    const who = (await a.ask({ join: ['t4'] })).data.reports[0];
    await b.ask({ join: ['t4'] });
    await call('Say', { topic: 't4', text: 'both' });
    await Promise.all([a.until(1), b.until(1)]);
    await call('Expel', { topic: 't4', who });
    await b.until(2);
    await call('Say', { topic: 't4', text: 'one' });
    await b.until(3);
    expect(a.messages.map(({ data }) => data)).toEqual(['both']);
    for (const { socket } of [a, b]) socket.terminate();
  });
});

/** Each has functions of its own, and waits until the turn of one that was killed is over. */
describe.concurrent('functions that are killed', { timeout: 300_000 }, () => {
  test('a function that is killed between a commit and its frames is called again: nothing is lost', async () => {
    using folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
    await using server = await serveFunctions({ folder: folder.path, env: deployed, format: 'http-api' });
    const ada = await signUp(server, 'ada@example.com');
    const client = await LiveClient.open(server.base, ada);
    client.subscribe('n', 'Notes');
    client.subscribe('l', 'Listen', { fields: { topic: 't' } });
    await client.next(({ id }) => id === 'n');
    await client.next(({ id }) => id === 'l');
    let kills = 0;
    server.gateway.onPost = () => {
      if (kills === 1) return true;
      kills++;
      void server.kill('live');
      return false;
    };
    await post(server, '/walker/Add', { text: 'milk' }, ada);
    expect((await client.until('n', ['milk'])).version).toBe(2);
    kills = 0;
    for (const text of ['one', 'two']) await post(server, '/walker/Say', { topic: 't', text });
    const seqs = new Set<number>();
    while (seqs.size < 2) seqs.add((await client.next(({ type }) => type === 'message')).seq as number);
    expect([...seqs]).toEqual([1, 2]);
    expect(server.failed).toBeGreaterThan(0);
    client.close();
  });

  test('a function that is killed while it sends values: no other value gets a number that somebody has', async () => {
    using folder = folderWith({ 'main.svc': program, 'svc.toml': `${settings}run_timeout_seconds = 1\n` });
    await using server = await serveFunctions({ folder: folder.path, env: deployed, format: 'http-api' });
    const ada = await signUp(server, 'ada@example.com');
    let kills = 0;
    const killAtFirst = (name: string) => () => {
      server.gateway.onPost = undefined;
      kills++;
      void server.kill(name);
      return true;
    };
    const clients = [await LiveClient.open(server.base, ada), await LiveClient.open(server.base, ada)];
    server.gateway.onPost = killAtFirst('websocket');
    clients[0]!.subscribe('n', 'Notes');
    await clients[0]!.until('n', []);
    clients[1]!.subscribe('n', 'Notes');
    await post(server, '/walker/Add', { text: 'milk' }, ada);
    await Promise.all(clients.map((client) => client.until('n', ['milk'])));
    server.gateway.onPost = killAtFirst('live');
    await post(server, '/walker/Add', { text: 'bread' }, ada);
    await Promise.any(clients.map((client) => client.until('n', ['milk', 'bread'])));
    await post(server, '/walker/Add', { text: 'salt' }, ada);
    await Promise.all(clients.map((client) => client.until('n', ['milk', 'bread', 'salt'])));
    expect(kills).toBe(2);
    for (const { frames } of clients) {
      const results = frames.filter(({ type }) => type === 'result');
      for (const [i, { version, digest }] of results.entries())
        for (const before of results.slice(0, i)) {
          expect(version!).toBeGreaterThanOrEqual(before.version!);
          if (version === before.version) expect(digest).toBe(before.digest);
        }
    }
    for (const client of clients) client.close();
  });

  test('what is secret, and what people keep, is in no line of any function, also where work fails', async () => {
    const failing = `
walker Broken { can go with Root entry { report [1][len([-->[?:Note]])]; } }
`;
    const told = `${settings}[plugins.scale.logging]\nlevel = "debug"\n`;
    using folder = folderWith({ 'main.svc': program + failing, 'svc.toml': told });
    const env = {
      ...deployed,
      SVC_ENV: 'production',
      JWT_SECRET: 'canary-of-the-key-0123456789abcdef0123456789',
      WEBHOOK_SECRET: 'canary-of-webhooks-0123456789abcdef',
      STRIPE_KEY: 'canary-of-a-setting',
      AWS_SECRET_ACCESS_KEY: 'canary-of-the-account',
      AWS_SESSION_TOKEN: 'canary-of-the-session',
    };
    await using server = await serveFunctions({ folder: folder.path, env, format: 'http-api' });
    const ada = await signUp(server, 'ada@example.com');
    const client = await LiveClient.open(server.base, ada);
    client.subscribe('n', 'Notes');
    client.subscribe('c', 'Broken');
    client.subscribe('l', 'Listen', { fields: { topic: 'canary-topic' } });
    const seen = async (fits: (frame: LiveFrame) => boolean) => {
      while (!client.frames.some(fits)) await sleep(20);
    };
    for (const id of ['n', 'c', 'l']) await seen((frame) => frame.id === id);
    // A function that is killed while it sends, a run that raises, changes that nobody can read, a token of nobody.
    let kills = 0;
    server.gateway.onPost = () => {
      if (kills++ > 0) return true;
      void server.kill('live');
      return false;
    };
    await post(server, '/walker/Add', { text: 'canary-of-a-note' }, ada);
    await seen(({ id, data }) => id === 'n' && data?.reports[0] === 'canary-of-a-note');
    await seen(({ id, error }) => id === 'c' && error?.code === 'EXECUTION_ERROR');
    await post(server, '/walker/Say', { topic: 'canary-topic', text: 'canary-of-a-message' });
    await seen(({ type }) => type === 'message');
    const odd = { pk: { S: 'N#canary-of-a-key' }, sk: { S: 'A' } };
    const record = {
      eventName: 'MODIFY',
      eventSourceARN: 'arn:x',
      dynamodb: { Keys: odd, NewImage: { data: 'canary-image' } },
    };
    await server.invoke('live', { Records: [record] }).catch(() => {});
    await server.invoke('live', { Records: [{ dynamodb: 'canary-of-no-record' }] }).catch(() => {});
    await server.invoke('live', { source: 'aws.events' });
    await server.invoke('sweeper', { source: 'aws.events' });
    const other = await LiveClient.open(server.base, `${ada.slice(0, -4)}aaaa`).catch(() => undefined);
    other?.close();
    client.close();
    const lines = Object.fromEntries(
      await Promise.all(
        ['http', 'websocket', 'live', 'sweeper'].map(async (name) => [name, await server.output(name)] as const),
      ),
    );
    expect(kills).toBeGreaterThan(0);
    expect(lines['live']).toContain('IndexError');
    for (const [name, text] of Object.entries(lines)) {
      expect(text, name).not.toMatch(/canary|correct horse/);
      expect(text.includes(ada.split('.')[2]!), name).toBe(false);
    }
  });
});
