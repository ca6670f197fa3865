/** The extension as it is packed: the files in it, and what its code does to an editor, with the real debugger and test runner behind. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fake, loadExtension } from './fake-vscode.ts';

const here = resolve(import.meta.dirname, '../vscode');
const folder = mkdtempSync(join(tmpdir(), 'svc-vscode-'));
const program = join(folder, 'main.svc');
const svc = join(folder, 'svc.mjs');
const vsix = join(folder, 'svc.vsix');
const text =
  'def twice(n: int) -> int { return n * 2; }\n\ntest "doubles" { assert twice(2) == 4; }\ntest "fails" { assert twice(2) == 5; }\n';

let fake: Fake;
let stop: () => Promise<void>;

beforeAll(async () => {
  writeFileSync(program, text);
  execFileSync(process.execPath, [join(here, 'build.mjs'), vsix], { stdio: 'pipe' });
  // The language server never answers: everything else has to work all the same.
  const real = pathToFileURL(resolve(here, '../../bin/svc.mjs'));
  writeFileSync(svc, `if (process.argv[2] === 'lsp') process.stdin.resume();\nelse await import('${real}');\n`);
  const settings = { path: svc, node: process.execPath };
  const loaded = loadExtension(join(here, 'dist/extension.js'), { folder, settings });
  fake = loaded.fake;
  stop = loaded.extension.deactivate;
  loaded.extension.activate({ subscriptions: [], asAbsolutePath: (path: string) => join(here, path) });
});

afterAll(async () => {
  await stop?.();
  rmSync(folder, { recursive: true });
});

const packed = () => unzipSync(readFileSync(vsix));

test('the package holds what VS Code reads and nothing else, in less than a megabyte', () => {
  expect(Object.keys(packed()).sort()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/dist/extension.js',
    'extension/language-configuration.json',
    'extension/package.json',
    'extension/readme.md',
    'extension/schemas/svc.toml.schema.json',
    'extension/snippets/svc.json',
    'extension/syntaxes/svc.tmLanguage.json',
  ]);
  expect(readFileSync(vsix).length).toBeLessThan(1_000_000);
});

test('every command of the manifest is registered', () => {
  const { contributes } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const named: string[] = contributes.commands.map(({ command }: { command: string }) => command);
  expect(named.filter((name) => !fake.commands.has(name))).toEqual([]);
});

test('the debug adapter that sessions get speaks the protocol', async () => {
  const session = { workspaceFolder: undefined };
  const { values } = fake.debugFactories.get('svc')!.createDebugAdapterDescriptor(session);
  const [command, args] = values as [string, string[]];
  const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const message = JSON.stringify({ seq: 1, type: 'request', command: 'initialize', arguments: { adapterID: 'svc' } });
  child.stdin.write(`Content-Length: ${message.length}\r\n\r\n${message}`);
  let answer = '';
  for await (const chunk of child.stdout) {
    answer += chunk;
    if (answer.includes('supportsFunctionBreakpoints')) break;
  }
  child.kill();
  expect(answer).toContain('"command":"initialize","success":true');
});

test('tests of an opened program are found, run, and told', async () => {
  const [controller] = fake.controllers;
  const uri = { scheme: 'file', fsPath: program, toString: () => `file://${program}` };
  for (const open of fake.opened) open({ languageId: 'svc', uri, getText: () => text });
  const items = [...controller!.items].map(([, file]) => [...file.children].map(([id]) => id));
  expect(items).toEqual([['doubles', 'fails']]);
  const run = controller!.profiles.find(({ label }) => label === 'Run')!.run;
  await run({}, undefined);
  await controller!.ended;
  expect(controller!.outcomes).toEqual(['passed doubles', 'failed fails Error: AssertionError']);
});

test('the graph panel asks the session where a walk stands, and lets no page elsewhere in', async () => {
  await fake.commands.get('svc.showGraph')!();
  const [panel] = fake.panels;
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(panel!.html)?.[1];
  expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[\w+/=]+'; script-src 'nonce-[\w+/=]+'$/);
  const asked: unknown[] = [];
  const graph = { nodes: [], edges: [], here: null, queue: [], visited: [], walk: null };
  const customRequest = async (...request: unknown[]) => {
    asked.push(request);
    return graph;
  };
  const session = { type: 'svc', customRequest };
  for (const listener of fake.customEvents) await listener({ event: 'svc/walk', session });
  expect(asked).toEqual([['svc/graph', { depth: 6, limit: 300 }]]);
  expect(panel!.posted).toEqual([graph]);
});

test('svc.toml is completed from the schema', async () => {
  const [toml] = fake.completion;
  const complete = (written: string) => {
    const lines = written.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)!.length };
    return toml!
      .provideCompletionItems({ getText: () => written }, position)
      .map(({ label }: { label: string }) => label);
  };
  expect(complete('[')).toEqual(expect.arrayContaining(['serve', 'plugins', 'storage']));
  expect(complete('[plugins.')).toEqual(expect.arrayContaining(['scale', 'client']));
  expect(complete('[serve]\n')).toEqual(expect.arrayContaining(['port', 'workers']));
  expect(complete('[serve]\non_conflict = ')).toEqual(['"retry"', '"fail"']);
  expect(complete('[serve]\nport = ')).toEqual(['8000']);
});
