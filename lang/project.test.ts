import { expect, test } from 'vitest';
import { front } from './front-testing.ts';
import { filesInMemory } from './project/files.ts';
import { readProject } from './project.ts';

const ids = (texts: Record<string, string>, options = {}) => [...front(texts, options).project.modules.keys()];

test('modules come in the order of first import, with dotted ids', () => {
  const order = ids({
    'main.svc': 'import from .lib.util { f } import from other { g }',
    'lib/util.svc': 'import from ..deep.one { h } def f { }',
    'deep/one.svc': 'def h { }',
    'other.svc': 'def g { }',
  });
  expect(order).toEqual(['main', 'lib', 'lib.util', 'deep', 'deep.one', 'other']);
});

test('cyclic imports are legal', () => {
  const { project, codes } = front({
    'main.svc': 'import from a { f } def g { }',
    'a.svc': 'import from b { h } def f { h(); }',
    'b.svc': 'import from a { f } import from main { g } def h { f(); g(); }',
  });
  expect([...project.modules.keys()]).toEqual(['main', 'a', 'b']);
  expect(codes()).toEqual([]);
});

test('a dotted import binds the first segment and loads every package on the way', () => {
  const { names, project } = front({
    'main.svc': 'import a.b.c; import a.b as x;',
    'a/__init__.svc': 'glob one = 1;',
    'a/b/c.svc': 'glob two = 2;',
  });
  expect([...project.modules.keys()]).toEqual(['main', 'a', 'a.b', 'a.b.c']);
  expect(names.of('main').bindings.get('a')?.import).toEqual({
    of: 'module',
    module: 'a',
    loads: ['a', 'a.b', 'a.b.c'],
  });
  expect(names.of('main').bindings.get('x')?.import).toEqual({ of: 'module', module: 'a.b' });
  expect([...project.modules.get('a')!.submodules]).toEqual([['b', 'a.b']]);
});

test('a name of an import list may be a submodule', () => {
  const { names } = front({
    'main.svc': 'import from pkg { helper, size } import from . { near }',
    'pkg/__init__.svc': 'glob size = 3;',
    'pkg/helper.svc': '',
    'near.svc': '',
  });
  const { bindings } = names.of('main');
  expect(bindings.get('helper')?.import).toEqual({ of: 'module', module: 'pkg.helper' });
  expect(bindings.get('size')?.import).toEqual({ of: 'member', module: 'pkg', member: 'size' });
  expect(bindings.get('near')?.import).toEqual({ of: 'module', module: 'near' });
});

test('standard, Node, npm and CPython modules', () => {
  const text = `import os.path; import json as j; import from math { sqrt }
    sv import from "node:fs" { readFileSync } import lodash; import from svclang { SvcRuntime as Svc }
    def late { import numpy; }`;
  const { names, project } = front({ 'main.svc': text, 'node_modules/lodash/index.js': '' });
  const { bindings } = names.of('main');
  expect(bindings.get('os')?.import).toEqual({ of: 'builtin', module: 'os', member: undefined });
  expect(bindings.get('j')?.import).toEqual({ of: 'builtin', module: 'json', member: undefined });
  expect(bindings.get('sqrt')?.import).toEqual({ of: 'builtin', module: 'math', member: 'sqrt' });
  expect(bindings.get('readFileSync')?.import).toEqual({ of: 'js', specifier: 'node:fs', member: 'readFileSync' });
  expect(bindings.get('lodash')?.import).toEqual({ of: 'js', specifier: 'lodash', member: undefined, isName: true });
  expect(bindings.get('Svc')?.import).toEqual({ of: 'builtin', module: 'svclang', member: 'Svc' });
  expect(project.diagnostics().map((one) => [one.code, one.blocking])).toEqual([['E0902', false]]);
});

test('what a module asks for blocks only where the module is imported for certain', () => {
  const files = {
    'plain.svc': 'import numpy;',
    'extra.svc': 'import pandas; import deeper;',
    'deeper.svc': 'import nowhere;',
  };
  const { project } = front({ ...files, 'main.svc': 'import plain; def late { import extra; }' });
  expect(project.diagnostics().map((one) => [one.path, one.code, one.blocking])).toEqual([
    ['deeper.svc', 'E0701', false],
    ['extra.svc', 'E0902', false],
    ['plain.svc', 'E0902', true],
  ]);
});

