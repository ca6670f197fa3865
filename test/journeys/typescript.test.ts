/** Programs in TypeScript under `svc run`, `start`, `check` and `test` (docs/typescript.md). */
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const notes = `import { connect, def, edge, Edge, entry, exit, has, int, list, main, Node, node, oneOf, outgoing, Root, spawn, str, test, Walker, walker } from 'svc-scale';
import { shown } from './lib/shown.ts';

/** One note. */
@node
export class Note extends has(Node, { text: str(), kind: oneOf(['plain', 'urgent'], 'plain'), tags: list(str(), []), secret: str('s').private() }) {}

@edge
export class After extends has(Edge, { gap: int(0) }) {}

/** Keeps a note. */
@walker
export class Keep extends has(Walker<Note>, { text: str(), gap: int(0) }) {
  @entry(Root)
  keep(here: Root) {
    this.report(connect(here, new Note({ text: this.text }), new After({ gap: this.gap })));
  }
}

/** All notes. */
@walker({ access: 'pub', method: 'GET', path: '/notes' })
export class All extends has(Walker<string>, { least: int(0) }) {
  @entry(Root)
  begin(here: Root) {
    this.visit(outgoing(here, Note, { by: After, byWhere: (way) => way.gap >= this.least }));
  }

  @entry(Note)
  take(here: Note) {
    this.report(shown(here.text));
  }
}

export const count = def('count', { access: 'pub', returns: int() }, () => 1);

await main(async () => {
  await spawn(new Keep({ text: 'from main' }));
  console.log((await spawn(new All())).reports.join());
});
`;
const shown = 'export const shown = (text: string): string => `<${text}>`;\n';

test('run: main begins when the file is run, and only then; the graph is kept', async () => {
  using folder = folderWith({ 'app.ts': notes, 'lib/shown.ts': shown });
  const run = () => runSvc(['run', 'app.ts'], { cwd: folder.path });
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('\n<from main>\n') });
  const again = await run();
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(/<from main>,<from main>\n$/);
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  // Callers without an account are on the shared root, which is the system's own.
  expect((await post(server.base, '/notes', undefined, undefined, 'GET')).reports).toEqual([]);
  expect(server.output()).not.toContain('from main>');
});

test('an uncaught error shows the TypeScript line', async () => {
  using folder = folderWith({
    'app.ts':
      "import { wrong } from './lib/wrong.ts';\n\ninterface Unused {\n  a: number;\n}\nconst x: Unused = { a: 1 };\nwrong(x.a);\n",
    'lib/wrong.ts':
      'export type Pad = { a: string };\n\nexport function wrong(n: number): never {\n  throw new RangeError(`no ${n}`);\n}\n',
  });
  const { code, stderr } = await runSvc(['run', 'app.ts', '--no-persist'], { cwd: folder.path });
  expect(code).toBe(1);
  expect(stderr).toContain('no 1');
  expect(stderr).toMatch(/--> lib\/wrong\.ts:4:9\n/);
  expect(stderr).toMatch(/^4 \| {3}throw new RangeError/m);
  expect(stderr).toMatch(/at app\.ts:7/);
});

test('a second run compiles nothing; what any imported file says decides', async () => {
  using folder = folderWith({
    'app.ts':
      "import data from './data.json' with { type: 'json' };\nimport { shown } from './lib/shown.js';\nconsole.log(shown(data.word));\n",
    'data.json': '{ "word": "a" }',
    'lib/shown.ts': shown,
  });
  const run = async () => (await runSvc(['run', 'app.ts', '--no-persist'], { cwd: folder.path })).stdout;
  expect(await run()).toBe('<a>\n');
  const cache = join(folder.path, '.svc', 'cache');
  const index = () => statSync(join(cache, readdirSync(cache).find((name) => name.startsWith('index-'))!)).ino;
  const made = index();
  expect(await run()).toBe('<a>\n');
  expect(index()).toBe(made);
  writeFileSync(join(folder.path, 'lib', 'shown.ts'), shown.replace('<', '['));
  expect(await run()).toBe('[a>\n');
  writeFileSync(join(folder.path, 'data.json'), '{ "word": "b" }');
  expect(await run()).toBe('[b>\n');
});

test('start: types are checked at the door, private fields stay inside, users are apart', async () => {
  using folder = folderWith({ 'app.ts': notes, 'lib/shown.ts': shown });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const { token: ada } = await register(server.base, 'ada');
  const { token: bob } = await register(server.base, 'bob');
  const kept = (await post(server.base, '/walker/Keep', { text: 'x' }, ada)).reports[0];
  expect(kept).toMatchObject({ _svc_type: 'Note', text: 'x', kind: 'plain', tags: [] });
  expect(kept).not.toHaveProperty('secret');
  expect(await post(server.base, '/walker/Keep', { text: 1 }, ada)).toMatchObject({ status: 422 });
  expect(await post(server.base, '/walker/Keep', { text: 'x' })).toMatchObject({ status: 401 });
  await post(server.base, '/walker/Keep', { text: 'y', gap: 5 }, ada);
  const all = async (token: string, query = '') =>
    (await post(server.base, `/notes${query}`, undefined, token, 'GET')).reports;
  expect(await all(ada)).toEqual(['<x>', '<y>']);
  expect(await all(ada, '?least=3')).toEqual(['<y>']);
  expect(await all(bob)).toEqual([]);
  expect(await post(server.base, '/function/count')).toMatchObject({ result: 1 });
});

