import { expect, test } from 'vitest';
import { requireMeta } from '../../library/classes/meta.ts';
import type { FunctionSpec, TypeRef } from '../../library/classes/spec.ts';
import type { ByllmConfig } from '../config/config.ts';
import { SHARED_ROOT_ID } from '../graph/ids.ts';
import { createRuntime } from '../memory/runtime.ts';
import { runUnit } from '../memory/unit.ts';
import type { UnitOptions } from '../memory/unit-options.ts';
import { openVolatileStore } from '../memory/volatile-store.ts';
import * as $ from '../runtime.ts';
import { failureClasses } from './failures.ts';
import { type Answer, type Asked, openModelService } from './fixture.ts';
import { ambientModel, Model } from './models.ts';
import { ModelPool } from './pool.ts';
import { partsOf } from './type-words.ts';

const key = 'sk-test-0123456789abcdef';
const guest = { rootId: SHARED_ROOT_ID, userId: null, kind: 'guest' as const };
const str: TypeRef = { t: 'str' };
const int: TypeRef = { t: 'int' };

class Level extends $.Enum {}
$.enumeration(Level, {
  name: 'Level',
  module: 'shop',
  members: [
    ['LOW', 1],
    ['HIGH', 2],
  ],
  sem: { '': 'how urgent it is', LOW: 'can wait' },
} as any);
class Item extends $.Obj {}
$.archetype(Item, {
  kind: 'obj',
  name: 'Item',
  module: 'shop',
  doc: 'A thing on the shelf.',
  fields: [
    { name: 'name', type: str },
    { name: 'level', type: ref('Level', () => Level) },
    { name: 'price', type: { t: 'float' }, literal: 0, default: () => 0 },
    { name: 'secret', type: str, access: 'priv', literal: 'hush', default: () => 'hush' },
    {
      name: 'next',
      type: { t: 'union', of: [ref('Item', () => Item), { t: 'none' }] },
      literal: null,
      default: () => null,
    },
  ],
  abilities: [],
  sem: { name: 'what it is called' },
});

function ref(name: string, get: () => unknown): TypeRef {
  return { t: 'ref', name, get };
}

function spec(result: TypeRef, params: Record<string, TypeRef> = {}, more: Partial<FunctionSpec> = {}): FunctionSpec {
  return {
    name: 'f',
    qualname: 'f',
    module: 'shop',
    params: Object.entries(params).map(([name, type]) => ({ name, type, kind: 'any' as const })),
    result,
    ...more,
  };
}

const settings: ByllmConfig = {
  defaultModel: 'm1',
  baseUrl: '',
  apiKey: key,
  timeoutSeconds: 20,
  maxAttempts: 3,
  backoffMs: 0,
  maxRetries: 2,
  maxToolRounds: 3,
  maxAnswerBytes: 20_000,
};

/** Runs a delegated call in a unit of its own against a service that answers so. */
async function ask(
  about: FunctionSpec,
  answer: readonly Answer[] | ((asked: Asked, n: number) => Answer | Promise<Answer>),
  options: {
    readonly model?: Record<string, unknown>;
    readonly values?: readonly unknown[];
    readonly settings?: Partial<ByllmConfig>;
    readonly unit?: UnitOptions;
    readonly use?: (value: unknown) => unknown;
    readonly self?: unknown;
  } = {},
) {
  const list = typeof answer === 'function' ? undefined : answer;
  const service = await openModelService(
    typeof answer === 'function' ? answer : (_, n) => list![n - 1] ?? { status: 418, body: '' },
  );
  const runtime = createRuntime({
    store: openVolatileStore(),
    models: () => ({ ...settings, baseUrl: service.base, ...options.settings }),
  });
  const outcome = await Promise.resolve(
    runUnit(
      runtime,
      guest,
      async () => {
        const model = options.model === undefined ? ambientModel : $.callkw(Model, ['m1'], options.model as any);
        const value = await $.delegate(model, about, options.values ?? [], options.self);
        return options.use === undefined ? value : options.use(value);
      },
      options.unit,
    ),
  ).then(
    (value) => ({ value, error: undefined }),
    (error) => ({ value: undefined, error }),
  );
  const abandoned = await service.abandoned();
  await service[Symbol.asyncDispose]();
  return { ...outcome, asked: service.asked, abandoned };
}

