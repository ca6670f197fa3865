/** Topics as programs use them: entry blocks, tests, runs that are repeated, sessions that end, TypeScript, the page (docs/server/topics.md). */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { hear, post, signUp, topicsApp } from '../harness/topics.ts';

const secret = 'a secret of the tests that is long enough';
const settings = '[plugins.scale.jwt]\nleeway_seconds = 1\n[plugins.scale.metrics]\nenabled = true\n';

test('after the commit, once: entry blocks, repeated runs, effects, explicit commits', {
  timeout: 60_000,
}, async () => {
  using folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, args: ['--workers', '2'] });
  const ada = await hear(server);
  await ada.ask({ join: ['boot', 'count', 'steps'], $since: { boot: 0 } });
  await ada.until(2); // each worker runs the entry block
  expect(ada.messages.map(({ seq, data }) => [seq, data])).toEqual([
    [1, 'entry'],
    [2, 'entry'],
  ]);
  // Calls that happen to come one after the other are not repeated: they are sent again until some have been.
  let [sent, replays] = [0, 0];
  while (replays === 0 && sent < 2000) {
    await Promise.all(Array.from({ length: 40 }, () => post(server, '/walker/Count', {})));
    sent += 40;
    const metrics = await (await fetch(`${server.base}/metrics`)).text();
    replays = Number(/^svc_scale_replays_total (\d+)$/m.exec(metrics)![1]);
  }
  expect(replays).toBeGreaterThan(0);
  await ada.until(2 + sent);
  const counted = ada.messages.slice(2);
  expect(counted.map(({ seq }) => seq)).toEqual(Array.from({ length: sent }, (_, i) => i + 1));
  expect(counted.map(({ data }) => data).sort((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, i) => i + 1));
  expect((await post(server, '/walker/Steps', {})).status).toBe(500);
  await ada.until(sent + 4);
  await ada.ask({});
  expect(ada.messages.slice(sent + 2).map(({ data }) => data)).toEqual(['effect', 'first']);
});

test('svc run and svc test: messages go nowhere, subscribing is an error', async () => {
  const main = `import from svc_scale { publish, subscribe, unsubscribe }

with entry {
    publish("a", {"n": 1});
    try { subscribe("a"); } except RuntimeError as e { print("no", str(e)[:11]); }
    try { unsubscribe("a"); } except RuntimeError as e { print("no", str(e)[:13]); }
    unsubscribe("a", root_id=oid(root));
    for bad in ["", "é" * 101] { try { publish(bad, 1); } except ValueError as e { print(e); } }
    try { publish(1, 1); } except TypeError as e { print(e); }
    try { unsubscribe("a", root_id="x"); } except ValueError as e { print(e); }
}

test "publishes" { publish("a", 1); assert True; }
`;
  using folder = folderWith({ 'main.svc': main });
  const ran = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder.path });
  expect([ran.code, ran.stdout.split('\n')]).toEqual([
    0,
    [
      'no subscribe()',
      'no unsubscribe()',
      'topic must not be empty',
      'topic must have at most 200 bytes',
      "topic must be str, not 'int'",
      'root_id must be the id of a root',
      '',
    ],
  ]);
  expect((await runSvc(['check', 'main.svc'], { cwd: folder.path })).stdout).toContain('no problems');
  expect(await runSvc(['test', 'main.svc'], { cwd: folder.path })).toMatchObject({ code: 0 });
});

test('a token that expires and a new password end memberships at once', { timeout: 60_000 }, async () => {
  using folder = folderWith({ 'main.svc': topicsApp, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, env: { JWT_SECRET: secret } });
  const token = await signUp(server, 'ada@example.com');
  const endsAt = Math.floor(Date.now() / 1000) + 8;
  const ada = await hear(server, { path: '/ws/Club', token: endingAt(token, endsAt) });
  const later = await hear(server, { path: '/ws/Club', token: endingAt(token, endsAt + 3600) });
  await ada.ask({ join: ['e'] });
  await post(server, '/walker/Say', { topic: 'e', text: 'before' });
  expect(await ada.closed).toEqual([4401, 'expired']);
  // Nothing was sent that could have made it look, and one that lasts stays open.
  await later.ask({ join: ['e'] });
  expect(ada.messages.map(({ data }) => data)).toEqual(['before']);

  const other = await hear(server, { path: '/ws/Club', token });
  await other.ask({ join: ['e'] });
  const changed = await fetch(`${server.base}/user/password`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"current_password": "correct horse 1", "new_password": "another horse 2"}',
  });
  expect(changed.status).toBe(200);
  expect(await other.closed).toEqual([4401, 'revoked']);
  await post(server, '/walker/Say', { topic: 'e', text: 'after' });
  expect(other.messages).toEqual([]);
});

/** The same token with another end. */
function endingAt(token: string, expiresAt: number): string {
  const [head, body] = token.split('.');
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString());
  const changed = `${head}.${Buffer.from(JSON.stringify({ ...claims, exp: expiresAt })).toString('base64url')}`;
  return `${changed}.${createHmac('sha256', secret).update(changed).digest('base64url')}`;
}

test('the program of the page does what the page says', { timeout: 60_000 }, async () => {
  const page = readFileSync(join(repository, 'docs', 'server', 'topics.md'), 'utf8');
  const program = /^```svc main\.svc\n([\s\S]*?)^```$/m.exec(page)![1]!;
  using folder = folderWith({ 'main.svc': program });
  await using server = await startServer({ folder: folder.path });
  const [ada, bob] = [await hear(server, { path: '/ws/Chat' }), await hear(server, { path: '/ws/Chat' })];
  await ada.ask({ room: 'tea' });
  await bob.ask({ room: 'tea', text: 'hello' });
  await post(server, '/walker/Announce', { room: 'tea', text: 'closing' });
  for (const one of [ada, bob]) {
    await one.until(2);
    expect(one.messages).toEqual([
      { type: 'message', topic: 'room:tea', seq: 1, data: { text: 'hello' } },
      { type: 'message', topic: 'room:tea', seq: 2, data: { text: 'closing', by: 'the house' } },
    ]);
  }
  const back = await hear(server, { path: '/ws/Chat' });
  await back.ask({ room: 'tea', $since: { 'room:tea': 1 } });
  await back.until(1);
  expect(back.messages.map(({ seq }) => seq)).toEqual([2]);
});

const typed = `import { entry, has, publish, Root, str, subscribe, unsubscribe, Walker, walker } from 'svc-scale';

@walker({ access: 'pub', protocol: 'WEBSOCKET' })
export class Room extends has(Walker<string>, { join: str(''), leave: str('') }) {
  @entry(Root)
  act() {
    if (this.join !== '') subscribe(this.join);
    if (this.leave !== '') unsubscribe(this.leave);
  }
}

@walker({ access: 'pub' })
export class Say extends has(Walker<string>, { topic: str(), text: str() }) {
  @entry(Root)
  say() {
    publish(this.topic, { text: this.text });
  }
}
`;

test('programs in TypeScript publish and subscribe', { timeout: 60_000 }, async () => {
  using folder = folderWith({ 'app.ts': typed });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const ada = await hear(server);
  await ada.ask({ join: 'a' });
  await post(server, '/walker/Say', { topic: 'a', text: 'hello' });
  await ada.until(1);
  expect(ada.messages).toEqual([{ type: 'message', topic: 'a', seq: 1, data: { text: 'hello' } }]);
  await ada.ask({ leave: 'a' });
  await post(server, '/walker/Say', { topic: 'a', text: 'unheard' });
  await ada.ask({});
  expect(ada.messages).toHaveLength(1);
});
