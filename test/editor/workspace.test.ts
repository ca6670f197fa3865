/** Several folders in one window, their configuration, symbols of all of them, and requests that are taken back. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { CompletionList, SymbolInformation } from 'vscode-languageserver-protocol';
import { type Client, startClient } from './client.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const shop = `node Item { has price: float = 1.0; def cost(n: int) -> float { return self.price * n; } }
walker Buy { has count: int = 1; can go with Root entry { report self.count; } }
`;
const library = `node Book { has title: str; }\ntest "books have titles" { assert Book(title="A").title == "A"; }\n`;

/** A window with folders; each is a project that begins with `main.svc`. */
async function openWindow(folders: Readonly<Record<string, string>>): Promise<{ root: string; client: Client }> {
  const root = mkdtempSync(join(tmpdir(), 'svc-window-'));
  for (const [name, text] of Object.entries(folders)) {
    mkdirSync(join(root, name));
    writeConfig(join(root, name), 'main.svc');
    writeFileSync(join(root, name, 'main.svc'), text);
  }
  const client = await startClient(
    root,
    'here',
    { workspace: { workspaceFolders: true } },
    Object.keys(folders).map((name) => join(root, name)),
  );
  ended.push(async () => {
    await client.end();
    rmSync(root, { recursive: true });
    expect(client.failures).toEqual([]);
  });
  return { root, client };
}

function writeConfig(folder: string, entry: string, more = ''): void {
  writeFileSync(
    join(folder, 'svc.toml'),
    `[project]\nname = "one"\nversion = "1.0.0"\nentry-point = "${entry}"\n${more}`,
  );
}

const uriOf = (path: string) => pathToFileURL(path).href;

async function symbols({ connection }: Client, query: string): Promise<readonly string[]> {
  const found: SymbolInformation[] = (await connection.sendRequest('workspace/symbol', { query })) ?? [];
  return found.map(({ name, containerName, location: { uri } }) =>
    [containerName, name, uri.split('/').slice(-2).join('/')].filter((part) => part !== undefined).join(' '),
  );
}

function changed({ connection }: Client, path: string): Promise<void> {
  return connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf(path), type: 2 }] });
}

async function membersAt(client: Client, path: string, line: number, character: number): Promise<readonly string[]> {
  const found: CompletionList | null = await client.connection.sendRequest('textDocument/completion', {
    textDocument: { uri: uriOf(path) },
    position: { line, character },
  });
  return (found?.items ?? []).map(({ label }) => label);
}

test('symbols of every folder are found before a file is open, by letters in order, with what they are in', async () => {
  const { root, client } = await openWindow({ shop, library });
  expect(await symbols(client, 'price')).toEqual(['Item price shop/main.svc']);
  expect(await symbols(client, 'bk')).toEqual(['Book library/main.svc', '"books have titles" library/main.svc']);
  expect(await symbols(client, 'bUy')).toEqual(['Buy shop/main.svc']);
  // Typed text counts, saved or not.
  const file = join(root, 'shop/main.svc');
  await client.open(file, shop);
  await client.change(file, 2, shop.replace('Buy', 'Sell'));
  expect(await symbols(client, 'Sell')).toEqual(['Sell shop/main.svc']);
  expect(await symbols(client, 'Buy')).toEqual([]);
});

test('a folder that is added or taken away brings its symbols, or takes them along', async () => {
  const { root, client } = await openWindow({ shop });
  expect(await symbols(client, 'Book')).toEqual([]);
  const added = join(root, 'library');
  mkdirSync(added);
  writeConfig(added, 'main.svc');
  writeFileSync(join(added, 'main.svc'), library);
  const folder = { uri: uriOf(added), name: 'library' };
  const tell = (event: object) => client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await tell({ added: [folder], removed: [] });
  expect(await symbols(client, 'Book')).toContain('Book library/main.svc');
  await tell({ added: [], removed: [folder] });
  expect(await symbols(client, 'Book')).toEqual([]);
});

