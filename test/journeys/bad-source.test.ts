/** Mistakes in a program: found all at once, shown where they are, and never a crash. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, runSvc } from '../harness/server.ts';

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-source-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const tenMistakes = `node A { has x: int }
def f(a: int -> int { return a; }
walker W { can go with Root entry { report 1 } }
with entry {
    a, b = 1, 2;
    x = 5 ? 1 : 2;
    y = !x;
    z = new Foo(1);
    q = (1 + ;
    print("open);
    for i, j in [] { }
    x++;
}
`;

test('ten mistakes in one file are ten findings, each with its line and a frame', async () => {
  const folder = project({ 'main.svc': tenMistakes });
  const { code, stdout, stderr } = await runSvc(['check', 'main.svc', '--all'], { cwd: folder });
  const text = stdout + stderr;
  expect(code).toBe(1);
  const lines = new Set([...text.matchAll(/ --> main\.svc:(\d+):\d+/g)].map((match) => Number(match[1])));
  for (const line of [1, 2, 5, 6, 7, 8, 9, 10, 11, 12]) expect(lines, `line ${line} in\n${text}`).toContain(line);
  expect(text).toContain('tuple targets need parentheses');
  expect(text).toMatch(/\d+ errors/);
  expect(text).not.toMatch(/at .*\.ts:/);
  removeFolder(folder);
});

test('svc start refuses a program with syntax errors, with exit code 3', async () => {
  const folder = project({ 'main.svc': tenMistakes });
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder });
  expect(code).toBe(3);
  expect(stderr).toContain('main.svc:5:');
  removeFolder(folder);
});

test('modules that import each other work', async () => {
  const folder = project({
    'main.svc': 'import from other { twice }\ndef one() -> int { return 1; }\nwith entry { print(twice()); }\n',
    'other.svc': 'import from main { one }\ndef twice() -> int { return one() + one(); }\n',
  });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout).toBe('2\n');
  expect(code).toBe(0);
  removeFolder(folder);
});

test('a module that is not there is named with the places that were tried', async () => {
  const folder = project({ 'main.svc': 'import from .helprs { f }\nwith entry { f(); }\n' });
  const { code, stdout, stderr } = await runSvc(['run', 'main.svc'], { cwd: folder });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/E0701.*helprs[\s\S]*main\.svc:1:/);
  removeFolder(folder);
});

test('a runtime error names file, line and column of the source, and the calls that led there', async () => {
  const folder = project({
    'main.svc':
      'def inner(xs: list) -> any {\n    return xs[3];\n}\n\ndef outer() -> any {\n    return inner([1]);\n}\n\nwith entry {\n    outer();\n}\n',
  });
  const { code, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: IndexError: list index out of range/);
  expect(stderr).toContain('main.svc:2:');
  expect(stderr).toMatch(/at outer main\.svc:6/);
  expect(stderr).not.toMatch(/node_modules|\.mjs|\.ts:/);
  removeFolder(folder);
});

test('the graph of a script persists between runs', async () => {
  const folder = project({
    'main.svc': 'node N { has name: str; }\nwith entry { print(len([root -->])); root ++> N(name="x"); }\n',
  });
  expect((await runSvc(['run', 'main.svc'], { cwd: folder })).stdout).toBe('0\n');
  expect((await runSvc(['run', 'main.svc'], { cwd: folder })).stdout).toBe('1\n');
  expect((await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder })).stdout).toBe('0\n');
  removeFolder(folder);
});
