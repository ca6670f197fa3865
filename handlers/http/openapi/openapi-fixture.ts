import { fixtureConfig } from '../../../core/accounts/fixture.ts';
import { Edge, Node, Walker } from '../../../core/graph/objects.ts';
import { plainRest } from '../../../core/program/rest-spec.ts';
import { archetype } from '../../../library/classes/archetype.ts';
import { Obj } from '../../../library/classes/classes.ts';
import { requireMeta } from '../../../library/classes/meta.ts';
import type {
  ArchetypeKind,
  FieldSpec,
  FunctionSpec,
  ParamSpec,
  RestSpec,
  TypeRef,
} from '../../../library/classes/spec.ts';
import { Dict } from '../../../library/values/containers/dict.ts';
import { Enum, enumeration } from '../../../library/values/objects/enums.ts';
import { authFixture } from '../../auth/fixture.ts';
import type { ServedTarget, TargetField } from '../../served-targets.ts';
import type { Routes } from '../build-routes.ts';
import type { OpenApiConfig } from './openapi.ts';

/** The fixture application of the acceptance transcripts, as far as its description goes, with odd types added. */
const str: TypeRef = { t: 'str' };
const int: TypeRef = { t: 'int' };
const bool: TypeRef = { t: 'bool' };
const none: TypeRef = { t: 'none' };
const any: TypeRef = { t: 'any' };
const file: TypeRef = { t: 'UploadFile' };
const list = (of: TypeRef): TypeRef => ({ t: 'list', of });
const maybe = (type: TypeRef): TypeRef => ({ t: 'union', of: [type, none] });
const ref = (name: string, get: () => unknown): TypeRef => ({ t: 'ref', name, get });

function field(name: string, type: TypeRef, ...rest: [value?: unknown, more?: Partial<FieldSpec>]): FieldSpec {
  const [value, more] = rest;
  return { name, type, ...(rest.length > 0 && value !== undefined && { default: () => value }), ...more };
}

function declare(
  base: any,
  kind: ArchetypeKind,
  name: string,
  fields: readonly FieldSpec[],
  more: { doc?: string; module?: string } = {},
): any {
  const cls = { [name]: class extends base {} }[name];
  return archetype(cls, { kind, name, module: 'main', fields, abilities: [], ...more });
}

class Color extends Enum {}
enumeration(Color, {
  name: 'Color',
  module: 'main',
  members: [
    ['RED', 'red'],
    ['GREEN', 'green'],
  ],
});
const color = ref('Color', () => Color);
const Address = declare(Obj, 'obj', 'Address', [field('street', str), field('zip', maybe(str), null)]);
const Person = declare(
  Obj,
  'obj',
  'Person',
  [
    field('name', str, undefined, { doc: 'Full name.' }),
    field('age', int),
    field('address', maybe(ref('Address', () => Address)), null),
    field('tags', list(str), []),
    field('color', color, (Color as unknown as { RED: unknown }).RED),
  ],
  { doc: 'Somebody.\n\nWith an address, perhaps.' },
);
const TreeNode: any = declare(Obj, 'obj', 'TreeNode', [
  field('label', str),
  field('children', list(ref('TreeNode', () => TreeNode)), []),
]);
const Task = declare(
  Node,
  'node',
  'Task',
  [
    field('title', str),
    field('priority', int, 1),
    field('done', bool, false),
    field('secret_note', str, 'hush', { access: 'priv' }),
  ],
  { doc: 'A to-do item.' },
);
const Blocks = declare(Edge, 'edge', 'Blocks', [field('reason', str, '')]);
const LibError = declare(Obj, 'obj', 'Error', [field('text', str)], { module: 'pkg.lib' });
const Label = declare(Obj, 'obj', 'Label', [field('text', str)]);
const LibLabel = declare(Obj, 'obj', 'Label', [field('x', int)], { module: 'pkg.lib' });
const task = ref('Task', () => Task);

const post = plainRest;

interface Extra {
  readonly access?: ServedTarget['access'];
  readonly rest?: Partial<RestSpec>;
  readonly doc?: string;
}

function walker(
  name: string,
  fields: readonly FieldSpec[],
  { access = 'default', rest = {}, doc = '' }: Extra = {},
): ServedTarget {
  const meta = requireMeta(declare(Walker, 'walker', name, fields, { doc }));
  const folder = rest.protocol === 'WEBSOCKET' ? 'ws' : rest.protocol === 'WEBHOOK' ? 'webhook' : 'walker';
  return target('walker', name, folder, meta.params, { access, rest, doc }, { meta, spec: undefined });
}

function fn(
  name: string,
  params: readonly ParamSpec[],
  result: TypeRef,
  extra: Extra & { readonly generator?: boolean } = {},
): ServedTarget {
  const spec: FunctionSpec = {
    name,
    qualname: name,
    module: 'main',
    params,
    result,
    ...(extra.generator && { generator: true }),
  };
  return target('function', name, 'function', params, extra, { meta: undefined, spec });
}

