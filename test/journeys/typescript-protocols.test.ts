/** Walkers and functions in TypeScript behind the other protocols: sockets and webhooks. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `import { connect, def, entry, has, int, Node, node, outgoing, param, request, Root, str, Walker, walker } from 'svc-scale';

@node
class Line extends has(Node, { text: str() }) {}

/** Says to everybody what one says. */
@walker({ access: 'pub', protocol: 'WEBSOCKET', broadcast: true })
export class Chat extends has(Walker<string>, { text: str(), times: int(1) }) {
  @entry(Root)
  say() {
    for (let i = 0; i < this.times; i++) this.report(this.text.toUpperCase());
  }
}

@walker({ protocol: 'WEBSOCKET' })
export class Note extends has(Walker<number>, { text: str() }) {
  @entry(Root)
  async keep(here: Root) {
    connect(here, new Line({ text: this.text }));
    this.report((await outgoing(here, Line)).length);
  }
}

export const double = def(
  'double',
  { access: 'pub', protocol: 'WEBSOCKET', params: [param('n', int())], returns: int() },
  (n: number) => n * 2,
);

/** Webhook that the shop's payments are told through. */
@walker({ protocol: 'WEBHOOK' })
export class Paid extends has(Walker<string>, { id: str(), amount: int(0) }) {
  @entry(Root)
  async keep(here: Root) {
    connect(here, new Line({ text: this.id }));
    this.report(this.id + ' ' + this.amount + ' of ' + (await outgoing(here, Line)).length);
  }
}

@walker({ protocol: 'WEBHOOK', verify: 'github', secret: '\${HOOK}' })
export class Pushed extends has(Walker<unknown>, { action: str('') }) {
  @entry(Root)
  tell() {
    const { headers, body, path } = request();
    this.report([this.action, headers.get('x-github-delivery'), body.length, path]);
  }
}
`;

interface Client {
  readonly socket: WebSocket;
  send(message: unknown): void;
  /** The next frame that is not about the connection itself. */
  next(): Promise<any>;
}

async function open(base: string, path: string): Promise<Client> {
  const socket = new WebSocket(base.replace('http', 'ws') + path);
  const frames: any[] = [];
  const waiting: ((frame: any) => void)[] = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    const wait = waiting.shift();
    if (wait === undefined) frames.push(frame);
    else wait(frame);
  });
  await once(socket, 'open');
  return {
    socket,
    send: (message) => socket.send(JSON.stringify(message)),
    next: () => (frames.length > 0 ? Promise.resolve(frames.shift()) : new Promise((done) => waiting.push(done))),
  };
}

test('over sockets: broadcast, private graphs, functions, mistakes', async () => {
  using folder = folderWith({ 'app.ts': app });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const [one, two] = [await open(server.base, '/ws/Chat'), await open(server.base, '/ws/Chat')];
  one.send({ text: 'hi', times: 2 });
  for (const client of [one, two]) expect((await client.next()).data.reports).toEqual(['HI', 'HI']);
  two.send({ times: 'x' });
  expect((await two.next()).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  two.send({ text: 'still there' });
  for (const client of [one, two]) expect((await client.next()).data.reports).toEqual(['STILL THERE']);

  const { token } = await register(server.base, 'ada');
  const { token: other } = await register(server.base, 'bob');
  const ada = await open(server.base, `/ws/Note?token=${token}`);
  const bob = await open(server.base, `/ws/Note?token=${other}`);
  ada.send({ text: 'a' });
  expect((await ada.next()).data.reports).toEqual([1]);
  ada.send({ text: 'b' });
  expect((await ada.next()).data.reports).toEqual([2]);
  bob.send({ text: 'c' });
  expect((await bob.next()).data.reports).toEqual([1]);

  const calls = await open(server.base, '/ws/function/double');
  calls.send({ n: 21 });
  expect((await calls.next()).data.result).toBe(42);
  for (const { socket } of [one, two, ada, bob, calls]) socket.terminate();
  const plain = await fetch(`${server.base}/walker/Chat`, { method: 'POST', body: '{}' });
  expect(plain.status).toBe(404);
});

test('by webhook calls: signed ones reach the walker of the key’s owner', async () => {
  using folder = folderWith({ 'app.ts': app });
  const secret = 'between GitHub and us';
  await using server = await startServer({ folder: folder.path, entry: 'app.ts', env: { HOOK: secret } });
  const { token } = await register(server.base, 'ada');
  const created = await fetch(`${server.base}/api-key/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"name": "k"}',
  });
  const { api_key, signing_secret } = (await created.json()) as { api_key: string; signing_secret: string };
  const send = async (data: string, ...more: string[]) => {
    const env = { SVC_API_KEY: api_key, SVC_SIGNING_SECRET: signing_secret };
    const args = ['webhook', 'send', 'Paid', '--url', server.base, '-d', data, '--json', ...more];
    const { stdout } = await runSvc(args, { cwd: folder.path, env });
    return JSON.parse(stdout);
  };
  expect(await send('{"id": "p1", "amount": 7}')).toMatchObject({ status: 200, body: { reports: ['p1 7 of 1'] } });
  expect(await send('{"id": "p2"}', '--scheme', 'standard')).toMatchObject({ body: { reports: ['p2 0 of 2'] } });
  expect(await send('{"amount": 1}')).toMatchObject({ status: 422 });
  expect(await send('{"id": "p3"}', '--key', 'svck_wrong')).toMatchObject({ status: 401 });
  const args = ['webhook', 'send', 'Pushed', '--url', server.base, '-d', '{"action": "a"}', '--json', '--id', 'd-1'];
  const pushed = await runSvc([...args, '--scheme', 'github', '--secret', secret], { cwd: folder.path });
  expect(JSON.parse(pushed.stdout).body.reports).toEqual([['a', 'd-1', 15, '/webhook/Pushed']]);
  const unsigned = await fetch(`${server.base}/webhook/Paid`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': api_key },
    body: '{"id": "p4"}',
  });
  expect(unsigned.status).toBe(401);
  const description: any = await (await fetch(`${server.base}/openapi.json`)).json();
  expect(JSON.stringify(description.paths['/webhook/Paid'])).toContain('payments are told through');
});
