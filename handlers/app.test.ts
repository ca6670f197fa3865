import { expect, test } from 'vitest';
import { silentLog } from '../core/log/create-log.ts';
import type { AccessRecord, Log } from '../core/log/log.ts';
import { createRuntime } from '../core/memory/runtime.ts';
import { openVolatileStore } from '../core/memory/volatile-store.ts';
import type { FinishedCall } from '../core/metrics/meters.ts';
import { fixtureApp } from '../test/harness/fixture-app.ts';
import { noMeters } from '../test/harness/no-meters.ts';
import { answer, type FixedRoute, type RouteContext } from './routes.ts';

test('GEN-01: the envelope, exactly', async () => {
  const { post } = await fixtureApp();
  const sent = await post('/walker/Ping', {}, { headers: { 'x-request-id': 'req-12345678' } });
  const { trace_id, timestamp } = sent.body.meta;
  expect(sent.text).toBe(
    '{"ok":true,"type":"response","status":200,"data":{"result":{"_svc_type":"Ping","_svc_id":null,"_svc_archetype":"walker"},"reports":["pong"]},' +
      `"error":null,"meta":{"request_id":"req-12345678","trace_id":"${trace_id}","timestamp":"${timestamp}","extra":{"http_status":200}},"reports":["pong"]}`,
  );
  expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(sent.headers).toEqual({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(sent.text)),
    'x-request-id': 'req-12345678',
    'x-trace-id': trace_id,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});

const codeOf = (sent: { body: any }) => sent.body.error?.code;
const problems = (sent: { body: any }) => sent.body.error.details.map(({ loc, type }: any) => [loc.join('.'), type]);

test('request ids and trace context are adopted when they fit', async () => {
  const { post } = await fixtureApp();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const adopted = await post('/walker/Ping', {}, { headers: { traceparent, 'x-request-id': 'A.b-c_1234' } });
  expect(adopted.headers).toMatchObject({
    'x-trace-id': '4bf92f3577b34da6a3ce929d0e0e4736',
    'x-request-id': 'A.b-c_1234',
  });
  for (const bad of ['bad id!', 'short', 'x'.repeat(129)]) {
    expect((await post('/walker/Ping', {}, { headers: { 'x-request-id': bad } })).headers['x-request-id']).toMatch(
      /^[0-9a-f]{32}$/,
    );
  }
  for (const bad of [
    '00-0-0-0',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `${traceparent}-x`,
    `ff${traceparent.slice(2)}`,
  ]) {
    const { headers } = await post('/walker/Ping', {}, { headers: { traceparent: bad } });
    expect(headers['x-trace-id'], bad).not.toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  }
});

test('routing: unknown paths, unknown names with the nearest one, wrong methods', async () => {
  const { send, post } = await fixtureApp();
  const nothing = await send('GET', '/no/such/path');
  expect([nothing.status, nothing.body.error]).toEqual([404, { code: 'NOT_FOUND', message: expect.any(String) }]);
  const unknown = await post('/walker/Pin', {});
  expect(unknown.body.error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('Ping') });
  expect(unknown.body.error.details.available).toContain('Echo');
  expect((await post('/function/ad', {})).body.error.details.available).toContain('add');
  const wrong = await send('PATCH', '/walker/Ping', {});
  expect([wrong.status, codeOf(wrong), wrong.headers['allow']]).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
    'POST, GET, HEAD, OPTIONS',
  ]);
  expect((await post('/walker/Greet', {})).headers['allow']).toContain('GET');
  expect((await send('TRACE', '/walker/Ping')).status).toBe(405);
  expect((await send('BREW', '/nowhere')).status).toBe(404);
  for (const path of ['/walker/../walker/Ping', '/walker//Ping', '/walker/ping', '/Walker/Ping', '/walker/Ping//']) {
    expect((await post(path, {})).status, path).toBe(404);
  }
  expect((await post('/walker/Ping/', {})).body.reports).toEqual(['pong']);
  expect((await post('/walker/GetTask/%ff', {}, { as: 'ada' })).body.error.code).toBe('BAD_REQUEST');
});

test('production tells no names', async () => {
  const { post } = await fixtureApp({ mode: 'production' });
  expect((await post('/walker/Pin', {})).body.error).toEqual({ code: 'NOT_FOUND', message: 'No walker named Pin.' });
});

test('what is served elsewhere is 404 with the right place', async () => {
  const { send, post } = await fixtureApp();
  expect((await post('/walker/ItemByPath', { item_id: 42 })).body.error).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('GET /items/{item_id}'),
  });
  expect((await post('/walker/PaymentReceived', {}, { as: 'ada' })).body.error.message).toContain(
    'POST /webhook/PaymentReceived',
  );
  expect((await post('/walker/EchoWs', { message: 'x' })).body.error.message).toContain('/ws/EchoWs');
  const described = await send('GET', '/walker/ItemByPath?item_id=42');
  expect(described.body.data).toMatchObject({ name: 'ItemByPath', info: { method: 'GET', path: '/items/{item_id}' } });
  expect(described.body.reports).toBeUndefined();
  const socket = await send('GET', '/ws/EchoWs');
  expect([socket.status, codeOf(socket), socket.headers['upgrade']]).toEqual([426, 'UPGRADE_REQUIRED', 'websocket']);
});

