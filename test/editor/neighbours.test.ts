/** Findings in TypeScript beside a program, progress, and reports that nothing is new. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith } from '../harness/svc-process.ts';
import { type Client, startClient } from './client.ts';

const repository = join(import.meta.dirname, '../..');
const config = '[project]\nname = "shop"\nversion = "1.0.0"\nentry-point = "main.svc"\n';
const program = `import from "./help.ts" { shout }

def add(a: int, b: int) -> int { return a + b; }

with entry { print(shout("a")); }
`;
const help = `import { add } from './main.svc';
export function shout(text: string): string { return text + add(1, 2); }
`;

interface Pushed {
  readonly code?: unknown;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

const told = (list: readonly Pushed[]) =>
  list.map(({ code, range: { start } }) => `${code} ${start.line}:${start.character}`);

/** Diagnostics of a file, once they are those. */
async function untilTold(client: Client, path: string, expected: readonly string[]): Promise<void> {
  const uri = pathToFileURL(path).href;
  const last = () => told(client.pushed.findLast((one) => one.uri === uri)?.diagnostics ?? []);
  while (JSON.stringify(last()) !== JSON.stringify(expected)) {
    expect(client.failures).toEqual([]);
    await client.next();
  }
}

test('a wrong call from either side is told when a file is saved, and goes when it is mended', async () => {
  using folder = folderWith({ 'svc.toml': config, 'main.svc': program, 'help.ts': help });
  symlinkSync(join(repository, 'node_modules'), join(folder.path, 'node_modules'));
  const [main, script] = [join(folder.path, 'main.svc'), join(folder.path, 'help.ts')];
  const client = await startClient(folder.path);
  const saved = (path: string, text: string) => {
    writeFileSync(path, text);
    return client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(path).href, type: 2 }],
    });
  };
  await client.open(main, program);
  expect((await client.diagnosticsOf(main, 1)).diagnostics).toEqual([]);
  // TypeScript calls the language.
  await saved(script, help.replace('add(1, 2)', 'add("x")'));
  await untilTold(client, script, ['E0704 1:60']);
  // The language calls TypeScript, in a text that is not saved: from what the file exports, and by its signature.
  await client.change(main, 2, program.replace('shout("a")', 'shout(3)').replace('{ shout }', '{ shout, whisper }'));
  await untilTold(client, main, ['W0404 0:33', 'E0410 4:25', 'E0702 0:33']);
  const pulled = (await client.connection.sendRequest('textDocument/diagnostic', {
    textDocument: { uri: pathToFileURL(script).href },
  })) as { items: readonly Pushed[] };
  expect(told(pulled.items)).toEqual(['E0704 1:60']);
  await saved(script, help);
  await untilTold(client, script, []);
  expect(await client.end()).toBe(0);
}, 120_000);

test('what has not changed is told by its name alone', async () => {
  using folder = folderWith({ 'svc.toml': config, 'main.svc': 'with entry { print(missing); }\n' });
  const main = join(folder.path, 'main.svc');
  const uri = pathToFileURL(main).href;
  const client = await startClient(folder.path);
  await client.open(main, 'with entry { print(missing); }\n');
  const pull = (previousResultId?: string) =>
    client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri }, previousResultId }) as Promise<{
      readonly kind: string;
      readonly resultId: string;
      readonly items?: readonly Pushed[];
    }>;
  const first = await pull();
  expect([first.kind, told(first.items ?? [])]).toEqual(['full', ['E0301 0:19']]);
  expect(await pull(first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
  const all = () =>
    client.connection.sendRequest('workspace/diagnostic', {
      previousResultIds: [{ uri, value: first.resultId }],
    }) as Promise<{ readonly items: readonly { readonly uri: string; readonly kind: string }[] }>;
  expect((await all()).items.map(({ kind }) => kind)).toEqual(['unchanged']);
  await client.change(main, 2, '\nwith entry { print(missing); }\n');
  const second = await pull(first.resultId);
  expect([second.kind, told(second.items ?? [])]).toEqual(['full', ['E0301 1:19']]);
  expect((await all()).items.map(({ kind }) => kind)).toEqual(['full']);
  expect(await client.end()).toBe(0);
}, 120_000);

test('a program that is read for the first time is told of, once, to who shows it', async () => {
  using folder = folderWith({ 'svc.toml': config, 'main.svc': 'import other;\n', 'other.svc': '' });
  const main = join(folder.path, 'main.svc');
  const client = await startClient(folder.path, 'here', { window: { workDoneProgress: true } });
  const seen: unknown[] = [];
  client.connection.onRequest('window/workDoneProgress/create', () => null);
  client.connection.onNotification('$/progress', (told: { value: unknown }) => void seen.push(told.value));
  await client.open(main, 'import other;\n');
  await client.diagnosticsOf(main, 1);
  await client.change(main, 2, 'import other;\nglob a = 1;\n');
  await client.diagnosticsOf(main, 2);
  expect(seen).toMatchObject([
    { kind: 'begin', title: 'svc', message: 'Reading main.svc' },
    { kind: 'report', message: 'Checking 2 files' },
    { kind: 'end' },
  ]);
  // A client that never answers is not waited for.
  const silent = await startClient(folder.path, 'here', { window: { workDoneProgress: true } });
  silent.connection.onRequest('window/workDoneProgress/create', () => new Promise(() => {}));
  await silent.open(main, 'import other;\n');
  await silent.diagnosticsOf(main, 1);
  for (const one of [client, silent]) expect([await one.end(), one.failures]).toEqual([0, []]);
}, 120_000);

test('a project that begins with TypeScript is no program of this language', async () => {
  using folder = folderWith({
    'svc.toml': config.replace('main.svc', 'app.ts'),
    'app.ts': `import { add } from './sums.svc';\nconsole.log(add('x', 1));\n`,
    'sums.svc': 'def add(a: int, b: int) -> int { return a + b; }\n',
  });
  symlinkSync(join(repository, 'node_modules'), join(folder.path, 'node_modules'));
  const client = await startClient(folder.path);
  await client.open(join(folder.path, 'sums.svc'), 'def add(a: int, b: int) -> int { return a + b; }\n');
  await untilTold(client, join(folder.path, 'app.ts'), ['E0704 1:16']);
  const { items } = (await client.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] })) as {
    readonly items: readonly { readonly uri: string; readonly items: readonly Pushed[] }[];
  };
  expect(items.map((one) => [one.uri.split('/').at(-1), told(one.items)])).toEqual([
    ['sums.svc', []],
    ['app.ts', ['E0704 1:16']],
  ]);
  expect([await client.end(), client.failures]).toEqual([0, []]);
}, 120_000);
