/** The table of signatures against what runs: nothing is missing on either side, and both read the same parameters. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import '../../core/runtime.ts';
import '../../core/modules/rare-modules.ts';
import '../rare-modules.ts';
import { type BuiltinSignature, readSignatures } from '../../lang/3-infer/functions/builtin-signatures.ts';
import { b } from '../builtins/table.ts';
import { load, std } from '../registry.ts';
import { parametersOf } from '../values/calls/builtin.ts';
import { parseParams, signatureOf } from '../values/calls/signature.ts';
import { dictM } from '../values/containers/dict-methods.ts';
import { listM, tupleM } from '../values/containers/list-methods.ts';
import { rangeM } from '../values/containers/range-methods.ts';
import { frozensetM, setM } from '../values/containers/set-methods.ts';
import { floatM, intM } from '../values/numbers/number-methods.ts';
import { bytearrayM, bytesM } from '../values/text/bytes-methods.ts';
import { strM } from '../values/text/str-methods.ts';
import { signatures } from './signatures.ts';

const { builtins, modules } = signatures;
const compiler = readSignatures(signatures);

const namesOf = (table: string): string[] => [...table.matchAll(/^(\w+)\(/gm)].map(([, name]) => name!);
const aboutParams = (signature: BuiltinSignature): string[] =>
  signature.params.map(({ name, kind, optional }) => `${kind} ${name}${optional ? '?' : ''}`);
const accepted = (fn: unknown): string[] =>
  signatureOf(fn)!.params.map(
    ({ name, kind, default: value }) => `${kind} ${name}${value !== undefined || kind.endsWith('args') ? '?' : ''}`,
  );

test('every line is written as the compiler reads it', () => {
  const lines = Object.values(builtins).flatMap((table) => table.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter((line) => !/^\w+\(.*\) -> \S+( [!~])?$/.test(line))).toEqual([]);
  for (const table of Object.values(builtins)) expect(namesOf(table)).toEqual([...new Set(namesOf(table))]);
});

test('every built-in function has a line, and every line a function that takes these parameters', () => {
  const natives = Object.keys(b).filter((name) => typeof b[name] === 'function' && signatureOf(b[name]) !== undefined);
  // Older names are other names of the same functions.
  const known = new Set([...namesOf(builtins.functions), ...namesOf(builtins.byValue)].map((name) => b[name]));
  expect(natives.filter((name) => !known.has(b[name]))).toEqual([]);
  for (const name of compiler.functions.names()) {
    if (namesOf(builtins.forms).includes(name)) continue;
    expect([name, ...accepted(b[name])]).toEqual([name, ...aboutParams(compiler.functions.get(name)!)]);
  }
  for (const name of namesOf(builtins.byValue))
    expect([name, signatureOf(b[name]) !== undefined]).toEqual([name, true]);
});

test('a build has the same parameters, and nothing of results', async () => {
  const { parametersOnly } = await import(join(import.meta.dirname, '../../bin/parameters.mjs'));
  const table = readFileSync(join(import.meta.dirname, 'builtins.ts'), 'utf8');
  const text: string = parametersOnly(table).replace('as const', '');
  const { builtins: built } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(JSON.stringify(built)).not.toContain('->');
  const shown = (params: string) =>
    parseParams(params).map(({ name, kind, default: value }) => [name, kind, typeof value]);
  for (const [type, lines] of Object.entries(builtins)) {
    if (type === 'forms') continue;
    for (const method of namesOf(lines)) {
      const name = type === 'functions' || type === 'byValue' ? method : `${type}.${method}`;
      expect([name, shown(parametersOf(name, built))]).toEqual([name, shown(parametersOf(name))]);
    }
  }
});

test.each(
  Object.entries({ str: strM, list: listM, dict: dictM, set: setM, tuple: tupleM, bytes: bytesM, float: floatM }),
)('the methods of %s are those of the table', (type, methods) => {
  const table = compiler.methods[type as keyof typeof compiler.methods];
  expect([...table.names()].sort()).toEqual(Object.keys(methods).sort());
  for (const name of table.names())
    expect([name, ...accepted(methods[name])]).toEqual([name, ...aboutParams(table.get(name)!)]);
});

test('types that share methods of another have those of both', () => {
  const own = (type: 'bytearray' | 'range') => namesOf(builtins[type]);
  expect(Object.keys(bytearrayM).sort()).toEqual(
    [...new Set([...namesOf(builtins.bytes), ...own('bytearray')])].sort(),
  );
  expect(Object.keys(rangeM).sort()).toEqual(own('range'));
  expect(Object.keys(intM).sort()).toEqual([...namesOf(builtins.int), 'hex'].sort());
  expect(Object.keys(frozensetM).filter((name) => !namesOf(builtins.set).includes(name))).toEqual([]);
  for (const fn of Object.values({ ...bytearrayM, ...rangeM, ...intM, ...frozensetM }))
    expect(accepted(fn)).toBeTruthy();
});

const listed = (table: string): (readonly [string, string])[] =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, module, names] = /^([\w.]+): ([^>]*?)(?: -> .*)?$/.exec(line)!;
      return names!.split(' ').map((name) => [module!, name] as const);
    });

/** Modules that exist only in programs that are served or tested. */
const ambient = /^(ambient\.|svc_scale\.|svclang\.)/;

beforeAll(async () => {
  const named = [...listed(modules.results), ...listed(modules.waiting), ...listed(modules.waitingMethods)];
  const called = namesOf(modules.callbacks.replace(/\.(?=\w+\()/g, '(')).map((name) => [name, ''] as const);
  await load(...new Set([...named, ...called].map(([module]) => module).filter((name) => !ambient.test(name))));
});

test('what the table says of standard modules is about members that they have', () => {
  const members = [...listed(modules.results), ...listed(modules.waiting)];
  expect(members.length).toBeGreaterThan(150);
  expect(members.filter(([module, name]) => !(name in std(module))).map((one) => one.join('.'))).toEqual([]);
});

test('functions of standard modules that call what they are given take the parameters of the table', () => {
  const lines = modules.callbacks
    .trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf('(')));
  expect(lines.length).toBeGreaterThan(20);
  for (const name of lines) {
    const at = name.lastIndexOf('.');
    const fn = std(name.slice(0, at))[name.slice(at + 1)];
    expect([name, ...accepted(fn)]).toEqual([name, ...aboutParams(compiler.standard.get(name)!)]);
  }
});
