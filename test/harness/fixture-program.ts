/** The fixture application of the wire examples, written by hand against the runtime as compiled code would be. */

import type { UploadFile } from '../../core/files/upload-file.ts';
import { HTTPError } from '../../core/modules/http-members.ts';
import { loadProgram } from '../../core/program/load.ts';
import type { Program } from '../../core/program/program.ts';
import { restspec } from '../../core/program/rest-spec.ts';
import * as $ from '../../core/runtime.ts';
import type {
  AbilitySpec,
  ArchetypeSpec,
  FieldSpec,
  FunctionSpec,
  ParamSpec,
  RestSpec,
  TypeRef,
} from '../../library/classes/spec.ts';
import { load, std } from '../../library/registry.ts';

await load('math');

const str: TypeRef = { t: 'str' };
const int: TypeRef = { t: 'int' };
const bool: TypeRef = { t: 'bool' };
const any: TypeRef = { t: 'any' };
const listOf = (of: TypeRef): TypeRef => ({ t: 'list', of });
const optional = (of: TypeRef): TypeRef => ({ t: 'union', of: [of, { t: 'none' }] });
const ref = (name: string, get: () => unknown): TypeRef => ({ t: 'ref', name, get });

type Default = string | number | boolean | null | (() => unknown);
const field = (name: string, type: TypeRef, value?: Default, more: Partial<FieldSpec> = {}): FieldSpec => {
  if (value === undefined) return { name, type, ...more };
  return { name, type, default: typeof value === 'function' ? value : () => value, ...more };
};

function declare<C>(
  cls: C & any,
  kind: ArchetypeSpec['kind'],
  fields: readonly FieldSpec[],
  more: Partial<ArchetypeSpec> = {},
): C {
  return $.archetype(cls, { kind, name: cls.name, module: 'main', fields, abilities: [], ...more }) as C;
}

class Color extends $.Enum {}
$.enumeration(Color, {
  name: 'Color',
  module: 'main',
  members: [
    ['RED', 'red'],
    ['GREEN', 'green'],
  ],
});

class Address extends $.Obj {}
declare(Address, 'obj', [field('street', str), field('zip', optional(str), null)]);
class Person extends $.Obj {}
declare(Person, 'obj', [
  field('name', str),
  field('age', int),
  field('address', optional(ref('Address', () => Address)), null),
  field('tags', listOf(str), () => []),
  field(
    'color',
    ref('Color', () => Color),
    () => (Color as any).RED,
  ),
]);
class TreeNode extends $.Obj {
  declare children: unknown[];
}
declare(TreeNode, 'obj', [field('label', str), field('children', listOf(any), () => [])]);
class Task extends $.Node {
  declare title: string;
}
declare(Task, 'node', [
  field('title', str),
  field('priority', int, 1),
  field('done', bool, false),
  field('secret_note', str, 'hush', { access: 'priv' }),
]);
class Counter extends $.Node {
  declare name: string;
  declare value: number;
}
declare(Counter, 'node', [field('name', str), field('value', int, 0)]);

const exported: Record<string, unknown> = { Task, Counter, Person, Address, TreeNode };
const make = (cls: unknown, ...args: unknown[]) => (cls as any).$new(...args);
const children = (of: unknown, type: unknown) => $.hops(of, 'node', [{ dir: 'out', nodeType: type as any }]) as any[];

interface WalkerOptions {
  readonly on?: unknown;
  readonly access?: ArchetypeSpec['access'];
  readonly rest?: Partial<RestSpec>;
  readonly module?: string;
  readonly async?: boolean;
}

/** One walker with one entry ability. */
function walker(
  name: string,
  fields: readonly FieldSpec[],
  run: (this: any, here: any, walk: any) => unknown,
  options: WalkerOptions = {},
): void {
  const { on = $.Root, access, rest, module = 'main', async = false } = options;
  const cls = { [name]: class extends $.Walker {} }[name]!;
  const ability: AbilitySpec = { name: 'go', when: 'entry', trigger: () => on, run };
  declare(cls, 'walker', fields, { module, async, abilities: [ability], ...(access === undefined ? {} : { access }) });
  if (rest !== undefined) decorate(cls, rest);
  exported[name] = cls;
}

function decorate(target: unknown, rest: Partial<RestSpec>): void {
  const { method, path, protocol, broadcast, envelope, produces, verify, secret } = rest;
  (restspec as any)(method, path, protocol, broadcast, envelope, produces, verify, secret)(target);
}