test('the question tells names, types, values and every description', async () => {
  const about = spec(
    { t: 'list', of: ref('Item', () => Item) },
    { order: str, best: ref('Item', () => Item) },
    {
      doc: 'Reads an order.',
      sem: { '': 'turns words into items', order: 'what the customer wrote', return: 'in their order' },
    },
  );
  const best = $.construct(Item, ['tea', (Level as any).HIGH]);
  const { value, asked } = await ask(
    about,
    ['{"result": [{"name": "cup", "level": "LOW", "price": 2, "next": null}]}'],
    {
      values: ['a cup', best],
      model: { temperature: 0.2, incl_info: $.Dict.of('shop', 'Corner') },
    },
  );
  expect($.repr(value)).toMatch(/^\[Item\(name='cup', level=<Level.LOW: 1>, price=2/);
  const [{ text, body, headers, path }] = asked as [Asked];
  for (const part of [
    'f(order: str, best: Item) -> list[Item] — turns words into items Reads an order.',
    'order: str — what the customer wrote',
    "= 'a cup'",
    "Item(name='tea', level=Level.HIGH",
    'Result: list[Item] — in their order',
    'obj Item — A thing on the shelf.',
    'name: str — what it is called',
    'enum Level — how urgent it is',
    'LOW = 1 — can wait',
    "shop = 'Corner'",
    'one JSON object {"result": …}',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('hush');
  expect([path, headers.authorization, body.model, body.temperature]).toEqual([
    '/v1/chat/completions',
    `Bearer ${key}`,
    'm1',
    0.2,
  ]);
  const { strict, schema } = body.response_format.json_schema;
  expect(strict).toBe(true);
  expect(schema.properties.result).toMatchObject({ type: 'array', items: { $ref: '#/$defs/Item' } });
  expect(schema.$defs.Item).toMatchObject({
    additionalProperties: false,
    required: ['name', 'level', 'price', 'next'],
    properties: {
      name: { type: 'string', description: 'what it is called' },
      level: { type: 'string', enum: ['LOW', 'HIGH'] },
      next: { anyOf: [{ $ref: '#/$defs/Item' }, { type: 'null' }] },
    },
  });
});

test.each<[string, TypeRef, string, string]>([
  ['plain text', str, 'hello "you"', `'hello "you"'`],
  ['an int', int, '{"result": 42}', '42'],
  ['a bare int', int, '42', '42'],
  ['an int in words around JSON', int, 'Sure: {"result": "1,200"}', '1200'],
  ['a big int', int, '{"result": 12345678901234567890}', '12345678901234567890'],
  ['a bool', { t: 'bool' }, 'Yes', 'True'],
  ['none', { t: 'none' }, 'whatever', 'None'],
  ['an optional', { t: 'union', of: [int, { t: 'none' }] }, '{"result": null}', 'None'],
  ['a union by kind', { t: 'union', of: [int, str] }, '{"result": "7"}', "'7'"],
  ['an enum by name', ref('Level', () => Level), '{"result": "HIGH"}', '<Level.HIGH: 2>'],
  ['an enum by value', ref('Level', () => Level), '{"result": 1}', '<Level.LOW: 1>'],
  ['a bare enum name', ref('Level', () => Level), 'Level.high', '<Level.HIGH: 2>'],
  ['a tuple', { t: 'tuple', items: [str, int], of: undefined }, '```json\n{"result": ["a", 1]}\n```', "('a', 1)"],
  ['a dict of pairs', { t: 'dict', key: int, value: str }, '{"result": [{"key": "1", "value": "a"}]}', "{1: 'a'}"],
  ['a dict as an object', { t: 'dict', key: str, value: int }, '{"a": 1}', "{'a': 1}"],
  ['a set', { t: 'set', of: int }, '{"result": [1, 1]}', '{1}'],
  ['a literal', { t: 'literal', values: ['a', 'b'] }, '{"result": "b"}', "'b'"],
  ['a date', { t: 'date' }, '{"result": "2026-02-28"}', 'datetime.date(2026, 2, 28)'],
  ['a duration', { t: 'timedelta' }, '{"result": 90}', 'datetime.timedelta(seconds=90)'],
  ['bytes', { t: 'bytes' }, '{"result": "aGk="}', "b'hi'"],
  ['any text', { t: 'any' }, '{"a": 1}', `'{"a": 1}'`],
])('%s', async (_, type, answer, shown) => {
  const { value, error } = await ask(spec(type), [answer]);
  expect(error).toBeUndefined();
  expect($.repr(value)).toBe(shown);
});

test('a wrong answer goes back with what is wrong, and only so often', async () => {
  const about = spec({ t: 'list', of: int });
  const good = await ask(about, ['{"result": [1, "two"]}', '{"result": [1, 2]}']);
  expect(good.value).toEqual([1, 2]);
  expect(good.asked[1]!.body.messages.slice(-2)).toEqual([
    { role: 'assistant', content: '{"result": [1, "two"]}' },
    { role: 'user', content: expect.stringContaining("result[1]: expected int, got 'two'") },
  ]);
  const bad = await ask(about, () => 'no idea');
  expect(bad.asked).toHaveLength(3);
  expect(bad.error).toBeInstanceOf($.ValueError);
  expect($.str(bad.error)).toBe(
    "the model's answer for shop.f does not fit list[int] after 3 tries: result: expected list[int], got 'no idea'",
  );
});

test('a required field that is missing, and a constructor that refuses, are told to the model', async () => {
  class Even extends $.Obj {
    declare n: number;
    postinit() {
      if (this.n % 2 === 1) throw new $.ValueError('n must be even');
    }
  }
  $.archetype(Even, { kind: 'obj', name: 'Even', module: 'shop', fields: [{ name: 'n', type: int }], abilities: [] });
  const { value, asked } = await ask(spec(ref('Even', () => Even)), ['{}', '{"n": 3}', '{"n": 4}']);
  expect($.repr(value)).toBe('Even(n=4)');
  expect(asked[1]!.text).toContain('result.n: missing, expected int');
  expect(asked[2]!.text).toContain('n must be even');
});

test('classes of a union are told apart by name', async () => {
  class Dog extends $.Obj {}
  class Cat extends $.Obj {}
  for (const [cls, name] of [
    [Dog, 'Dog'],
    [Cat, 'Cat'],
  ] as const)
    $.archetype(cls, { kind: 'obj', name, module: 'shop', fields: [{ name: 'name', type: str }], abilities: [] });
  const type: TypeRef = { t: 'union', of: [ref('Dog', () => Dog), ref('Cat', () => Cat)] };
  const { value, asked } = await ask(spec(type), ['{"result": {"$type": "Cat", "name": "Tom"}}']);
  expect($.repr(value)).toBe("Cat(name='Tom')");
  expect(asked[0]!.body.response_format.json_schema.schema.$defs.Cat.properties.$type).toEqual({
    type: 'string',
    enum: ['Cat'],
  });
});

test('tools: schema, arguments, results, failures, and the end of patience', async () => {
  const seen: unknown[] = [];
  const add = $.func(
    (a: number, b = 5) => {
      seen.push([a, b]);
      if (a < 0) throw new $.ValueError('too small');
      return a + b;
    },
    spec(
      int,
      { a: int },
      {
        name: 'add',
        qualname: 'add',
        doc: 'Adds.',
        sem: { a: 'first' },
        params: [
          { name: 'a', kind: 'any', type: int },
          { name: 'b', kind: 'any', type: int, default: () => undefined },
        ],
      },
    ),
  );
  const call = (given: unknown) => ({ tools: [{ name: 'add', arguments: given }] });
  const { value, asked } = await ask(
    spec(int),
    [call({ a: '2' }), call({ a: -1, b: 1 }), call({ c: 1 }), '{"result": 7}'],
    {
      model: { tools: [add] },
    },
  );
  expect(value).toBe(7);
  expect(seen).toEqual([
    [2, 5],
    [-1, 1],
  ]);
  expect(asked[0]!.body.tools).toEqual([
    {
      type: 'function',
      function: {
        name: 'add',
        description: 'Adds.',
        parameters: {
          type: 'object',
          properties: { a: { type: 'integer', description: 'first' }, b: { type: 'integer' } },
          required: ['a'],
          additionalProperties: false,
        },
      },
    },
  ]);
  const results = asked[3]!.body.messages.filter((m: any) => m.role === 'tool').map((m: any) => m.content);
  expect(results).toEqual(['7', 'Error: ValueError: too small', 'Error: arguments: add has no parameter c']);
  expect(asked[3]!.body.tool_choice).toBe('none'); // the last of three rounds is over
  const endless = await ask(spec(int), () => call({ a: 1 }), { model: { tools: [add] } });
  expect($.str(endless.error)).toContain('more than 3 times (max_tool_rounds)');
});

test('a service that is busy or failing is asked again, also after Retry-After', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' }, body: '' };
  const { value, asked } = await ask(spec(str), [busy, { status: 503 }, 'here']);
  expect([value, asked.length]).toEqual(['here', 3]);
  const broken = await ask(spec(str), [{ raw: (response) => response.destroy() }, 'back']);
  expect([broken.value, broken.asked.length]).toEqual(['back', 2]);
  const long = await ask(spec(str), [{ status: 429, headers: { 'retry-after': '3600' } }, 'never']);
  expect([long.error instanceof $.ConnectionError, long.asked.length]).toEqual([true, 1]);
  const down = await ask(spec(str), () => ({ status: 500, body: '{"error": {"message": "overloaded"}}' }));
  expect([$.str(down.error), down.asked.length]).toEqual([
    expect.stringMatching(/^the model service at 127\.0\.0\.1:\d+ answered 500: overloaded$/),
    3,
  ]);
});

test('a refusal is not tried again and shows no key', async () => {
  const body = `{"error": {"message": "Incorrect API key provided: ${key}, also sk-test-****cdef-masked."}}`;
  const { error, asked } = await ask(spec(str), [{ status: 401, body }]);
  expect(asked).toHaveLength(1);
  expect(error).toBeInstanceOf($.RuntimeError);
  expect($.str(error)).toContain('answered 401: Incorrect API key provided: [redacted]');
  expect(`${error.stack} ${$.repr(error)}`).not.toMatch(/0123456789|masked/);
  expect($.repr($.callkw(Model, ['m'], { api_key: key } as any))).toBe("<Model 'm'>");
});

test('nothing follows a redirect with the key', async () => {
  await using other = await openModelService(() => 'stolen');
  const { error } = await ask(spec(str), [{ status: 307, headers: { location: `${other.base}/chat/completions` } }]);
  expect($.str(error)).toContain('answered 307');
  expect(other.asked).toEqual([]);
});

test('an answer that does not come, or never ends, is given up', async () => {
  const silent = await ask(spec(str), [{ raw: () => {} }], { settings: { timeoutSeconds: 0.5 } });
  expect(silent.error).toBeInstanceOf($.TimeoutError);
  expect(silent.abandoned).toBe(silent.asked.length);
  const endless: Answer = {
    raw(response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => response.destroyed || response.write('x'.repeat(8000), () => setImmediate(more));
      more();
    },
  };
  const huge = await ask(spec(str), [endless]);
  expect($.str(huge.error)).toBe('the model service sent more than max_answer_bytes (20000)');
});

test('a call that is given up ends its request', async () => {
  let cancel = () => {};
  const { error, abandoned } = await ask(
    spec(str),
    () => {
      setImmediate(cancel);
      return { raw: () => {} };
    },
    {
      unit: {
        onCancel: (listener) => {
          cancel = listener;
          return () => {};
        },
      },
    },
  );
  expect($.str(error)).toBe('the call was given up before the model had answered');
  expect(abandoned).toBe(1);
});

test('streams pieces as they come, tool rounds included', async () => {
  const events = (...deltas: unknown[]) => ({
    events: [...deltas.map((delta) => JSON.stringify({ choices: [{ delta }] })), '[DONE]'],
  });
  const now = $.func(() => 'noon', spec(str, {}, { name: 'now', qualname: 'now' }));
  const part = (given: object) => ({ tool_calls: [{ index: 0, ...given }] });
  const { value, asked } = await ask(
    spec(str),
    [
      events(part({ id: 'c1', function: { name: 'now', arguments: '' } }), part({ function: { arguments: '{}' } })),
      events({ content: 'It is ' }, { content: 'noon.' }),
    ],
    {
      model: { stream: true, tools: [now] },
      use: async (pieces) => {
        const got: unknown[] = [];
        for await (const piece of pieces as AsyncIterable<unknown>) got.push(piece);
        return got;
      },
    },
  );
  expect(value).toEqual(['It is ', 'noon.']);
  expect(asked[0]!.body.stream).toBe(true);
  expect(asked[1]!.text).toContain('noon');
  const wrong = await ask(spec(int), [], { model: { stream: true } });
  expect($.str(wrong.error)).toBe('stream=True gives text: shop.f must be declared to give str, not int');
});

test('a service without schemas gets the schema in words', async () => {
  const { value, asked } = await ask(spec(int), [
    { status: 400, body: '{"error": {"message": "response_format is unavailable"}}' },
    '{"result": 5}',
  ]);
  expect(value).toBe(5);
  expect(asked[1]!.body).not.toHaveProperty('response_format');
  expect(asked[1]!.text).toContain('"integer"');
});

test('reasoning comes before the result', async () => {
  const { value, asked } = await ask(spec(str), ['{"reasoning": "because", "result": "so"}'], {
    model: { method: 'Reason' },
  });
  expect(value).toBe('so');
  expect(Object.keys(asked[0]!.body.response_format.json_schema.schema.properties)).toEqual(['reasoning', 'result']);
});

test('pictures go along as parts of the message', async () => {
  await $.load('byllm.types');
  const { Image } = $.std('byllm.types');
  const { asked } = await ask(spec(str, { photo: { t: 'any' } }), ['a cat'], {
    values: [$.call(Image, $.bytes('\x89PNG'))],
  });
  expect(asked[0]!.body.messages[1].content[1]).toEqual({
    type: 'image_url',
    image_url: { url: 'data:image/png;base64,iVBORw==' },
  });
});

test('what is missing is named', async () => {
  const unnamed = await ask(spec(str), [], { settings: { defaultModel: '' } });
  expect($.str(unnamed.error)).toMatch(
    /^no model is configured: set default_model in \[plugins\.byllm\] .* SVC_LLM_MODEL/,
  );
  const before = process.env['GEMINI_API_KEY'];
  delete process.env['GEMINI_API_KEY'];
  const keyless = await ask(spec(str), [], {
    settings: { baseUrl: '', apiKey: '', defaultModel: 'gemini/gemini-2.5-flash' },
  });
  if (before !== undefined) process.env['GEMINI_API_KEY'] = before;
  expect(keyless.error).toBeInstanceOf($.RuntimeError);
  expect($.str(keyless.error)).toMatch(
    /^no key for model gemini\/gemini-2\.5-flash: set GEMINI_API_KEY, or api_key in/,
  );
});

test('any object with invoke is a model; its value is held to the declared type', async () => {
  const runtime = createRuntime({ store: openVolatileStore() });
  const seen: any[] = [];
  const model = (value: unknown) => ({
    invoke(call: any) {
      seen.push(call);
      return value;
    },
  });
  const about = spec({ t: 'list', of: ref('Level', () => Level) }, { n: int }, { sem: { n: 'how many' } });
  const run = (value: unknown) => runUnit(runtime, guest, () => $.delegate(model(value), about, [3], undefined));
  expect($.repr(await run(['LOW', 2]))).toBe('[<Level.LOW: 1>, <Level.HIGH: 2>]');
  const [call] = seen;
  expect([call.name, call.result, call.parameters[0].value, call.parameters[0].type, call.parameters[0].sem]).toEqual([
    'shop.f',
    'list[Level]',
    3,
    'int',
    'how many',
  ]);
  await expect(run('x')).rejects.toBeInstanceOf($.ValueError);
  const none = runUnit(runtime, guest, () => $.delegate(null, about, [3], undefined));
  await expect(none).rejects.toThrow("'NoneType' object cannot stand behind 'by': it has no method 'invoke'");
});

test('a value that contains itself ends', async () => {
  const list: unknown[] = [1];
  list.push(list);
  const { asked } = await ask(spec(str, { x: { t: 'any' } }), ['ok'], { values: [list] });
  expect(asked[0]!.text).toContain('= [1, …]');
});

test('what is said about the parameters of a constructor is said about the parts of the class', () => {
  class Label extends $.Obj {
    init(_text: string, _size: number) {}
  }
  $.func(Label.prototype.init, {
    ...spec({ t: 'none' }, { text: str, size: int }),
    name: 'init',
    qualname: 'Label.__init__',
    sem: { text: 'what stands on it', size: 'in points' },
  });
  $.archetype(Label, {
    kind: 'obj',
    name: 'Label',
    module: 'shop',
    fields: [{ name: 'text', type: str }],
    abilities: [],
    sem: { text: 'the words' },
  });
  expect(partsOf(requireMeta(Label)).map(({ name, meaning }) => [name, meaning])).toEqual([
    ['text', 'the words'],
    ['size', 'in points'],
  ]);
});

class Place extends $.Node {}
$.archetype(Place, {
  kind: 'node',
  name: 'Place',
  module: 'shop',
  fields: [{ name: 'name', type: str }],
  abilities: [],
});

test('of nodes and edges a model chooses: it is told of each, and of no number that is none of theirs', async () => {
  const { value, asked } = await ask(spec(str), ['ready', '{"result": [5, 1, 0]}'], {
    use: async () => {
      const model = $.callkw(Model, ['m1'], { intent: 'Go where it is warm', select: 1 } as any) as Model;
      const places = ['north', 'south'].map((name) => $.construct(Place, [name]));
      return ((await model.invoke_value(places)) as { name: string }[]).map(({ name }) => name);
    },
  });
  expect(value).toEqual(['south']);
  expect(asked[1]!.text).toContain("Place(name='north')");
  expect(asked[1]!.text).toContain('Go where it is warm');
  expect(asked[1]!.text).toContain('How many: 1');
  expect(asked[1]!.body).not.toHaveProperty('intent');
});

test('a conversation is sent before the question and grows by it and its answer', async () => {
  const history: unknown[] = [
    $.Dict.of('role', 'user', 'content', 'I am Ada'),
    $.Dict.of('role', 'assistant', 'content', 'Hello'),
  ];
  const { value, asked, error } = await ask(spec(str, { question: str }), ['You are Ada'], {
    values: ['Who am I?'],
    model: { config: $.Dict.of('conversation', history, 'parallelize', false, 'top_p', 0.5) },
  });
  expect(error).toBeUndefined();
  expect(value).toBe('You are Ada');
  const [{ body }] = asked as [Asked];
  expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(body.messages[1].content).toBe('I am Ada');
  expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'top_p']);
  expect(history.length).toBe(4);
  expect($.str((history[2] as any).get('content'))).toContain('Who am I?');
  expect($.repr(history[3])).toBe("{'role': 'assistant', 'content': 'You are Ada'}");
});

test('a conversation keeps what was done with tools, and sends it again', async () => {
  const history: unknown[] = [];
  const tool = $.func((place: string) => `sunny in ${place}`, {
    ...spec(str, { place: str }),
    name: 'weather',
  } as FunctionSpec);
  const answers: Answer[] = [
    'ready',
    { tools: [{ name: 'weather', arguments: { place: 'Oslo' } }] },
    'Sunny.',
    'Still.',
  ];
  const { asked, error } = await ask(spec(str, { question: str }), answers, {
    values: ['How is Oslo?'],
    use: async () => {
      const model = $.callkw(Model, ['m1'], { conversation: history, tools: [tool] } as any) as Model;
      for (const question of ['How is Oslo?', 'And now?'])
        await $.delegate(model, spec(str, { question: str }), [question], null);
    },
  });
  expect(error).toBeUndefined();
  const roles = (messages: any[]) => messages.map(({ role }) => role);
  expect(roles(asked[3]!.body.messages)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  expect(asked[3]!.body.messages.slice(2, 4)).toEqual(asked[2]!.body.messages.slice(2, 4));
  expect($.repr(history[2])).toContain("'name': 'weather', 'content': 'sunny in Oslo'");
  expect(history.length).toBe(6);
});

test('failures of a service are caught by the names of their kind', async () => {
  for (const [status, name] of [
    [401, 'AuthenticationError'],
    [404, 'ModelNotFoundError'],
    [429, 'RateLimitError'],
  ] as const) {
    const { error } = await ask(spec(str), () => ({ status, body: 'no' }), { model: { num_retries: 0 } });
    expect(error).toBeInstanceOf(failureClasses[name]!);
    expect(error).toBeInstanceOf(failureClasses['ByLLMError']!);
    expect(error).not.toBeInstanceOf(failureClasses['OutputConversionError']!);
  }
});

test('what is no conversation is refused before anything is sent', async () => {
  for (const conversation of ['text', [1], [$.Dict.of('text', 'x')]]) {
    const { error, asked } = await ask(spec(str), ['x'], { model: { conversation } });
    expect([error.constructor.name, asked.length]).toEqual(['TypeError', 0]);
    expect(error.message).toContain('conversation of a model must');
  }
});

test('in a pool the next model answers when the service of one fails, but not for an answer that does not fit', async () => {
  const pool = (models: unknown[]) => $.callkw(ModelPool, [models], { num_retries: 0, retries: 0 } as any);
  const answer = ({ body }: Asked): Answer => (body.model === 'm1' ? { status: 503, body: 'busy' } : '{"result": 5}');
  const done = await ask(spec(str), answer, {
    model: { outputs: ['x'] },
    use: () => $.delegate(pool(['m1', 'm2']), spec(int), [], null),
  });
  expect(done.value).toBe(5);
  expect(done.asked.map(({ body }) => body.model)).toEqual(['m1', 'm2']);
  const wrong = await ask(spec(str), ['{"result": "a"}'], {
    model: { outputs: ['x'] },
    use: () => $.delegate(pool(['m1', 'm2']), spec(int), [], null),
  });
  expect(wrong.error.constructor.name).toBe('ValueError');
  expect(wrong.asked.length).toBe(1);
});
