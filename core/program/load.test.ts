import { expect, test } from 'vitest';
import * as $ from '../runtime.ts';
import { loadProgram } from './load.ts';
import type { ProgramError } from './program.ts';
import { HTTPMethod } from './protocol-enums.ts';

const str = { t: 'str' } as const;

function walker(
  name: string,
  options: {
    module?: string;
    access?: any;
    fields?: string[];
    async?: boolean;
    at?: string;
    rest?: Record<string, unknown>;
    specs?: Record<string, unknown>;
  } = {},
) {
  const { module = 'main', access, fields = [], rest, specs, at } = options;
  const cls = { [name]: class extends $.Walker {} }[name]! as any;
  $.archetype(cls, {
    kind: 'walker',
    name,
    module,
    fields: fields.map((field) => ({ name: field, type: str })),
    abilities: [],
    ...(access && { access }),
    ...(options.async && { async: true }),
    ...(at && { at }),
  });
  if (specs !== undefined) cls.__specs__ = Object.assign(class {}, specs);
  return rest === undefined ? cls : $.call($.callkw($.restspec, [], rest), cls);
}

function fn(
  name: string,
  options: { module?: string; access?: any; params?: string[]; endpoint?: true; rest?: Record<string, unknown> } = {},
) {
  const { module = 'main', access, params = [], endpoint, rest } = options;
  const declared = $.func((..._args: unknown[]) => null, {
    name,
    qualname: name,
    module,
    result: { t: 'any' },
    params: params.map((param) => ({ name: param, kind: 'any' as const, type: str })),
    ...(access && { access }),
    ...(endpoint && { endpoint }),
  });
  return rest === undefined ? declared : $.call($.callkw($.restspec, [], rest), declared);
}

const load = (...values: unknown[]) =>
  loadProgram({ entry: 'main', exports: Object.fromEntries(values.map((value, i) => [`x${i}`, value])) });
const problems = (...values: unknown[]): readonly string[] => {
  try {
    load(...values);
    return [];
  } catch (e) {
    return (e as ProgramError).problems;
  }
};

test('targets come in order of declaration, imported ones last', () => {
  const program = load(
    walker('C', { at: 'main.svc:30:1' }),
    walker('L', { module: 'lib', at: 'lib.svc:1:1' }),
    walker('A', { at: 'main.svc:4:1', access: 'pub' }),
    fn('f', { access: 'protect' }),
    Math.max,
    $.b['len'],
  );
  expect(program.walkers.map((w) => [w.name, w.imported, w.isPublic, w.path])).toEqual([
    ['A', false, true, '/walker/A'],
    ['C', false, false, '/walker/C'],
    ['L', true, false, '/walker/L'],
  ]);
  expect(program.functions.map((f) => f.path)).toEqual(['/function/f']);
});

test('private declarations are served only where they are declared, those with an underscore never', () => {
  const program = load(
    walker('Mine', { access: 'priv' }),
    walker('Theirs', { module: 'lib', access: 'priv' }),
    walker('_hidden', { access: 'pub' }),
    fn('_f', { access: 'pub' }),
  );
  expect(program.walkers.map((w) => w.name)).toEqual(['Mine']);
  expect(program.functions).toEqual([]);
});

test('a private walker of another module that client code names is served with a token, also where the started file imports it', () => {
  const [Asked, Other] = ['Asked', 'Other'].map((name) => walker(name, { module: 'lib', access: 'priv' }));
  const { walkers } = loadProgram({ entry: 'main', exports: { Asked, Other, $remote: () => [Asked] } });
  expect(walkers.map(({ name, isPublic }) => [name, isPublic])).toEqual([['Asked', false]]);
});

test('a function is served when it says so, or when client code calls it; older programs may ask for all', () => {
  const exports = {
    helper: fn('helper'),
    shown: fn('shown', { access: 'pub' }),
    own: fn('own', { access: 'priv' }),
    kept: fn('kept', { access: 'protect' }),
    rest: fn('rest', { rest: { method: 'GET' } }),
    called: fn('called', { endpoint: true }),
    brought: fn('brought', { module: 'lib' }),
    public: fn('public', { module: 'lib', access: 'pub' }),
    private: fn('private', { module: 'lib', access: 'priv' }),
    _hidden: fn('_hidden', { access: 'pub' }),
    $remote: () => [fn('far', { module: 'far', endpoint: true }), walker('Far', { module: 'far' })],
  };
  const names = (list: readonly { readonly name: string; readonly isPublic: boolean }[]) =>
    list.map(({ name, isPublic }) => (isPublic ? `${name}!` : name));
  const program = loadProgram({ entry: 'main', exports });
  expect(names(program.functions)).toEqual(['shown!', 'own', 'kept', 'rest', 'called', 'public!', 'private', 'far']);
  expect(program.internal).toEqual(['helper', '_hidden', 'brought']);
  expect(names(program.walkers)).toEqual(['Far']);
  const all = loadProgram({ entry: 'main', exports, functions: 'all' });
  expect(names(all.functions)).toEqual([
    'helper',
    'shown!',
    'own',
    'kept',
    'rest',
    'called',
    'brought',
    'public!',
    'private',
    'far',
  ]);
  expect(all.internal).toEqual(['_hidden']);
});

