/**
 * Answers to requests whose fields do not fit: bounded whatever the request, and helpful in development
 * (docs/server/errors.md#validation, docs/server/requests.md#unknown-fields, docs/server/requests.md#types).
 */
import { describe, expect, test } from 'vitest';
import { fixtureApp } from '../test/harness/fixture-app.ts';

const largestAnswer = 65_536;
const locs = (sent: { body: any }) => sent.body.error.details.map(({ loc }: any) => loc.join('.'));
const megabytes = 4 * 1024 * 1024 - 1000;
const filled = (part: string) => Array(Math.floor(megabytes / (part.length + 1))).fill(part);

describe('bounds', () => {
  test('a 422 lists a hundred problems and counts all', async () => {
    const { post } = await fixtureApp();
    const few = await post('/walker/Take', { items: Array(100).fill('x') });
    expect(few.body.error.details).toHaveLength(100);
    expect(few.body.error).not.toHaveProperty('truncated');
    for (const body of [{ items: Array(101).fill('x') }, { items: filled('"x"').map(() => 'x') }]) {
      const { status, text, body: answer } = await post('/walker/Take', body);
      expect(status).toBe(422);
      expect(answer.error).toMatchObject({
        message: expect.stringContaining(`(and ${body.items.length - 1} more)`),
        truncated: true,
        count: body.items.length,
      });
      expect(answer.error.details).toHaveLength(100);
      expect(answer.error.details.at(-1).loc).toEqual(['body', 'items', 99]);
      expect(answer.detail).toEqual(answer.error.details);
      expect(text.length).toBeLessThan(largestAnswer);
    }
    const problem = await post(
      '/walker/Take',
      { items: Array(101).fill('x') },
      { headers: { accept: 'application/problem+json' } },
    );
    expect(problem.body).toMatchObject({ code: 'VALIDATION_ERROR', truncated: true, count: 101 });
    expect(problem.body.errors).toHaveLength(100);
  });

  const control = '\u0001'.repeat(500);
  const shapes: Readonly<Record<string, () => string>> = {
    'one wrong item under a name of 4 MB': () => `{"table":{"${'k'.repeat(megabytes)}":"x"}}`,
    'wrong items under long names of characters that are escaped': () =>
      `{"table":{${Array.from({ length: 900 }, (_, i) => `${JSON.stringify(`${control}${i}`)}:"x"`).join(',')}}}`,
    'unknown members with long names': () =>
      `{"items":0,${Array.from({ length: 900 }, (_, i) => `${JSON.stringify(`${control}${i}`)}:1`).join(',')}}`,
    'half a million unknown members': () =>
      `{"items":0,${filled('')
        .map((_, i) => `"${i.toString(36)}":1`)
        .slice(0, 400_000)
        .join(',')}}`,
    'deep nesting': () => `{"items":${'['.repeat(megabytes / 2)}${']'.repeat(megabytes / 2)}}`,
    'many lists': () => `{"items":[${filled('[]').join(',')}]}`,
    'many duplicates': () => `{${filled('"items":1').join(',')}}`,
    'a duplicate at the end': () =>
      `{${filled('')
        .slice(0, 300_000)
        .map((_, i) => `"${i}":1`)
        .join(',')},"7":1}`,
    'integers that are not exact': () => `{"open":[${filled('12345678901234567890').join(',')}]}`,
    'no JSON': () => 'x'.repeat(megabytes),
    'a string without an end': () => `{"open":"${'\\"'.repeat(megabytes / 2)}`,
    'one number of 4 MB': () => `{"items":${'1'.repeat(megabytes)}}`,
    'bytes that are not UTF-8': () => '\u00ff'.repeat(megabytes),
    'an unknown walker': () => '{}',
  };
  test.each(Object.keys(shapes))('no answer is larger than 64 KiB: %s', async (name) => {
    const { post } = await fixtureApp();
    const body = shapes[name]!();
    const path = name === 'an unknown walker' ? `/walker/${'W'.repeat(8000)}` : '/walker/Take';
    for (const accept of ['application/json', 'application/problem+json']) {
      const sent = await post(path, Buffer.from(body, 'latin1'), { headers: { accept } });
      expect(sent.status).toBeGreaterThanOrEqual(400);
      expect(sent.status).toBeLessThan(500);
      expect(Buffer.byteLength(sent.text)).toBeLessThanOrEqual(largestAnswer);
    }
  });

  test('references that are not there are counted too', async () => {
    const { send } = await fixtureApp();
    const gone = '7'.repeat(32);
    const sent = await send('DELETE', '/walker/RemoveTask', { task: gone, others: [] }, { as: 'ada' });
    expect(sent.body.error.details).toMatchObject([{ loc: ['body', 'task'], type: 'reference_not_found' }]);
    const many = await send('POST', '/walker/Group', { tasks: Array(2000).fill(gone) }, { as: 'ada' });
    expect(many.body.error).toMatchObject({ truncated: true, count: 2000 });
    expect(many.body.error.details[99]).toMatchObject({ loc: ['body', 'tasks', 99], type: 'reference_not_found' });
  });

  test('long requests that fit run', async () => {
    const { post } = await fixtureApp();
    const items = Array.from({ length: 300_000 }, (_, i) => i);
    const open = { rows: Array.from({ length: 20_000 }, (_, i) => ({ [`k${i}`]: [i, null, 'x'] })) };
    const sent = await post('/walker/Take', {
      items,
      open,
      table: Object.fromEntries(items.slice(0, 5000).map((i) => [`k${i}`, i])),
    });
    expect(sent.status, sent.text.slice(0, 300)).toBe(200);
    expect(sent.body.reports[0]).toBe(items.length);
    expect(sent.body.reports[1]).toEqual(open);
  });

  test('fields of long multipart bodies are bound the same way', async () => {
    const { post } = await fixtureApp();
    const send = (rows: string) =>
      post(
        '/walker/Import',
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="rows"\r\n\r\n${rows}\r\n--b--\r\n`),
        {
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        },
      );
    expect((await send(`[${Array(100_000).fill('7').join(',')}]`)).body.reports).toEqual([100_000]);
    const wrong = await send(`[${Array(100_000).fill('"x"').join(',')}]`);
    expect(wrong.body.error).toMatchObject({ truncated: true, count: 100_000 });
    const unsafe = await send(`[${Array(60_000).fill('12345678901234567890').join(',')}]`);
    expect(unsafe.body.error).toMatchObject({ count: 60_000, details: expect.arrayContaining([]) });
    expect(unsafe.body.error.details[99]).toMatchObject({
      loc: ['body', 'rows', 99],
      type: 'number_out_of_safe_range',
    });
  });
});

describe('integers that JavaScript cannot hold exactly are refused, never rounded', () => {
  test.each([
    ['{"open": 9007199254740992}', ['body.open']],
    ['{"open": {"deep": [1, {"x": -9007199254740992}]}}', ['body.open.deep.1.x']],
    ['{"table": {"a": 12345678901234567890}}', ['body.table.a']],
    ['{"items": [1, 12345678901234567890, 2, 12345678901234567891]}', ['body.items.1', 'body.items.3']],
    ['{"nobody_reads_this": [12345678901234567890]}', ['body.nobody_reads_this.0']],
    ['{"open": 12345678901234567890, "items": ["x"]}', ['body.open', 'body.items.0']],
  ])('%s', async (body, expected) => {
    const { post } = await fixtureApp({ mode: 'production' });
    const sent = await post('/walker/Take', body);
    expect(sent.status).toBe(422);
    expect(sent.body.error.details[0]).toEqual({
      loc: expected[0]!.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      type: 'number_out_of_safe_range',
      msg: expect.stringContaining('as a string'),
    });
    expect(locs(sent)).toEqual(expected);
    const long = await post('/walker/Take', `${body.slice(0, -1)}, "padding": "${'x'.repeat(200_000)}"}`);
    expect(locs(long)).toEqual(expected);
  });

  test('as text, and where they are floats, they are taken', async () => {
    const { post } = await fixtureApp();
    const sent = await post(
      '/walker/Take',
      '{"open": [9007199254740991, 1e300, "12345678901234567890"], "items": ["12345678901234567890"]}',
    );
    expect(sent.body.reports).toEqual([1, [9007199254740991, 1e300, '12345678901234567890']]);
    expect((await post('/walker/Big', { n: '12345678901234567890' })).body.reports).toEqual(['12345678901234567890']);
    expect(locs(await post('/walker/Big', '{"n": 1e20}'))).toEqual(['body.n']);
  });

  test('in a query', async () => {
    const { send } = await fixtureApp();
    const sent = await send('GET', '/walker/Greet?tags=["a",12345678901234567890]');
    expect(sent.body.error.details).toMatchObject([{ loc: ['query', 'tags', 1], type: 'number_out_of_safe_range' }]);
  });
});

describe('members that no field takes', () => {
  const typo = { titel: 'milk', prio: 1 };

  test('are named in development, beside what is missing and beside what ran', async () => {
    const { post } = await fixtureApp({ mode: 'development' });
    const refused = await post('/walker/AddTask', typo, { as: 'ada' });
    const warnings = ["unknown field 'titel' (did you mean 'title'?)", "unknown field 'prio'"];
    expect(refused.body.error).toMatchObject({ details: [{ loc: ['body', 'title'], type: 'missing' }], warnings });
    const ran = await post('/walker/AddTask', { ...typo, title: 'milk' }, { as: 'ada' });
    expect(ran.body.data.warnings).toEqual(warnings);
    expect(ran.body.warnings).toEqual(warnings);
    expect((await post('/walker/AddTask', { title: 'milk' }, { as: 'ada' })).body.data).not.toHaveProperty('warnings');
    expect((await post('/function/shout', { text: 'a', loud: true })).body.data.warnings).toEqual([
      "unknown field 'loud'",
    ]);
  });

  test('in objects of the program too; private fields and type tags of answers are none and no surprise', async () => {
    const { post } = await fixtureApp({ mode: 'development' });
    const person = { name: 'Ada', age: 3, adress: 1, address: { street: 'x', streat: 'y' }, _svc_type: 'Person' };
    const sent = await post('/walker/Take', { person, hidden: 'x', _svc_id: null, open: { anything: 1 } });
    expect(sent.body.data.warnings).toEqual([
      "unknown field 'person.adress' (did you mean 'address'?)",
      "unknown field 'person.address.streat' (did you mean 'street'?)",
      "unknown field 'hidden'",
    ]);
  });

  test('a hundred sentences at most', async () => {
    const { post } = await fixtureApp({ mode: 'development' });
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, 1]));
    const { warnings } = (await post('/walker/Take', many)).body.data;
    expect([warnings.length, warnings.at(-1)]).toEqual([100, 'there are more unknown fields']);
  });

  test('production says nothing', async () => {
    const { post } = await fixtureApp({ mode: 'production' });
    const refused = await post('/walker/AddTask', typo, { as: 'ada' });
    expect(Object.keys(refused.body.error)).toEqual(['code', 'message', 'details']);
    expect((await post('/walker/AddTask', { ...typo, title: 'milk' }, { as: 'ada' })).body.data).not.toHaveProperty(
      'warnings',
    );
  });
});