test('HEAD is GET without the body; OPTIONS tells the methods', async () => {
  const { send } = await fixtureApp();
  const get = await send('GET', '/walker/Greet?name=Ada');
  const head = await send('HEAD', '/walker/Greet?name=Ada');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
  const options = await send('OPTIONS', '/walker/Greet');
  expect([options.status, options.text, options.headers['allow']]).toEqual([204, '', 'GET, HEAD, OPTIONS']);
  expect((await send('OPTIONS', '/nowhere')).status).toBe(404);
});

test('preflight is answered everywhere, before authentication; errors carry CORS headers', async () => {
  const { send, post } = await fixtureApp();
  const headers = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  for (const path of ['/walker/AddTask', '/nowhere']) {
    const sent = await send('OPTIONS', path, undefined, { headers });
    expect(sent.status).toBe(204);
    expect(sent.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
      'access-control-allow-methods': expect.stringContaining('POST'),
    });
    expect(sent.headers['access-control-allow-credentials']).toBeUndefined();
  }
  const refused = await post('/walker/AddTask', '{"title": "x"}', { headers: { origin: 'https://app.example' } });
  expect(refused.status).toBe(401);
  expect(refused.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'www-authenticate': 'Bearer realm="svc"',
  });
  expect(refused.headers['access-control-expose-headers']).toContain('X-Request-ID');
  expect(refused.body.error.details).toEqual({ reason: 'missing' });
});

test('a bad token: 401 where one is needed, a guest run with a sign where not', async () => {
  const { post } = await fixtureApp();
  const refused = await post('/walker/AddTask', { nonsense: true }, { as: 'mallory' });
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    401,
    'Bearer realm="svc", error="invalid_token"',
  ]);
  const guest = await post('/walker/WhoAmI', {}, { as: 'mallory' });
  expect([guest.body.reports, guest.headers['svc-auth-status']]).toEqual([
    ['00000000000000000000000000000001'],
    'ignored-invalid-token',
  ]);
  const ada = await post('/walker/WhoAmI', {}, { as: 'ada' });
  expect([ada.body.reports, ada.headers['svc-auth-status']]).toEqual([['1'.repeat(32)], undefined]);
});

test('bodies: not JSON, not an object, duplicate keys, deep, not UTF-8, empty, other types', async () => {
  const { post } = await fixtureApp();
  const json = { headers: { 'content-type': 'application/json' } };
  for (const body of [
    '{"message": ',
    '[1, 2]',
    '{"message":"a","message":"b"}',
    `{"message":${'['.repeat(70)}${']'.repeat(70)}}`,
  ]) {
    const sent = await post('/walker/Echo', body, json);
    expect([sent.status, codeOf(sent)], body).toEqual([400, 'INVALID_JSON']);
  }
  expect(codeOf(await post('/walker/Echo', Uint8Array.from([0x7b, 0xff, 0x7d]), json))).toBe('INVALID_JSON');
  expect((await post('/walker/Echo', '{"message": ', json)).body.error.details).toEqual({ position: 12 });
  expect((await post('/walker/Ping')).body.reports).toEqual(['pong']);
  expect((await post('/walker/Ping', '\ufeff{}', json)).status).toBe(200);
  const csv = await post('/walker/Echo', 'message', { headers: { 'content-type': 'text/csv' } });
  expect([csv.status, csv.body.error.details]).toEqual([415, { accepted: ['application/json'] }]);
  expect(
    (await post('/walker/Ping', '{}', { headers: { 'content-type': 'application/vnd.x+json; charset=UTF-8' } })).status,
  ).toBe(200);
  expect(
    (await post('/walker/Ping', '{}', { headers: { 'content-type': 'application/json; charset=latin1' } })).status,
  ).toBe(415);
  // The type is the one that curl sends unless told otherwise.
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  expect((await post('/walker/Echo', '{"message":"hi"}', form)).body.reports).toEqual(['hi']);
  expect((await post('/walker/Echo', 'message=hi', form)).status).toBe(415);
  expect((await post('/walker/Ping', '{}', { headers: { ...json.headers, 'content-encoding': 'br' } })).status).toBe(
    415,
  );
});