test('dots that lead out of the project mean its root', () => {
  const { project } = front({
    'main.svc':
      'cl import from .screens.Home { Home }\nwalker:pub Get { }\ndef:pub twice(n: int) -> int { return n * 2; }',
    'screens/Home.cl.svc':
      'sv import from ...main { Get }\nsv import from ....main { twice }\ndef:pub Home -> JsxElement { return <p/>; }',
  });
  expect(project.diagnostics()).toEqual([]);
});

test('a module that is not there lists what was tried, and blocks only at module level', () => {
  const { project } = front('import from .nowhere { x }\ndef f { import nothing; }');
  const found = project.diagnostics();
  expect(found.map((one) => [one.code, one.blocking])).toEqual([
    ['E0701', true],
    ['E0701', false],
  ]);
  expect(found[0]!.message).toContain('nowhere.svc');
});

test('what client parts miss does not block, wherever they stand', () => {
  const text = `cl import from .components { Card }
    cl import from "./Chart" { Chart }
    cl { import numpy; import from some.package { Table } }
    import from absent.package { thing }`;
  const { project } = front({ 'main.svc': text });
  expect(project.diagnostics().map((one) => [one.code, one.blocking])).toEqual([
    ['E0701', false],
    ['E0701', false],
    ['E0701', false],
    ['E0701', true],
  ]);
});

test('packages that the project lists are found by their bare names, installed or not', () => {
  const text = 'import from clsx { clsx } import from zustand.middleware { persist } import from jotai { atom }';
  const manifest = '{ "dependencies": { "zustand": "^5" } }';
  const { names, project } = front({ 'main.svc': text, 'package.json': manifest }, { packages: ['clsx'] });
  const { bindings } = names.of('main');
  expect(bindings.get('clsx')?.import).toEqual({ of: 'js', specifier: 'clsx', member: 'clsx' });
  expect(bindings.get('persist')?.import).toMatchObject({ of: 'js', specifier: 'zustand/middleware' });
  expect(project.diagnostics()).toMatchObject([{ code: 'E0701', message: expect.stringContaining('jotai') }]);
});

test('a quoted name without a path is a module of the project, where no package of that name is listed', () => {
  const text = `cl { sv import from "lib.facts" { f } sv import from "main" { g } import from "lib/near" { view }
    import from "chart.js" { Chart } import from "listed" { x } import from "lib" { y } import from "path" { join } }`;
  const files = {
    'lib/facts.svc': 'def:pub f { }',
    'lib/near.cl.svc': 'def:pub view { }',
    'listed.svc': '',
    'path.svc': '',
  };
  const { names } = front({ 'main.svc': `${text} def:pub g { }`, ...files }, { packages: ['listed'] });
  const { bindings } = names.of('main');
  expect(bindings.get('f')?.import).toEqual({ of: 'member', module: 'lib.facts', member: 'f' });
  expect(bindings.get('view')?.import).toEqual({ of: 'member', module: 'lib.near', member: 'view' });
  for (const [name, specifier] of Object.entries({ Chart: 'chart.js', x: 'listed', y: 'lib', join: 'path' }))
    expect(bindings.get(name)?.import).toMatchObject({ of: 'js', specifier });
});

test('a listed package that is called like a standard module is meant in client code alone', () => {
  const names = { 'main.svc': 'import from uuid { uuid4 } import from .ids { fresh }' };
  const { names: found } = front(
    { ...names, 'ids.cl.svc': 'import from uuid { v4 } import from random { choice } def:pub fresh { return v4(); }' },
    { packages: ['uuid'] },
  );
  expect(found.of('main').bindings.get('uuid4')?.import).toMatchObject({ of: 'builtin', module: 'uuid' });
  expect(found.of('ids').bindings.get('v4')?.import).toMatchObject({ of: 'js', specifier: 'uuid' });
  expect(found.of('ids').bindings.get('choice')?.import).toMatchObject({ of: 'builtin', module: 'random' });
});