test('folders keep names of their own', async () => {
  const { root, client } = await openWindow({ shop, library: `${library}node Item { has pages: int = 0; }\n` });
  for (const [folder, member] of [
    ['shop', 'price'],
    ['library', 'pages'],
  ] as const) {
    const file = join(root, folder, 'main.svc');
    const text = folder === 'shop' ? shop : `${library}node Item { has pages: int = 0; }\n`;
    await client.open(file, `${text}def f(one: Item) { one.`);
    const members = await membersAt(client, file, text.split('\n').length - 1, 23);
    expect(members).toContain(member);
    expect(members).not.toContain(member === 'price' ? 'pages' : 'price');
  }
});

test('a changed configuration counts at once, and a broken one breaks nothing', async () => {
  const { root, client } = await openWindow({ shop });
  const [folder, file] = [join(root, 'shop'), join(root, 'shop/main.svc')];
  const old = 'walker A { can go with `root entry { report 1; } }\nwith entry { print(Item2); }\n';
  writeFileSync(join(folder, 'other.svc'), 'import from .main { Item }\nnode Other { has item: Item; }\n');
  await client.open(file, shop);
  await client.diagnosticsOf(file, 1);
  expect(await symbols(client, 'Other')).toEqual([]);
  writeConfig(folder, 'other.svc');
  await changed(client, join(folder, 'svc.toml'));
  expect(await symbols(client, 'Other')).toEqual(['Other shop/other.svc']);
  // Older spellings are told as the configuration says.
  const codes = async (version: number) => {
    const seen = client.pushed.length;
    await client.change(file, version, old);
    await client.diagnosticsOf(file, version);
    return client.pushed
      .slice(seen)
      .at(-1)!
      .diagnostics.map(({ code }) => code);
  };
  expect(await codes(2)).toContain('E0301');
  writeFileSync(join(folder, 'svc.toml'), '[project\nname = ');
  await changed(client, join(folder, 'svc.toml'));
  expect(await codes(3)).toContain('E0301');
  await client.change(file, 4, `${shop}def f(one: Item) { one.`);
  expect(await membersAt(client, file, 2, 23)).toContain('price');
  writeConfig(folder, 'main.svc');
  await changed(client, join(folder, 'svc.toml'));
  expect(await membersAt(client, file, 2, 23)).toContain('price');
});

test('a request that is taken back is answered as that, and those after it as always', async () => {
  const { root, client } = await openWindow({ shop });
  const file = join(root, 'shop/main.svc');
  const long = Array.from({ length: 600 }, (_, i) => `def f${i}(one: Item) -> float { return one.cost(${i}); }\n`).join(
    '',
  );
  await client.open(file, '');
  const { CancellationTokenSource } = await import('vscode-languageserver-protocol');
  const about = { textDocument: { uri: uriOf(file) }, position: { line: 2, character: 23 } };
  const methods = ['textDocument/completion', 'textDocument/hover', 'textDocument/references', 'workspace/symbol'];
  for (const [i, method] of methods.entries()) {
    await client.change(file, i + 2, `${shop}def f(one: Item) { one.;\n}\n${long}# ${i}\n`);
    const sources = Array.from({ length: 5 }, () => new CancellationTokenSource());
    const asked = sources.map(({ token }) =>
      client.connection
        .sendRequest<unknown>(method, { ...about, query: '', context: { includeDeclaration: true } }, token)
        .then(() => 'answered')
        .catch(({ code }: { code: number }) => code),
    );
    for (const source of sources) source.cancel();
    const answers = await Promise.all(asked);
    expect(answers.every((one) => one === 'answered' || one === -32800)).toBe(true);
    // Those behind the first wait while it is worked on.
    expect(answers.slice(1)).toContain(-32800);
    expect(await membersAt(client, file, 2, 23)).toContain('price');
  }
});