test('restspec sets method, path and protocol', () => {
  const { walkers } = load(
    walker('Get', { rest: { method: (HTTPMethod as any).GET } }),
    walker('One', { fields: ['id'], rest: { method: 'PUT', path: '/things/{id}' } }),
    walker('Hook', { rest: { protocol: ($.b['APIProtocol'] as any).WEBHOOK } }),
    walker('Sock', { async: true, rest: { protocol: 'WEBSOCKET', broadcast: true } }),
  );
  expect(walkers.map((w) => `${w.methods.join()} ${w.path}`)).toEqual([
    'GET /walker/Get',
    'PUT /things/{id}',
    'POST /webhook/Hook',
    'POST /ws/Sock',
  ]);
  expect(walkers[3]!.rest.broadcast).toBe(true);
});

test('older endpoint declarations', () => {
  const { walkers, warnings } = load(
    walker('Old', { fields: ['id'], specs: { methods: ['get', 'post'], path: '/{id}', as_query: '*', auth: false } }),
    walker('Moved', { specs: { path_prefix: '/api' } }),
    walker('Gone', { specs: { private: true } }),
    walker('Hooked', { specs: { webhook: $.dict([['type', 'header']]) } }),
  );
  expect(walkers.map((w) => [w.name, w.methods.join(), w.path, w.isPublic, w.queryFields])).toEqual([
    ['Old', 'GET,POST', '/walker/Old/{id}', true, 'all'],
    ['Moved', 'POST', '/api/Moved', false, []],
    ['Hooked', 'POST', '/webhook/Hooked', false, []],
  ]);
  expect(warnings).toEqual(['Hooked: the options inside webhook are ignored']);
});

test('every problem is reported at once', () => {
  expect(
    problems(
      walker('A', { rest: { broadcast: true } }),
      walker('B', { rest: { protocol: 'WEBSOCKET' } }),
      walker('C', { rest: { protocol: 'WEBHOOK', path: '/c' } }),
      walker('D', { rest: { method: 'FETCH' } }),
      walker('E', { rest: { path: 'e' } }),
      walker('F', { rest: { path: '/f//g' } }),
      walker('G', { rest: { path: '/g/{nope}' } }),
      walker('H', { fields: ['x'], rest: { path: '/h/{x}' } }),
      walker('I', { fields: ['y'], rest: { path: '/h/{y}' } }),
      walker('J', { rest: { path: '/user/j' } }),
      walker('K', { rest: { envelope: false } }),
      walker('L'),
      walker('L', { module: 'lib' }),
      walker('M', { rest: { protocol: 'WEBHOOK', verify: 'githb', secret: '${S}' } }),
      walker('N', { rest: { protocol: 'WEBHOOK', verify: 'github' } }),
      walker('O', { rest: { protocol: 'WEBHOOK', verify: 'github', secret: 'ghs_1' } }),
      walker('P', { rest: { protocol: 'WEBHOOK', verify: 'none', secret: '${S}' } }),
      walker('Q', { rest: { protocol: 'WEBHOOK', secret: '${S}' } }),
      walker('R', { rest: { verify: 'none' } }),
      walker('S', { rest: { protocol: 'WEBHOOK', verify: 'stripe', secret: '${S:?ask Ada}', envelope: false } }),
    ),
  ).toEqual([
    'duplicate walker L (main, lib)',
    'A: broadcast requires protocol WEBSOCKET',
    'B: a WEBSOCKET walker must be async',
    'C: method/path do not apply to protocol WEBHOOK',
    'D: unsupported method FETCH (GET, POST, PUT, PATCH or DELETE)',
    'K: envelope=false applies to functions, and to webhooks with verify, only',
    'M: unknown verify githb (known: github, stripe, slack, standard, none)',
    'N: verify github needs secret="${NAME}", the variable that has it',
    'O: secret must name the variable that has it, secret="${NAME}", not hold it',
    'P: verify none takes no secret',
    'Q: secret needs verify',
    'R: verify requires protocol WEBHOOK',
    'E: invalid path e (it must start with /)',
    'F: invalid path /f//g (it has an empty segment)',
    'G: invalid path /g/{nope} ({nope} is not a declared field)',
    'J: path /user/j is reserved',
    'H and I both claim POST /h/{y}',
  ]);
});

test('an application may take over the pages of the server', () => {
  expect(load(walker('Home', { rest: { method: 'GET', path: '/' } })).warnings).toEqual(['Home: takes over /']);
});