test('a module of Python that stands there is told to be one', () => {
  const { project } = front({
    'main.svc': 'import from sums { total } import from .parts.more { rest }',
    'sums.py': '',
  });
  expect(project.diagnostics()).toMatchObject([
    { help: expect.stringMatching(/^`sums\.py` is a module of Python.*inside of the function that uses it/) },
    {},
  ]);
  expect(project.diagnostics()[1]?.help).toBeUndefined();
});

test('a relative import that lacks dots is told how many it needs', () => {
  const { project } = front({
    'main.svc': 'import from .ui.parts.form { x } import from .absent { z }',
    'ui/parts/form.svc': 'import from .backend { y } import from .models.user { z } glob x = 1;',
    'backend.svc': 'glob y = 1;',
    'ui/models/user.svc': 'glob z = 1;',
  });
  expect(project.diagnostics().map(({ code, help }) => [code, help])).toEqual([
    ['E0701', undefined],
    ['E0701', 'did you mean `...backend`?'],
    ['E0701', 'did you mean `..models.user`?'],
  ]);
});

test('a missing member names the closest one', () => {
  const { project } = front({ 'main.svc': 'import from lib { conection }', 'lib.svc': 'def connection { }' });
  expect(project.diagnostics()).toMatchObject([{ code: 'E0702', help: 'did you mean `connection`?', blocking: false }]);
});

test('SVC_PATH is searched last of the directories', () => {
  expect(ids({ 'main.svc': 'import shared;', 'libs/shared.svc': '' }, { svcPath: ['libs'] })).toEqual([
    'main',
    'libs.shared',
  ]);
});

const idsFrom = (path: string, texts: Record<string, string>) => [
  ...readProject(path, filesInMemory(texts)).modules.keys(),
];

test('files below `tests` look beside that folder', () => {
  const files = { 'app/tests/unit/t.svc': 'include main; import near;', 'app/main.svc': '', 'app/near.svc': '' };
  expect(idsFrom('app/tests/unit/t.svc', files)).toEqual(['t', 'main', 'near']);
  const deep = {
    'app/tests/t.svc': 'import from lib.a { x }',
    'app/lib/a.svc': 'include far;',
    'app/far.svc': 'glob x = 1;',
  };
  expect(idsFrom('app/tests/t.svc', deep)).toEqual(['t', 'lib', 'lib.a', 'far']);
  expect(idsFrom('app/contests/t.svc', { 'app/contests/t.svc': 'include main;', 'app/main.svc': '' })).toEqual(['t']);
});

test('dots in quoted paths', () => {
  const { names } = front({
    'main.svc': 'sv import from ".tools.extra" { a } sv import from "./plain.js" { b }',
    'tools/extra.svc': 'glob a = 1;',
    'plain.js': '',
  });
  expect(names.of('main').bindings.get('a')?.import).toEqual({ of: 'member', module: 'tools.extra', member: 'a' });
  expect(names.of('main').bindings.get('b')?.import).toEqual({ of: 'js', specifier: 'plain.js', member: 'b' });
});

test('a quoted path may begin where another compiler puts the client half of the module', () => {
  const { names, codes } = front({
    'main.svc':
      'cl import from .parts.card { Icon as One } cl import from "../../../icons" { Icon } cl import from "../none" { n }',
    'parts/card.cl.svc': 'import from "../../../../icons" { Icon } import from "../icons" { Other }',
    'icons.tsx': '',
  });
  const icon = { of: 'js', specifier: 'icons.tsx', member: 'Icon' };
  expect(names.of('main').bindings.get('Icon')?.import).toEqual(icon);
  expect(names.of('parts.card').bindings.get('Icon')?.import).toEqual(icon);
  expect(names.of('parts.card').bindings.get('Other')?.import).toEqual({ ...icon, member: 'Other' });
  expect(codes()).toEqual(['E0701 1:100']);
});