function func(
  name: string,
  params: Record<string, TypeRef>,
  result: TypeRef,
  run: (...args: any[]) => unknown,
  options: WalkerOptions = {},
): void {
  const list: ParamSpec[] = Object.entries(params).map(([name, type]) => ({ name, kind: 'any', type }));
  const spec: FunctionSpec = {
    name,
    qualname: name,
    module: 'main',
    params: list,
    result,
    ...(options.access === undefined ? {} : { access: options.access }),
  };
  exported[name] = $.func(run, spec);
  if (options.rest !== undefined) decorate(run, options.rest);
}

const pub = { access: 'pub' } as const;

walker('Ping', [], (_here, walk) => void $.report(walk, 'pong'), pub);
walker(
  'Echo',
  [field('message', str), field('times', int, 1)],
  function (_here, walk) {
    for (let i = 0; i < this.times; i++) $.report(walk, this.message);
  },
  pub,
);
walker('WhoAmI', [], (here, walk) => void $.report(walk, $.oid(here)), pub);
walker('AddTask', [field('title', str), field('priority', int, 1)], function (here, walk) {
  const task = make(Task, this.title, this.priority);
  $.connect(here, task, 'out');
  $.report(walk, task);
});
walker('ListTasks', [], (here, walk) => {
  for (const task of children(here, Task)) $.report(walk, task);
});
walker('CountTasks', [], (here, walk) => void $.report(walk, children(here, Task).length));
walker('GetTask', [], (here, walk) => void $.report(walk, here), { on: Task });
walker(
  'RemoveTask',
  [
    field(
      'task',
      ref('Task', () => Task),
    ),
  ],
  function (_here, walk) {
    $.destroy(this.task);
    $.report(walk, 'deleted');
  },
  { rest: { method: 'DELETE' } },
);
walker('Group', [field('tasks', listOf(ref('Task', () => Task)))], function (_here, walk) {
  $.report(walk, this.tasks.length);
});
walker('Bump', [field('name', str)], function (here, walk) {
  const { name, value } = bump(here, this.name);
  $.report(walk, { name, value });
});
walker(
  'Greet',
  [field('name', str, 'world'), field('shout', bool, false), field('tags', listOf(str), () => [])],
  function (_here, walk) {
    $.report(walk, { hello: this.shout ? this.name.toUpperCase() : this.name, tags: this.tags });
  },
  { access: 'pub', rest: { method: 'GET' } },
);
walker(
  'ItemByPath',
  [field('item_id', int), field('verbose', bool, false)],
  function (_here, walk) {
    $.report(walk, { item_id: this.item_id, verbose: this.verbose });
  },
  { access: 'pub', rest: { method: 'GET', path: '/items/{item_id}' } },
);
walker(
  'PutThing',
  [field('thing_id', str), field('size', { t: 'float' })],
  function (_here, walk) {
    $.report(walk, { thing_id: this.thing_id, size: this.size });
  },
  { rest: { method: 'PUT', path: '/things/{thing_id}' } },
);
walker(
  'Big',
  [field('n', int)],
  function (_here, walk) {
    $.report(walk, this.n);
  },
  pub,
);
walker(
  'SavePerson',
  [
    field(
      'person',
      ref('Person', () => Person),
    ),
  ],
  function (_here, walk) {
    $.report(walk, this.person);
  },
  pub,
);
walker(
  'Take',
  [
    field('items', listOf(int), () => []),
    field('open', any, null),
    field('table', { t: 'dict', key: str, value: int }, () => $.Dict.of()),
    field('person', optional(ref('Person', () => Person)), null),
    field('hidden', str, '', { access: 'priv' }),
  ],
  function (_here, walk) {
    $.report(walk, this.items.length);
    $.report(walk, this.open);
  },
  pub,
);
walker(
  'Tree',
  [],
  (_here, walk) => {
    const a = make(TreeNode, 'a');
    a.children = [make(TreeNode, 'b', [a])];
    $.report(walk, a);
  },
  pub,
);
walker(
  'Import',
  [field('file', optional({ t: 'UploadFile' }), null), field('rows', listOf(int), () => [])],
  function (_here, walk) {
    $.report(walk, this.rows.length);
  },
  pub,
);
walker('Upload', [field('file', { t: 'UploadFile' }), field('note', str, '')], function (_here, walk) {
  const file = this.file as UploadFile;
  const { filename, content_type, size } = file;
  $.report(walk, { filename, content_type, size, note: this.note, first: file.file.readline().latin1.trimEnd() });
});
walker(
  'Stream',
  [field('n', int, 3)],
  function (_here, walk) {
    const { n } = this;
    $.report(
      walk,
      $.gen(
        (function* () {
          for (let i = 0; i < n; i++) yield { n: i };
        })(),
      ),
    );
  },
  pub,
);
walker(
  'StreamFail',
  [],
  (_here, walk) => {
    $.report(
      walk,
      $.gen(
        (function* () {
          yield { n: 0 };
          throw new $.ValueError('boom');
        })(),
      ),
    );
  },
  pub,
);
walker('StreamWrite', [], (here, walk) => {
  $.report(
    walk,
    $.gen(
      (function* () {
        for (let i = 0; i < 3; i++) {
          $.connect(here, make(Task, `s${i}`), 'out');
          yield i;
        }
      })(),
    ),
  );
});
walker(
  'Fails',
  [],
  (here) => {
    $.connect(here, make(Task, 'never'), 'out');
    throw new $.ValueError('boom');
  },
  pub,
);
walker(
  'Teapot',
  [],
  () => {
    throw new HTTPError(418, 'TEAPOT', 'short and stout', { spout: 1 });
  },
  pub,
);
walker(
  'Slow',
  [field('ms', int)],
  async function (_here, walk) {
    await new Promise((resolve) => setTimeout(resolve, this.ms));
    $.report(walk, 'done');
  },
  pub,
);
walker(
  'SlowWrite',
  [field('ms', int)],
  async function (here) {
    $.connect(here, make(Task, 'slow'), 'out');
    await new Promise((resolve) => setTimeout(resolve, this.ms));
  },
  pub,
);
walker(
  'Forever',
  [],
  (_here, walk) => {
    $.report(
      walk,
      $.agen(
        (async function* () {
          for (let i = 0; ; i++) {
            yield i;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        })(),
      ),
    );
  },
  pub,
);
walker('PrivOwn', [], (_here, walk) => void $.report(walk, 'own'), { access: 'priv' });
walker('LibPub', [], (_here, walk) => void $.report(walk, 'lib'), { access: 'pub', module: 'lib' });
walker('LibPriv', [], (_here, walk) => void $.report(walk, 'lib'), { access: 'priv', module: 'lib' });
walker(
  'PaymentReceived',
  [field('payment_id', str)],
  function (here, walk) {
    $.report(walk, { runs: bump(here, this.payment_id).value });
  },
  { rest: { protocol: 'WEBHOOK' } },
);
const socket = { protocol: 'WEBSOCKET' } as const;
const repeat = async function (this: any, _here: any, walk: any) {
  $.report(walk, { message: this.message });
};
walker('EchoWs', [field('message', str)], repeat, { access: 'pub', async: true, rest: socket });
walker('PrivateRoom', [field('message', str)], repeat, { async: true, rest: { ...socket, broadcast: true } });
walker('TypedWs', [field('type', str), field('message', str, '')], repeat, { ...pub, async: true, rest: socket });
walker(
  'Moment',
  [field('at', { t: 'datetime' }), field('id', { t: 'uuid' })],
  function (_here, walk) {
    $.report(walk, [this.at, this.id]);
  },
  pub,
);
walker(
  'Odd',
  [],
  (_here, walk) => {
    $.report(walk, [() => 1, std('math')]);
  },
  pub,
);

func('add', { a: int, b: int }, int, (a: number, b: number) => a + b, { access: 'protect' });
func('shout', { text: str }, str, (text: string) => text.toUpperCase(), pub);
func('info', {}, any, () => ({ app: 'demo' }), { access: 'pub', rest: { method: 'GET', path: '/info' } });
func('robots', {}, str, () => 'User-agent: *\n', {
  access: 'pub',
  rest: { method: 'GET', path: '/robots.txt', envelope: false },
});
func('nothing', {}, { t: 'none' }, () => null, { access: 'pub', rest: { envelope: false } });
func('data', {}, any, () => $.Dict.of('a', 1), {
  access: 'pub',
  rest: { envelope: false, produces: 'application/x-thing' },
});
func(
  'count',
  { n: int },
  any,
  (n: number) =>
    $.gen(
      (function* () {
        for (let i = 0; i < n; i++) yield i;
      })(),
    ),
  pub,
);
func(
  'tell',
  { n: int, streams: { t: 'bool' } },
  any,
  (n: number, streams: boolean) => {
    $.report(undefined, 'begun');
    if (streams) $.report(undefined, $.gen(Array.from({ length: n }, (_, i) => i)[Symbol.iterator]()));
    return null;
  },
  pub,
);

/** Loads it anew. */
export function loadFixture(): Program {
  return loadProgram({ entry: 'main', exports: exported });
}

/** Counts under a name, in a node of its own. */
function bump(here: any, name: string): Counter {
  let [counter] = children(here, Counter).filter((one) => one.name === name);
  if (counter === undefined) {
    counter = make(Counter, name);
    $.connect(here, counter, 'out');
  }
  counter.value += 1;
  return counter;
}