function target(
  kind: ServedTarget['kind'],
  name: string,
  folder: string,
  params: readonly ParamSpec[],
  { access = 'default', rest = {}, doc = '' }: Extra,
  declaration: Pick<ServedTarget, 'meta' | 'spec'>,
): ServedTarget {
  const full = { ...post, ...rest };
  const fields = params.map(
    (param): TargetField => ({
      name: param.name,
      type: param.type,
      isRequired: param.default === undefined,
      default: param.default?.(),
      isHidden: param.name.startsWith('_'),
    }),
  );
  return {
    kind,
    name,
    access,
    isPublic: access === 'pub',
    rest: full,
    methods: [full.method],
    path: full.path || `/${folder}/${name}`,
    isAsync: false,
    doc,
    fields,
    queryFields: [],
    fn: undefined,
    ...declaration,
  };
}

const param = (name: string, type: TypeRef): ParamSpec => ({ name, kind: 'any', type });
const pub = { access: 'pub' } as const;

export interface OpenApiFixture {
  readonly served: Pick<Routes, 'targets' | 'fixed'>;
  readonly config: OpenApiConfig;
}

export function openApiFixture(): OpenApiFixture {
  const odd: TypeRef[] = [
    { t: 'float' },
    { t: 'bytes' },
    { t: 'datetime' },
    { t: 'uuid' },
    { t: 'timedelta' },
    { t: 'object' },
    { t: 'set', of: int },
    { t: 'tuple', items: [int, str], of: undefined },
    { t: 'tuple', items: undefined, of: int },
    { t: 'dict', key: str, value: int },
    { t: 'dict', key: str, value: any },
    { t: 'union', of: [int, str] },
    maybe({ t: 'union', of: [int, list(str)] }),
    { t: 'literal', values: ['a', 'b'] },
    maybe(color),
    maybe(task),
    { t: 'unknown', text: 'numpy.array' },
    ref('Lost', () => {
      throw new Error('gone');
    }),
  ];
  const targets = [
    walker('Ping', [], { ...pub, doc: 'Answers.\n\nAlways `pong`.\nDeprecated: use /healthz' }),
    walker('AddTask', [field('title', str, undefined, { doc: 'What to do.' }), field('priority', int, 1)], {
      doc: 'Adds a task to the list.',
    }),
    walker('ListTasks', []),
    walker('RemoveTask', [field('task', task)], { rest: { method: 'DELETE' } }),
    walker('Greet', [field('name', str, 'world'), field('shout', bool, false), field('tags', list(str), [])], {
      ...pub,
      rest: { method: 'GET' },
    }),
    walker('ItemByPath', [field('item_id', int), field('verbose', bool, false)], {
      ...pub,
      rest: { method: 'GET', path: '/items/{item_id}' },
    }),
    walker('PutThing', [field('thing_id', str), field('size', { t: 'float' })], {
      rest: { method: 'PUT', path: '/things/{thing_id}' },
    }),
    walker(
      'SavePerson',
      [
        field(
          'person',
          ref('Person', () => Person),
        ),
      ],
      pub,
    ),
    walker(
      'Tree',
      [
        field('tree', maybe(ref('TreeNode', () => TreeNode)), null),
        field('error', maybe(ref('Error', () => LibError)), null),
        field('label', maybe(ref('Label', () => Label)), null),
        field('other', maybe(ref('Label', () => LibLabel)), null),
      ],
      pub,
    ),
    walker('Upload', [field('file', file), field('note', str, ''), field('tags', list(str), [])]),
    walker('MaybeUpload', [field('files', list(file), []), field('note', str, '')]),
    walker(
      'Odd',
      odd.map((type, index) => field(`f${index}`, type)),
    ),
    walker(
      'PaymentReceived',
      [field('payment_id', str), field('amount', { t: 'float' }), field('currency', str, 'EUR')],
      { rest: { protocol: 'WEBHOOK' } },
    ),
    walker(
      'Asked',
      [field('command', str, ''), field('options', { t: 'dict', key: str, value: any }, Dict.of('a', 1))],
      {
        rest: { protocol: 'WEBHOOK', verify: 'slack', secret: '${SLACK_SECRET}', envelope: false },
      },
    ),
    walker('Anybody', [], { rest: { protocol: 'WEBHOOK', verify: 'none' } }),
    walker('Room', [field('message', str), field('sender', str, 'anonymous')], {
      ...pub,
      rest: { protocol: 'WEBSOCKET', broadcast: true },
    }),
    fn('add', [param('a', int), param('b', int)], int, { doc: 'Adds two numbers.' }),
    fn('first', [], maybe(task)),
    fn(
      'link',
      [param('a', task), param('b', task)],
      ref('Blocks', () => Blocks),
    ),
    fn('robots', [], str, { ...pub, rest: { method: 'GET', path: '/robots.txt', envelope: false } }),
    fn('countdown', [param('n', int)], any, { ...pub, generator: true }),
  ];
  return {
    served: { targets, fixed: authFixture().auth.routes },
    config: {
      project: { name: 'demo', version: '1.2.0', description: 'Fixture application', entryPoint: '' },
      serve: { baseUrl: '', serializePrivate: false, docsEnabled: true } as never,
      scale: { ...fixtureConfig().scale, webhook: { signatureHeader: 'X-Webhook-Signature' } as never },
    },
  };
}