test('a query of a path is left to the bundler', () => {
  const { names, codes } = front({
    'main.svc': 'import from "./logo.svg?raw" { default as logo } import from "./none.svg?raw" { default as none }',
    'logo.svg': '',
  });
  const logo = names.of('main').bindings.get('logo')?.import;
  expect(logo).toEqual({ of: 'js', specifier: 'logo.svg?raw', member: 'default' });
  expect(codes()).toEqual(['E0701 1:62']);
});

test('modules that scripts and calls of import name belong to the program', () => {
  const { project } = front({
    'main.svc': 'cl import from "./a.js" { a } cl glob b = lambda -> any { return import("./b"); };',
    'a.js': `export * from './deep/c.ts'; import './a.js';`,
    'deep/c.ts': `const later = () => import("../d.svc"); import type { T } from 'none';`,
    'b.cl.svc': 'def:pub B() -> JsxElement { return <b/>; }',
    'd.svc': 'import from .e { e }',
    'e.svc': 'glob e = 1;',
  });
  expect([...project.modules.keys()].toSorted()).toEqual(['b', 'd', 'e', 'main']);
  expect([...project.byScripts].toSorted()).toEqual(['b', 'd']);
});

test.each(['main.test.cl.svc', 'main.e2e.svc'])(
  '%s is a module of tests, which takes no annexes of another',
  (entry) => {
    const files = filesInMemory({ [entry]: 'test "a" { }', 'main.impl.svc': 'impl app.open { }' });
    const project = readProject(entry, files, { root: '.' });
    expect([...project.modules.values()].flatMap(({ sources }) => sources.map(({ path }) => path))).toEqual([entry]);
  },
);

test('annexes join their module and keep their file', () => {
  const { project, codes } = front(
    {
      'main.svc': 'obj A { def m(x: int) -> int; }\ndef late -> int;',
      'main.impl.svc': 'impl A.m { return x + helper(); }',
      'main.impl/more.impl.svc': 'def helper -> int { return 1; }',
      'impl/main.extra.impl.svc': 'impl late { return wrong; }',
      'impl/other.impl.svc': 'impl nothing { }',
      'main.test.svc': 'test "a" { assert A().m(1) == 2; }',
    },
    { tests: true },
  );
  const main = project.modules.get('main')!;
  expect(main.sources.map((source) => source.path)).toEqual([
    'main.svc',
    'main.impl.svc',
    'main.impl/more.impl.svc',
    'impl/main.extra.impl.svc',
    'main.test.svc',
  ]);
  expect(main.tree.body.map((element) => main.sourceOf(element).path)).toEqual([
    'main.svc',
    'main.svc',
    'main.impl.svc',
    'main.impl/more.impl.svc',
    'impl/main.extra.impl.svc',
    'main.test.svc',
  ]);
  expect(project.diagnostics().map((one) => [one.code, one.path])).toEqual([['E0301', 'impl/main.extra.impl.svc']]);
  expect(codes()).toEqual(['E0301 1:20']);
});

test('placement: suffix, marker, pin, inference', () => {
  const place = (text: string, options = {}) => {
    const { module, names } = front(text, options).module();
    return module.tree.body.map(
      (element) => `${names.isServer(element) ? 's' : ''}${names.isClient(element) ? 'c' : ''}`,
    );
  };
  expect(place('def a { } cl def b { } sv def c { }')).toEqual(['s', 'c', 's']);
  expect(place('def:pub app -> JsxElement { return <p>hi</p>; } def view { return <b/>; } def plain { }')).toEqual([
    'c',
    'c',
    's',
  ]);
  expect(place('import from "react" { useState } node N { }')).toEqual(['c', 's']);
  expect(place('import from "lodash" { chunk } def f { return chunk([1], 2); }')).toEqual(['sc', 's']);
  expect(place('import "./a.css"; def x { }')).toEqual(['c', 's']);
  expect(place('import from date-fns { format } node N { }')).toEqual(['c', 's']);
  expect(place('def a { } def b { }', { pins: { 'main.a': 'client' } })).toEqual(['c', 's']);
});