test('what the started file exports is served; a walker without an export is told', async () => {
  const walkerOf = (head: string, name: string) =>
    `@walker({ access: 'pub' })\n${head}class ${name} extends has(Walker<string>, {}) {\n  @entry(Root)\n  go() {\n    this.report('${name}');\n  }\n}\n`;
  const imported = "import { entry, has, Root, Walker, walker } from 'svc-scale';\n";
  using folder = folderWith({
    'app.ts': `${imported}export * from './more.ts';\nexport { Longest } from './shelf.svc';\n${walkerOf('', 'Own')}${walkerOf('export ', 'Shown')}`,
    'more.ts': `${imported}${walkerOf('', 'Inner')}${walkerOf('export ', 'More')}`,
    'shelf.svc': 'walker:pub Longest { can tell with Root entry { report "Longest"; } }\n',
  });
  const { stdout, stderr } = await runSvc(['start', 'app.ts', '--faux'], { cwd: folder.path });
  expect(stdout.match(/^POST +\/walker\/\w+/gm)?.map((line) => line.split('/').at(-1))).toEqual([
    'Shown',
    'Longest',
    'More',
  ]);
  expect(stderr.match(/^warning: .* not served.*$/gm)).toEqual([
    'warning: Own: not served, because its file does not export it',
  ]);
});

test('reload: a new version of an imported file is served, a broken one is not', async () => {
  using folder = folderWith({ 'app.ts': notes, 'lib/shown.ts': shown });
  const server = spawnSvc(['start', 'app.ts', '--port', '0', '--host', '127.0.0.1', '--reload'], { cwd: folder.path });
  await using _server = server;
  const [, port] = await server.until(/Local: +http:\/\/localhost:(\d+)\//);
  await server.until(/Server ready/);
  const base = `http://127.0.0.1:${port}`;
  const { token } = await register(base, 'ada');
  await post(base, '/walker/Keep', { text: 'x' }, token);
  const all = async () => (await post(base, '/notes', undefined, token, 'GET')).reports;
  expect(await all()).toEqual(['<x>']);
  const file = join(folder.path, 'lib', 'shown.ts');
  writeFileSync(file, shown.replace('<', '(').replace('>`', ')`'));
  await server.until(/Reloaded/);
  expect(await all()).toEqual(['(x)']);
  writeFileSync(file, 'export const shown = (text: string) => ;\n');
  await server.until(/error\[E0703\]/);
  await server.until(/still serving/i);
  expect(await all()).toEqual(['(x)']);
  writeFileSync(file, shown.replace('<', '{').replace('>`', '}`'));
  await server.until(/Reloaded/);
  expect(await all()).toEqual(['{x}']);
});

test('check: what cannot be read, type errors where typescript is installed, and advice where it is not', async () => {
  const broken = "import { gone } from './gone.ts';\nimport { str } from 'svc-scale';\nexport const x = [gone, str];\n";
  using folder = folderWith({ 'app.ts': notes, 'lib/shown.ts': shown, 'broken.ts': broken });
  const check = (...args: string[]) => runSvc(['check', ...args], { cwd: folder.path });
  const without = await check('app.ts');
  expect(without).toMatchObject({ code: 0, stdout: 'no problems found in 1 file\n' });
  expect(without.stderr).toContain('npm install --save-dev typescript');
  const missing = await check('broken.ts');
  expect(missing.code).toBe(1);
  expect(missing.stdout).toMatch(/^error\[E0703\]: cannot find module '.\/gone.ts'\n --> broken.ts:1:/);

  mkdirSync(join(folder.path, 'node_modules'));
  for (const name of ['typescript', '@typescript'])
    symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  expect(await check('app.ts')).toMatchObject({ code: 0, stderr: '', stdout: 'no problems found in 1 file\n' });
  writeFileSync(join(folder.path, 'lib', 'shown.ts'), 'export const shown = (text: number): string => `<${text}>`;\n');
  const typed = await check('app.ts');
  expect(typed.code).toBe(1);
  expect(typed.stdout).toMatch(
    /error\[E0704\]: Argument of type 'string' is not assignable .*\(TS2345\)\n *--> app\.ts:30:/,
  );
  const [finding] = (await check('app.ts', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(finding).toMatchObject({ code: 'E0704', file: 'app.ts', line: 30, col: 23 });
});

test('test: each test has a graph of its own, and failures show the line', async () => {
  const tests = `import { outgoing, root, spawn, test } from 'svc-scale';
import { Keep, Note } from './app.ts';

for (const name of ['first', 'second'])
  test(\`\${name} finds nothing of others\`, async () => {
    await spawn(new Keep({ text: name }));
    const found = await outgoing(root(), Note);
    if (found.length !== 1) throw new Error(\`\${found.length} notes\`);
  });

test('wrong', () => {
  throw new Error('as it must');
});
`;
  using folder = folderWith({ 'app.ts': notes, 'lib/shown.ts': shown, 'tests.ts': tests });
  const { code, stdout } = await runSvc(['test'], { cwd: folder.path });
  expect(stdout).toContain('3 tests: 2 passed, 1 failed');
  expect(stdout).toMatch(/tests\.ts:12:9/);
  expect(code).toBe(1);
});