test('a declared length above the limit is refused before anything else is looked at', async () => {
  const { post } = await fixtureApp();
  const sent = await post('/walker/AddTask', '{}', {
    headers: { 'content-length': '4194305', 'content-type': 'text/csv' },
  });
  expect([sent.status, sent.reply.close, sent.body.error.details]).toEqual([413, true, { limit: 4194304 }]);
  const { post: small } = await fixtureApp({ config: { serve: { maxBodyBytes: 10 } } });
  const counted = await small('/walker/Echo', { message: 'hello hello' }, { headers: { 'content-length': '5' } });
  expect([counted.status, codeOf(counted)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
});

test('all problems of a body at once, repeated as `detail`', async () => {
  const { post } = await fixtureApp();
  const sent = await post('/walker/Echo', { message: 5, times: 1.5, unknown: 'ignored' });
  expect(sent.status).toBe(422);
  expect(problems(sent)).toEqual([
    ['body.message', 'string_type'],
    ['body.times', 'int_from_float'],
  ]);
  expect(sent.body.detail).toEqual(sent.body.error.details);
  expect(problems(await post('/walker/Echo', {}))).toEqual([['body.message', 'missing']]);
  expect((await post('/walker/Echo', { message: 'hi', times: '2' })).body.reports).toEqual(['hi', 'hi']);
  expect(problems(await post('/walker/Echo', { message: 'hi', times: true }))).toEqual([['body.times', 'int_type']]);
  expect((await post('/walker/Big', { n: '9007199254740993' })).body.reports).toEqual(['9007199254740993']);
  expect(problems(await post('/walker/Big', '{"n": 9007199254740993}'))).toEqual([
    ['body.n', 'number_out_of_safe_range'],
  ]);
});

test('query and path fields', async () => {
  const { send } = await fixtureApp();
  expect((await send('GET', '/walker/Greet?name=Ada&shout&tags=x&tags=y&unknown=1')).body.reports).toEqual([
    { hello: 'ADA', tags: ['x', 'y'] },
  ]);
  expect(problems(await send('GET', '/walker/Greet?shout=perhaps'))).toEqual([['query.shout', 'bool_parsing']]);
  expect((await send('GET', '/walker/Greet?name=%ff')).body.error.code).toBe('BAD_REQUEST');
  expect((await send('GET', '/walker/Greet?name=a+b%2B')).body.reports[0].hello).toBe('a b+');
  expect((await send('GET', '/items/42?verbose=true&item_id=7')).body.reports).toEqual([
    { item_id: 42, verbose: true },
  ]);
  expect(problems(await send('GET', '/items/forty-two'))).toEqual([['path.item_id', 'int_parsing']]);
  const put = await send('PUT', '/things/a%20b', { size: '2.5', thing_id: 'ignored' }, { as: 'ada' });
  expect(put.body.reports).toEqual([{ thing_id: 'a b', size: 2.5 }]);
  expect((await send('GET', '/walker/Greet', '{"name":"ignored"}')).body.reports[0].hello).toBe('world');
});

test('nodes: created, listed in order, per user, spawned on, deleted', async () => {
  const { post, send } = await fixtureApp();
  const ada = { as: 'ada' };
  const first = await post('/walker/AddTask', { title: 'buy milk' }, ada);
  const id = first.body.reports[0]._svc_id;
  expect(first.body.reports).toEqual([
    { _svc_type: 'Task', _svc_id: id, _svc_archetype: 'node', title: 'buy milk', priority: 1, done: false },
  ]);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(first.body.data.result).toEqual({
    _svc_type: 'AddTask',
    _svc_id: null,
    _svc_archetype: 'walker',
    title: 'buy milk',
    priority: 1,
  });
  await post('/walker/AddTask', { title: 'call mum', priority: 3 }, ada);
  expect((await post('/walker/ListTasks', {}, ada)).body.reports.map((task: any) => task.title)).toEqual([
    'buy milk',
    'call mum',
  ]);
  expect((await post('/walker/ListTasks', {}, { as: 'bob' })).body.data.reports).toEqual([]);
  const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  for (const nd of [id, dashed])
    expect((await post(`/walker/GetTask/${nd}`, {}, ada)).body.reports[0].title).toBe('buy milk');
  expect((await post('/walker/ListTasks/root', undefined, ada)).body.reports).toHaveLength(2);
  expect((await post(`/walker/GetTask?nd=${id}`, {}, ada)).body.reports[0].title).toBe('buy milk');
  expect(problems(await post('/walker/GetTask/not-a-node', {}, ada))).toEqual([['path.nd', 'uuid_parsing']]);
  for (const [nd, as] of [
    ['00000000000040008000000000000abc', 'ada'],
    [id, 'bob'],
  ] as const) {
    const sent = await post(`/walker/GetTask/${nd}`, {}, { as });
    expect([sent.status, codeOf(sent)]).toEqual([404, 'NODE_NOT_FOUND']);
  }
  expect(problems(await send('DELETE', `/walker/RemoveTask?task=${id}`, undefined, { as: 'bob' }))).toEqual([
    ['query.task', 'reference_not_found'],
  ]);
  expect((await send('DELETE', `/walker/RemoveTask?task=${id}`, undefined, ada)).body.reports).toEqual(['deleted']);
  expect(problems(await send('DELETE', '/walker/RemoveTask', { task: id }, ada))).toEqual([
    ['body.task', 'reference_not_found'],
  ]);
  expect(problems(await send('DELETE', '/walker/RemoveTask', { task: '1'.repeat(32) }, ada))).toEqual([
    ['body.task', 'model_type'],
  ]);
});

test('objects, enumerations, cycles', async () => {
  const { post } = await fixtureApp();
  const person = { name: 'Ada', age: 36, address: { street: 'Via Po 1' }, tags: ['x'], color: 'green' };
  const [saved] = (await post('/walker/SavePerson', { person })).body.reports;
  expect(saved).toMatchObject({
    _svc_type: 'Person',
    _svc_id: null,
    _svc_archetype: 'archetype',
    color: 'green',
    tags: ['x'],
  });
  expect(saved.address).toEqual({
    _svc_type: 'Address',
    _svc_id: null,
    _svc_archetype: 'archetype',
    street: 'Via Po 1',
    zip: null,
  });
  expect(problems(await post('/walker/SavePerson', { person: { _svc_type: 'Task', name: 'Eve', age: 1 } }))).toEqual([
    ['body.person', 'model_type'],
  ]);
  const [tree] = (await post('/walker/Tree')).body.reports;
  expect(tree.children[0].children).toEqual([{ $ref: null, $type: 'TreeNode' }]);
});

test('files', async () => {
  const { post } = await fixtureApp();
  const form = new FormData();
  form.set('note', 'hello');
  form.set('file', new File(['first line\nsecond line\n'], '../../notes.txt', { type: 'text/plain' }));
  const request = new Request('http://x/', { method: 'POST', body: form });
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = { 'content-type': request.headers.get('content-type')! };
  const sent = await post('/walker/Upload', body, { as: 'ada', headers });
  expect(sent.body.reports).toEqual([
    { filename: 'notes.txt', content_type: 'text/plain', size: 23, note: 'hello', first: 'first line' },
  ]);
  form.delete('file');
  const without = new Request('http://x/', { method: 'POST', body: form });
  const bytes = new Uint8Array(await without.arrayBuffer());
  const missing = await post('/walker/Upload', bytes, {
    as: 'ada',
    headers: { 'content-type': without.headers.get('content-type')! },
  });
  expect([missing.status, problems(missing)]).toEqual([422, [['body.file', 'file_required']]]);
  const json = await post('/walker/Upload', { file: 'x' }, { as: 'ada' });
  expect([json.status, json.body.error.details]).toEqual([415, { accepted: ['multipart/form-data'] }]);
  const large = await post('/walker/Upload', body, {
    as: 'ada',
    headers: { ...headers, 'content-length': '104857601' },
  });
  expect(large.status).toBe(413);
});

test('failures of application code change nothing and tell what is allowed', async () => {
  const { post } = await fixtureApp();
  const failed = await post('/walker/Fails', {}, { as: 'ada' });
  expect(failed.status).toBe(500);
  expect(failed.body.error).toMatchObject({
    code: 'EXECUTION_ERROR',
    message: 'ValueError: boom',
    details: { walker: 'Fails' },
  });
  expect(failed.body.data).toBeNull();
  expect((await post('/walker/CountTasks', {}, { as: 'ada' })).body.reports).toEqual([0]);
  const teapot = await post('/walker/Teapot');
  expect([teapot.status, teapot.body.error]).toEqual([
    418,
    { code: 'TEAPOT', message: 'short and stout', details: { spout: 1 } },
  ]);
  const { post: hidden } = await fixtureApp({ mode: 'production' });
  expect((await hidden('/walker/Fails')).body.error).toEqual({
    code: 'EXECUTION_ERROR',
    message: 'The request could not be completed.',
  });
});

test('access markers and the alias', async () => {
  const { post, send } = await fixtureApp();
  expect((await post('/walker/PrivOwn', {}, { as: 'ada' })).body.reports).toEqual(['own']);
  expect((await post('/walker/PrivOwn')).status).toBe(401);
  expect((await post('/walker/LibPub')).body.reports).toEqual(['lib']);
  expect((await post('/walker/LibPriv', {}, { as: 'ada' })).status).toBe(404);
  expect((await post('/Ping')).body.reports).toEqual(['pong']);
  for (const path of ['/AddTask', '/Greet', '/EchoWs', '/ItemByPath'])
    expect((await post(path, {}, { as: 'ada' })).status, path).toBe(404);
  expect((await send('GET', '/Ping')).status).toBe(405);
  const { post: without } = await fixtureApp({ config: { serve: { rootWalkerAlias: false } } });
  expect((await without('/Ping')).status).toBe(404);
});

test('functions: envelope, raw bodies', async () => {
  const { post, send } = await fixtureApp();
  const sum = await post('/function/add', { a: 2, b: 40 }, { as: 'ada' });
  expect([sum.body.data, sum.body.result]).toEqual([{ result: 42, reports: [] }, 42]);
  expect((await post('/function/add', { a: 2, b: 40 })).status).toBe(401);
  expect((await post('/function/shout', { text: 'hey' })).body.result).toBe('HEY');
  expect((await send('GET', '/info')).body).toMatchObject({
    status: 200,
    data: { result: { app: 'demo' } },
    result: { app: 'demo' },
  });
  const robots = await send('GET', '/robots.txt');
  expect([robots.text, robots.headers['content-type'], robots.headers['content-length']]).toEqual([
    'User-agent: *\n',
    'text/plain; charset=utf-8',
    '14',
  ]);
  expect((await post('/function/nothing')).status).toBe(204);
  const data = await post('/function/data');
  expect([data.text, data.headers['content-type']]).toEqual(['{"a":1}', 'application/x-thing']);
  expect((await post('/function/nope', {})).status).toBe(404);
});

test('streams', async () => {
  const { post } = await fixtureApp();
  const stream = await post('/walker/Stream', { n: 2 });
  expect(stream.text).toBe('data: {"n":0}\n\ndata: {"n":1}\n\nevent: end\ndata: {}\n\n');
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  expect(stream.headers['content-length']).toBeUndefined();
  expect((await post('/walker/Stream', { n: 0 })).text).toBe('event: end\ndata: {}\n\n');
  expect((await post('/walker/StreamFail')).text).toBe(
    'data: {"n":0}\n\nevent: error\ndata: {"error_type":"EXECUTION_ERROR","message":"ValueError: boom"}\n\n',
  );
  expect((await post('/walker/StreamWrite', {}, { as: 'bob' })).text).toMatch(/event: end/);
  expect((await post('/walker/CountTasks', {}, { as: 'bob' })).body.reports).toEqual([3]);
  expect((await post('/function/count', { n: 3 })).text).toBe(
    'data: 0\n\ndata: 1\n\ndata: 2\n\nevent: end\ndata: {}\n\n',
  );
});

test('a function reports as a walker does, and streams what it reports', async () => {
  const { post } = await fixtureApp();
  expect((await post('/function/tell', { n: 0, streams: false })).body.data).toEqual({
    result: null,
    reports: ['begun'],
  });
  expect((await post('/function/tell', { n: 2, streams: true })).text).toBe(
    'data: "begun"\n\ndata: 0\n\ndata: 1\n\nevent: end\ndata: {}\n\n',
  );
});

test('a stream whose reader goes away is cancelled', async () => {
  const { app } = await fixtureApp();
  const { callOf } = await import('../test/harness/call-of.ts');
  const reply = await app.handle(callOf('POST', '/walker/Forever', {}));
  const reader = (reply.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe('data: 0\n\n');
  expect(app.lifecycle.running).toBe(1);
  await reader.return!();
  await expect.poll(() => app.lifecycle.running).toBe(0);
});

test('a stream that stands still runs out of time', async () => {
  const { app } = await fixtureApp({ config: { serve: { requestTimeoutSeconds: 1 } } });
  const { callOf } = await import('../test/harness/call-of.ts');
  const reply = await app.handle(callOf('POST', '/walker/Forever', {}));
  const slow = (reply.body as AsyncIterable<string>)[Symbol.asyncIterator]();
  const all = [(await slow.next()).value];
  await new Promise((resolve) => setTimeout(resolve, 1100));
  for (let step = await slow.next(); step.done !== true; step = await slow.next()) all.push(step.value);
  expect(all.at(-1)).toContain('"error_type":"EXECUTION_TIMEOUT"');
  await expect.poll(() => app.lifecycle.running).toBe(0);
});

test('execution that takes too long is 504 and leaves nothing', async () => {
  const store = openVolatileStore();
  store.addRoot('1'.repeat(32));
  const deps = { runtime: createRuntime({ store }) };
  const hurried = await fixtureApp({ deps, config: { serve: { requestTimeoutSeconds: 0.05 } } });
  const late = await hurried.post('/walker/SlowWrite', { ms: 120 }, { as: 'ada' });
  expect([late.status, codeOf(late)]).toEqual([504, 'EXECUTION_TIMEOUT']);
  await new Promise((resolve) => setTimeout(resolve, 150));
  // Who looks at the same graph has all the time there is, and sees what a write in time leaves.
  const { post } = await fixtureApp({ deps });
  expect((await post('/walker/CountTasks', {}, { as: 'ada' })).body.reports).toEqual([0]);
  await post('/walker/SlowWrite', { ms: 0 }, { as: 'ada' });
  expect((await post('/walker/CountTasks', {}, { as: 'ada' })).body.reports).toEqual([1]);
});

test('a peer that goes away aborts its call', async () => {
  const { post } = await fixtureApp();
  const controller = new AbortController();
  const running = post('/walker/SlowWrite', { ms: 60 }, { as: 'ada', signal: controller.signal });
  controller.abort();
  await running;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await post('/walker/CountTasks', {}, { as: 'ada' })).body.reports).toEqual([0]);
});

test('idempotency keys', async () => {
  const { post } = await fixtureApp();
  const once = (body: unknown, key = 'once', as = 'ada') =>
    post('/walker/Bump', body, { as, headers: { 'idempotency-key': key } });
  const first = await once({ name: 'idem' });
  expect([first.body.reports, first.headers['idempotent-replayed']]).toEqual([[{ name: 'idem', value: 1 }], undefined]);
  const again = await once({ name: 'idem' });
  expect([again.body.reports, again.headers['idempotent-replayed']]).toEqual([[{ name: 'idem', value: 1 }], 'true']);
  expect(again.body.meta.request_id).toBe(again.headers['x-request-id']);
  const reused = await once({ name: 'other' });
  expect([reused.status, codeOf(reused)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect((await once({ name: 'idem' }, 'once', 'bob')).body.reports[0].value).toBe(1);
  expect((await once({ name: 'idem' }, 'two words')).status).toBe(400);
  const read = () => post('/walker/ListTasks', {}, { as: 'ada', headers: { 'idempotency-key': 'read' } });
  expect((await read()).headers['idempotent-replayed']).toBeUndefined();
  expect((await read()).headers['idempotent-replayed']).toBe('true');
  const [a, b] = await Promise.all(
    [1, 2].map(() => post('/walker/Slow', { ms: 30 }, { as: 'ada', headers: { 'idempotency-key': 'same' } })),
  );
  expect([a!.status, b!.status].sort()).toEqual([200, 409]);
  const failing = () => post('/walker/Teapot', {}, { as: 'ada', headers: { 'idempotency-key': 'tea' } });
  await failing();
  const replayed = await failing();
  expect([replayed.status, replayed.body.error, replayed.headers['idempotent-replayed']]).toEqual([
    418,
    { code: 'TEAPOT', message: 'short and stout', details: { spout: 1 } },
    'true',
  ]);
});

test('problem details on request', async () => {
  const { post } = await fixtureApp();
  const sent = await post('/walker/Echo?x=1', {}, { headers: { accept: 'application/problem+json' } });
  expect(sent.headers['content-type']).toBe('application/problem+json');
  expect(sent.body).toMatchObject({
    type: 'urn:svc:problem:validation-error',
    title: expect.any(String),
    status: 422,
    detail: expect.any(String),
    instance: '/walker/Echo',
    code: 'VALIDATION_ERROR',
    request_id: sent.headers['x-request-id'],
    errors: [{ loc: ['body', 'message'], type: 'missing' }],
  });
});

test('introspection, information, health', async () => {
  const { send } = await fixtureApp({ config: { project: { name: 'demo', version: '1.2.0' } } });
  const walkers = await send('GET', '/walkers');
  expect(walkers.body.walkers).toEqual(walkers.body.data.walkers);
  expect(walkers.body.walkers.slice(0, 2)).toEqual(['Ping', 'Echo']);
  expect(walkers.body.walkers).not.toContain('LibPriv');
  expect((await send('GET', '/walker/AddTask')).body.data).toEqual({
    name: 'AddTask',
    info: {
      access: 'default',
      protocol: 'HTTP',
      method: 'POST',
      path: '/walker/AddTask',
      async: false,
      broadcast: false,
      doc: '',
      fields: {
        title: { type: 'str', required: true, default: null },
        priority: { type: 'int', required: false, default: 1 },
      },
    },
  });
  const add = await send('GET', '/function/add');
  expect(add.body.data.signature).toMatchObject({
    parameters: { a: { type: 'int', required: true } },
    return_type: 'int',
  });
  expect((await send('GET', '/')).body.data).toMatchObject({ name: 'demo', version: '1.2.0', docs: '/docs' });
  const ready = await send('GET', '/healthz/ready');
  expect(ready.body).toEqual({
    status: 'ok',
    checks: { store: 'ok', cache: 'ok' },
    store: expect.any(String),
    durability: expect.any(String),
    version: '1.2.0',
  });
  expect((await send('GET', '/healthz')).body.status).toBe('ok');
  expect((await send('GET', '/healthz/live')).body).toEqual({ status: 'ok' });
  expect((await send('GET', '/__build_status')).body).toEqual({ status: 'unavailable' });
  const { send: closed } = await fixtureApp({ mode: 'production' });
  expect((await closed('GET', '/walkers')).status).toBe(401);
  expect((await closed('GET', '/walkers', undefined, { as: 'ada' })).status).toBe(200);
});

test('readiness says no when the store does not answer', async () => {
  const { send } = await fixtureApp({
    deps: { health: { store: 'x', durability: 'full', ping: () => Promise.reject(new Error('down')) } },
  });
  const sent = await send('GET', '/healthz/ready');
  expect([sent.status, sent.body.status, sent.body.checks.store]).toEqual([503, 'unavailable', 'unavailable']);
  expect((await send('GET', '/healthz/live')).status).toBe(200);
});

test('drain and overload', async () => {
  const { app, post, send } = await fixtureApp({ config: { serve: { maxConcurrent: 1 } } });
  const running = post('/walker/Slow', { ms: 50 });
  const refused = await post('/walker/Ping');
  expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
  expect((await send('GET', '/healthz/live')).status).toBe(200);
  app.lifecycle.drain();
  expect((await send('GET', '/healthz/ready')).status).toBe(503);
  expect(await app.lifecycle.settled(1000)).toBe(true);
  expect((await running).status).toBe(200);
  expect((await post('/walker/Ping')).status).toBe(200);
  app.lifecycle.stop();
  const stopped = await post('/walker/Ping');
  expect([stopped.status, stopped.reply.close]).toEqual([503, true]);
  expect((await send('GET', '/healthz/live')).status).toBe(200);
});

test('running calls can be aborted', async () => {
  const { app, post } = await fixtureApp();
  const running = post('/walker/Slow', { ms: 5000 });
  expect(await app.lifecycle.settled(10)).toBe(false);
  await app.lifecycle.abort();
  expect((await running).status).toBe(503);
  expect(app.lifecycle.running).toBe(0);
});

test('rate limits by address and by user', async () => {
  const limits = { config: { scale: { rateLimit: { enabled: true, requestsPerMinute: 60, burst: 2 } } } };
  const { post, send } = await fixtureApp(limits);
  const statuses = async (count: number, options: object) => {
    const seen: number[] = [];
    for (let i = 0; i < count; i++) seen.push((await post('/walker/Ping', {}, options)).status);
    return seen;
  };
  expect(await statuses(3, {})).toEqual([200, 200, 429]);
  const limited = await post('/walker/Ping');
  expect(limited.body.error).toMatchObject({ code: 'RATE_LIMITED', details: { retry_after: 1 } });
  expect(limited.headers['retry-after']).toBe('1');
  expect(await statuses(3, { as: 'ada' })).toEqual([200, 200, 429]);
  expect(await statuses(1, { as: 'bob' })).toEqual([200]);
  expect(await statuses(1, { peer: '10.0.0.9' })).toEqual([200]);
  expect((await send('GET', '/healthz/live')).status).toBe(200);
});

test('configured headers are added, but not in place of ours', async () => {
  const responseHeaders = {
    'X-Frame-Options': 'DENY',
    'Content-Type': 'text/evil',
    'Cache-Control': 'private',
    'X-Bad': 'a\r\nb',
  };
  const { post } = await fixtureApp({ config: { responseHeaders } });
  const { headers } = await post('/walker/Ping');
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'content-type': 'application/json',
    'cache-control': 'private',
  });
  expect(headers['x-bad']).toBeUndefined();
});

test('dates and identifiers, values without a JSON form', async () => {
  const { post } = await fixtureApp();
  const [moment] = (
    await post('/walker/Moment', { at: '2026-01-02T03:04:05Z', id: '7D0F9A52C1E84F6F9B3C1A2D4E5F6071' })
  ).body.reports;
  expect(moment).toEqual(['2026-01-02T03:04:05Z', '7d0f9a52-c1e8-4f6f-9b3c-1a2d4e5f6071']);
  expect(problems(await post('/walker/Moment', { at: 'soon', id: 'x' }))).toEqual([
    ['body.at', 'datetime_parsing'],
    ['body.id', 'uuid_parsing'],
  ]);
  expect((await post('/walker/Odd')).body.reports).toEqual([['<function>', '<module>']]);
});

test('swap serves the new version at once', async () => {
  const { app, post } = await fixtureApp();
  const { loadFixture } = await import('../test/harness/fixture-program.ts');
  const program = loadFixture();
  app.swap({ ...program, walkers: program.walkers.filter((target) => target.name !== 'Ping') });
  expect((await post('/walker/Ping')).status).toBe(404);
  expect((await post('/walker/Echo', { message: 'x' })).status).toBe(200);
});

test('the access log has one record per request, without the query, health checks excluded', async () => {
  const records: AccessRecord[] = [];
  const log: Log = { ...silentLog, access: (record) => void records.push(record), enabled: () => true };
  const finished: FinishedCall[] = [];
  const { send, post } = await fixtureApp({
    log,
    deps: { meters: { ...noMeters, requestFinished: (call) => void finished.push(call) } },
  });
  await send('GET', '/items/42?verbose=true', undefined, { as: 'ada' });
  await post('/nowhere?token=secret', {});
  await post('/Ping', {}, { peer: '10.0.0.9' });
  const stream = await post('/walker/Stream', { n: 1 });
  await send('GET', '/healthz/live');
  expect(records).toMatchObject([
    {
      method: 'GET',
      route: '/items/{item_id}',
      path: '/items/42',
      status: 200,
      userId: 'ada',
      target: 'ItemByPath',
      client: '127.0.0.1',
    },
    { method: 'POST', route: undefined, path: '/nowhere', status: 404, errorCode: 'NOT_FOUND' },
    { method: 'POST', route: '/walker/Ping', path: '/Ping', client: '10.0.0.9', bytesIn: 2 },
    { path: '/walker/Stream', status: 200, bytesOut: stream.text.length },
  ]);
  expect(JSON.stringify(records)).not.toContain('secret');
  expect(finished.map(({ template, status }) => [template, status])).toEqual([
    ['/items/{item_id}', 200],
    [undefined, 404],
    ['/walker/Ping', 200],
    ['/walker/Stream', 200],
  ]);
});

test('replies know their headers in both forms', async () => {
  const { app } = await fixtureApp();
  const { callOf } = await import('../test/harness/call-of.ts');
  const reply = await app.handle(callOf('POST', '/walker/Ping', {}, { headers: { origin: 'https://app.example' } }));
  let text = '';
  for (let i = 0; i < reply.headers.length; i += 2) text += `${reply.headers[i]}: ${reply.headers[i + 1]}\r\n`;
  expect(reply.head).toBe(text);
  expect(reply.isAscii).toBe(true);
  const wide = await app.handle(callOf('POST', '/walker/Echo', { message: 'é' }));
  expect([wide.isAscii, wide.headers[3]]).toEqual([false, String(Buffer.byteLength(wide.body as string))]);
  const refused = await app.handle(callOf('POST', '/walker/AddTask', {}));
  expect(refused.head).toBeUndefined();
});

test('pages are asked when nothing else matches', async () => {
  const page = answer({ raw: { contentType: 'text/html', body: '<p>hi</p>' } });
  const pages = ({ call }: RouteContext) => (call.path === '/page' ? page : undefined);
  const { send, post } = await fixtureApp({ deps: { pages } });
  expect((await send('GET', '/page')).text).toBe('<p>hi</p>');
  expect((await send('HEAD', '/page')).headers['content-length']).toBe('9');
  expect((await send('GET', '/other')).status).toBe(404);
  expect((await post('/page', {})).status).toBe(404);
  expect((await send('GET', '/Ping')).status).toBe(405);
});

test('endpoints of the server itself: data, answers, forms, failures', async () => {
  const route = (template: string, run: FixedRoute['run'], more: Partial<FixedRoute> = {}): FixedRoute => ({
    ...{ method: 'POST', template, auth: 'none', tag: 'Test', operationId: '', run },
    ...more,
  });
  const routes = [
    route('/x/{id}', ({ params, body, query }) => ({
      id: params['id'],
      body,
      query: [...query],
      status: 'kept in data only',
    })),
    route('/y', () => answer({ status: 201, data: { made: true }, headers: ['Location', '/y/1'] })),
    route('/form', ({ body }) => ({ body }), { body: 'form', maxBodyBytes: 100 }),
    route('/who', ({ caller, origin, client }) => ({ user: caller.userId, origin, client }), {
      auth: 'bearer',
      method: 'GET',
    }),
  ];
  const { post, send } = await fixtureApp({ deps: { routes } });
  const first = await post('/x/a%20b?q=1&q=2', { n: 1 });
  expect(first.body).toMatchObject({
    status: 200,
    id: 'a b',
    body: { n: 1 },
    query: [['q', ['1', '2']]],
    data: { status: 'kept in data only' },
  });
  const second = await post('/y', {});
  expect([second.status, second.body.made, second.headers['location']]).toEqual([201, true, '/y/1']);
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  expect((await post('/form', 'a=1&a=2&b=%20', form)).body.data.body).toEqual({ a: '2', b: ' ' });
  expect((await post('/form', 'x'.repeat(101), form)).status).toBe(413);
  expect((await send('GET', '/who')).status).toBe(401);
  const who = await send('GET', '/who', 'ignored', { as: 'ada', headers: { host: 'api.example' } });
  expect(who.body.data).toEqual({ user: 'ada', origin: 'http://api.example', client: '127.0.0.1' });
  expect((await post('/x/a', '[]')).body.error.code).toBe('INVALID_JSON');
});