test('scripts and packages without quotes are client code beside client code, unless the server uses them', () => {
  const sides = (text: string) => {
    const files = { 'main.svc': text, 'beep.js': 'document.title;' };
    const { module, names } = front(files, { packages: ['clsx'] }).module();
    return module.tree.body
      .slice(0, 2)
      .map((element) => `${names.isServer(element) ? 's' : ''}${names.isClient(element) ? 'c' : ''}`);
  };
  const imports = 'import from "./beep.js" { beep } import from clsx { clsx }';
  const page = 'def:pub app -> JsxElement { return <p onClick={beep} className={clsx("a")}/>; }';
  expect(sides(`${imports} ${page}`)).toEqual(['c', 'c']);
  expect(sides(`${imports} ${page} def:pub f { return beep(clsx("a")); }`)).toEqual(['sc', 'sc']);
  expect(sides(`${imports} def:pub f { return beep(clsx("a")); }`)).toEqual(['s', 's']);
});

test('functions and variables that only client code uses leave the server, with what they import', () => {
  const sides = (text: string) => {
    const { module, names } = front(text).module();
    return module.tree.body.map(
      (element) => `${names.isServer(element) ? 's' : ''}${names.isClient(element) ? 'c' : ''}`,
    );
  };
  const text = `import from "@svc/runtime" { SvcSchema, svcLogout }
    glob schema = SvcSchema({}), saved = stored();
    def stored { return localStorage.getItem("a"); }
    def leave { svcLogout(); }
    def:pub app -> JsxElement { return <p onClick={leave}>{schema}</p>; }`;
  expect(sides(text)).toEqual(['c', '', '', '', 'c']);
  expect(sides(`${text} def:pub out { leave(); }`)).toEqual(['sc', '', '', 's', 'c', 's']);
  expect(sides(`${text} test "t" { print(schema); }`)).toEqual(['sc', 's', 's', '', 'c', 's']);
});

test('a variable that helpers of a page set is of the page, also where they say that they are served', () => {
  const text = `import from "@svc/runtime" { svcLogout }
    glob ready: bool = False;
    def told { window.alert(ready); }
    def:pub leave { svcLogout(); ready = True; told(); }
    def:pub app -> JsxElement { return <p onClick={leave}/>; }`;
  expect(front(text).codes()).toEqual([]);
  expect(front(`${text} def:pub seen { return ready; }`).codes()).toEqual(['E0301 3:16']);
});

test('section markers place, with advice', () => {
  const { project, module } = front('to cl:\ndef a { }\nto sv:\ndef b { }');
  const { module: main, names } = module();
  expect(main.tree.body.map((element) => names.isClient(element))).toEqual([true, false]);
  expect(project.diagnostics().map((one) => [one.code, one.blocking])).toEqual([
    ['W0207', false],
    ['W0207', false],
  ]);
});

test('functions of C are told once, and are names all the same', () => {
  const text = 'import from libc { def puts(s: str) -> int; def exit(n: int); }\nglob f = puts, g = exit;';
  expect(
    front(text)
      .project.diagnostics()
      .map(({ code }) => code),
  ).toEqual(['E0903']);
});

test('packages of client code need not be installed beside the program', () => {
  const found = (text: string) => front(text).project.diagnostics();
  expect(found('cl import from react { useState } cl { import from axios { default as axios } }')).toEqual([]);
  expect(found('cl def view { import from lodash { debounce } return debounce; }')).toEqual([]);
  expect(found('import from react { useState } def app -> JsxElement { return <b>{useState(0)[0]}</b>; }')).toEqual([]);
  expect(found('cl { def view { } } import from lodash { chunk }')).toMatchObject([{ code: 'E0701', blocking: true }]);
  expect(found('cl { sv import from lodash { chunk } }')).toMatchObject([{ code: 'E0701', blocking: true }]);
  expect(found('cl import from lib.utils { cn }')).toMatchObject([{ code: 'E0701' }]);
  expect(found('import from date-fns { format } cl import from react-dom.client { createRoot }')).toEqual([]);
});

test('names of client elements are not looked up', () => {
  expect(front('cl def f { window.alert(nothing); }').codes()).toEqual([]);
});
