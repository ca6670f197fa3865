/** Programs that the language server has open, asked by several requests at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUnits } from '../../cli/lsp/units.ts';
import { folderWith } from '../harness/svc-process.ts';

test('all who ask while a standard module is being loaded wait for it', async () => {
  using folder = folderWith({
    'main.svc': 'import from statistics { mean, absent }\nwith entry { print(mean([1])); }\n',
  });
  const units = createUnits({ env: {}, textOf: () => undefined, onFailure: (error) => expect.fail(String(error)) });
  const path = join(folder.path, 'main.svc');
  const codes = async () => (await units.viewOf(path, 'open'))!.analysis.diagnostics.map(({ code }) => code);
  for (const found of await Promise.all([codes(), codes()])) expect(found).toContain('W0701');
});

test('a file belongs to the program of its project again when that imports it again', async () => {
  const main = 'import part;\n';
  using folder = folderWith({
    'svc.toml': '[project]\nname = "p"\nversion = "1.0.0"\nentry-point = "main.svc"\n',
    'main.svc': main,
    'part.svc': 'glob a = 1;\n',
  });
  const [entry, part] = ['main.svc', 'part.svc'].map((name) => join(folder.path, name)) as [string, string];
  let text = main;
  const units = createUnits({
    env: {},
    textOf: (path) => (path === entry ? text : undefined),
    onFailure: (error) => expect.fail(String(error)),
  });
  const programOf = async () => (await units.viewOf(part, 'open'))!.analysis.project.entry;
  const found = [await programOf()];
  for (const changed of ['\n', main]) {
    text = changed;
    units.change(entry, false);
    found.push(await programOf());
  }
  expect(found).toEqual(['main', 'part', 'main']);
});

test('without a project, a file belongs to the program of the open file that imports it, whichever was opened first', async () => {
  using folder = folderWith({ 'a.svc': 'glob a = 1;\n', 'main.svc': 'import from a { a }\n' });
  const [part, entry] = ['a.svc', 'main.svc'].map((name) => join(folder.path, name)) as [string, string];
  const units = createUnits({ env: {}, textOf: () => undefined, onFailure: (error) => expect.fail(String(error)) });
  const programOf = async (path: string) => (await units.viewOf(path, 'open'))!.analysis.project.entry;
  expect([await programOf(part), await programOf(entry), await programOf(part)]).toEqual(['a', 'main', 'main']);
});

test('without a project, a file in a folder that is opened alone belongs to the program above that imports it', async () => {
  using folder = folderWith({
    'main.svc': 'import from parts.a { f }\nwith entry { print(f()); }\n',
    'alone.svc': 'with entry { print("parts"); }\n',
    'util.svc': 'def h -> int { return 1; }\n',
    'parts/a.svc': 'import from parts.deep.b { g }\nimport from util { h }\ndef f -> int { return g() + h(); }\n',
    'parts/deep/b.svc': 'import from util { h }\ndef g -> int { return h(); }\n',
    'parts/other.svc': 'import from util { h }\nwith entry { print(h()); }\n',
  });
  for (const [name, entry, codes] of [
    ['parts/a.svc', 'main', []],
    ['parts/deep/b.svc', 'main', []],
    ['parts/other.svc', 'other', []],
  ] as const) {
    const units = createUnits({
      env: {},
      textOf: () => undefined,
      onFailure: (error) => expect.fail(String(error)),
      folders: () => [folder.path],
    });
    const { analysis } = (await units.viewOf(join(folder.path, name), 'whole'))!;
    expect([analysis.project.entry, analysis.diagnostics.map(({ code }) => code)]).toEqual([entry, codes]);
  }
});

test.each([
  ['a.svc', 'b.svc'],
  ['b.svc', 'a.svc'],
])('a file that two programs import belongs to the same one when %s is asked first', async (...order) => {
  const [one, other] = ['import part;\n', 'import part;\nglob b = 1;\n'];
  using folder = folderWith({ 'part.svc': 'glob a = 1;\n', 'a.svc': one, 'b.svc': other });
  const units = createUnits({ env: {}, textOf: () => undefined, onFailure: (error) => expect.fail(String(error)) });
  const programOf = async (name: string) =>
    (await units.viewOf(join(folder.path, name), 'open'))!.analysis.project.entry;
  for (const name of order) await programOf(name);
  expect(await programOf('part.svc')).toBe('a');
});

test('what is asked while somebody types knows the disk as it was, and what is asked next as it is', async () => {
  using folder = folderWith({ 'main.svc': 'import part;\n', 'part.svc': 'glob a = 1;\n' });
  const [entry, part] = ['main.svc', 'part.svc'].map((name) => join(folder.path, name)) as [string, string];
  let text = 'import part;\n';
  const units = createUnits({
    env: {},
    textOf: (path) => (path === entry ? text : undefined),
    onFailure: (error) => expect.fail(String(error)),
  });
  const partOf = async (extent: 'typed' | 'open') =>
    (await units.viewOf(entry, extent))!.analysis.project.modules.get('part')?.source.text;
  const type = () => {
    text += ' ';
    units.change(entry, false);
  };
  expect(await partOf('open')).toBe('glob a = 1;\n');
  writeFileSync(part, 'glob b = 2;\n');
  type();
  expect(await partOf('typed')).toBe('glob a = 1;\n');
  expect(await partOf('open')).toBe('glob b = 2;\n');
  type();
  expect(await partOf('typed')).toBe('glob b = 2;\n');
  writeFileSync(part, 'glob c = 3;\n');
  // A client that tells of files is believed at once.
  units.changeAll();
  expect(await partOf('typed')).toBe('glob c = 3;\n');
});

test('a rehearsal leaves nothing behind: who asks next gets the text as it stands', async () => {
  using folder = folderWith({ 'main.svc': '' });
  const path = join(folder.path, 'main.svc');
  const text = 'import math;\ndef area(r: float) -> float {\n  x = r * 2;\n  return math.pi * x;\n}\n';
  const units = createUnits({
    env: {},
    textOf: (one) => (one === path ? text : undefined),
    onFailure: (error) => expect.fail(String(error)),
  });
  expect(units.rehearse(path, 0)).toBe(false);
  const codes = async () => {
    const { source, analysis } = (await units.viewOf(path, 'open'))!;
    expect(source.text).toBe(text);
    return analysis.diagnostics.map(({ code, start }) => [code, start]);
  };
  const before = await codes();
  for (let turn = 0; turn < 5; turn++) {
    expect(units.rehearse(path, turn)).toBe(true);
    if (turn > 0) expect(await codes()).toEqual(before);
  }
  expect(units.rehearse(join(folder.path, 'other.svc'), 0)).toBe(false);
});
