/** Answers of requests about one small program, over the protocol. Places are given by the text that stands there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capabilities } from '../../cli/lsp/capabilities.ts';
import { positionOf } from '../../cli/lsp/positions.ts';
import { openCollector } from '../../library/limits/collector.ts';
import { folderWith } from '../harness/svc-process.ts';
import { type Client, startClient } from './client.ts';
import { requestsAt } from './every-request.ts';

const main = `import from .shop { Item }
import from "./price.ts" { asText }

node Shelf { has name: str = "", first: Item | None = None; }
edge Holds {}

obj Box { def size() -> int; }

walker Find {
    has wanted: str = "";
    can look with Root entry { visit [-->[?:Shelf]]; }
}

def shown(shelf: Shelf) -> str {
    if shelf.name == "" { return "none"; }
    return shelf.name;
}

test "a shelf has a name" { assert shown(Shelf(name="a")) == "a"; }
`;
const shop = 'node Item { has price: float = 1.0; }\n';
const broken = 'node A { has x: int = ; }\n  def f( { return [;\n';
const loose = 'with entry {\n        a =   1;\n    print( a );\n}\n';

let folder: ReturnType<typeof folderWith>;
let client: Client;
const path = (name: string) => join(folder.path, name);
beforeAll(async () => {
  folder = folderWith({
    'svc.toml': '[project]\nname = "answers"\nversion = "1.0.0"\n',
    'main.svc': main,
    'shop.svc': shop,
    'price.ts': 'export function asText(price: number): string { return String(price); }\n',
    'broken.svc': broken,
    'loose.svc': loose,
  });
  client = await startClient(folder.path);
  for (const [name, text] of Object.entries({ 'main.svc': main, 'broken.svc': broken, 'loose.svc': loose }))
    await client.open(path(name), text);
});
afterAll(async () => {
  expect(await client.end()).toBe(0);
  expect(client.failures).toEqual([]);
  folder[Symbol.dispose]();
});

/** Asks about the first letter of `at` in the text. */
async function ask(request: string, at: string, more: object = {}, name = 'main.svc', text = main): Promise<any> {
  const offset = text.indexOf(at);
  expect(offset, at).toBeGreaterThanOrEqual(0);
  const position = positionOf({ path: name, text }, offset);
  return await client.connection.sendRequest(`textDocument/${request}`, {
    textDocument: { uri: pathToFileURL(path(name)).href },
    position,
    range: { start: position, end: position },
    context: { diagnostics: [] },
    options: { tabSize: 4, insertSpaces: true },
    ...more,
  });
}

const lineIn = (text: string, words: string) => text.slice(0, text.indexOf(words)).split('\n').length - 1;

test('a definition is found in another module, in TypeScript, and that of the type of a name', async () => {
  expect(await ask('definition', 'Item | None')).toMatchObject([
    { uri: pathToFileURL(path('shop.svc')).href, range: { start: { line: 0, character: 5 } } },
  ]);
  expect(await ask('definition', 'asText }')).toMatchObject([
    { uri: pathToFileURL(path('price.ts')).href, range: { start: { line: 0 } } },
  ]);
  expect(await ask('typeDefinition', 'shelf.name ==')).toMatchObject([
    { range: { start: { line: lineIn(main, 'node Shelf') } } },
  ]);
});

test('the outline names declarations with their members, and a test by its name in quotes', async () => {
  const symbols = await ask('documentSymbol', 'node Shelf');
  expect(symbols.map((one: { name: string }) => one.name)).toEqual([
    'Shelf',
    'Holds',
    'Box',
    'Find',
    'shown',
    '"a shelf has a name"',
  ]);
  expect(symbols[3].children.map((one: { name: string }) => one.name)).toEqual(['wanted', 'look']);
});

test('blocks fold, and a selection grows from the word to the file', async () => {
  const folds = await ask('foldingRange', 'node Shelf');
  expect(folds).toContainEqual(
    expect.objectContaining({ startLine: lineIn(main, 'walker Find'), endLine: lineIn(main, 'def shown') - 2 }),
  );
  const position = positionOf({ path: '', text: main }, main.indexOf('shelf.name ==') + 1);
  const [selection] = await ask('selectionRange', 'node Shelf', { positions: [position] });
  const widths: string[] = [];
  const lines = main.split('\n');
  for (let at = selection; at !== undefined; at = at.parent) {
    const { start, end } = at.range;
    widths.push(start.line === end.line ? lines[start.line]!.slice(start.character, end.character) : '…');
  }
  expect(widths.slice(0, 3)).toEqual(['shelf', 'shelf.name', 'shelf.name == ""']);
  expect(widths.length).toBeGreaterThan(4);
});

test('paths of imports are links', async () => {
  const links = await ask('documentLink', 'node Shelf');
  expect(links.map((one: { target: string }) => one.target)).toContain(pathToFileURL(path('price.ts')).href);
});

test('classes and abilities have token types of their own', async () => {
  const { data } = await ask('semanticTokens/full', 'node Shelf');
  const { tokenTypes } = capabilities.semanticTokensProvider!.legend;
  const lines = main.split('\n');
  const kinds = new Map<string, string>();
  let [line, character] = [0, 0];
  for (let i = 0; i < data.length; i += 5) {
    character = data[i] === 0 ? character + data[i + 1] : data[i + 1];
    line += data[i];
    const word = lines[line]!.slice(character, character + data[i + 2]);
    if (!kinds.has(word)) kinds.set(word, tokenTypes[data[i + 3]]!);
  }
  expect(Object.fromEntries(kinds)).toMatchObject({
    Shelf: 'node',
    Holds: 'edge',
    Find: 'walker',
    look: 'ability',
    shown: 'function',
    wanted: 'property',
    shelf: 'parameter',
  });
});

test('an ability is added to a walker, and a declared method is implemented', async () => {
  const titles = async (at: string) => (await ask('codeAction', at)).map((one: { title: string }) => one.title);
  expect(await titles('Find {')).toContain('Add an ability for `Shelf`');
  const found = (await ask('codeAction', 'size() ->')).find((one: { title: string }) => one.title.startsWith('Impl'));
  expect(found.title).toBe('Implement `Box.size`');
  expect(JSON.stringify(found.edit)).toContain('impl Box.size');
});

test('a file, and some lines of one, are laid out; broken text is left alone', async () => {
  const whole = await ask('formatting', 'with', {}, 'loose.svc', loose);
  expect(whole.map((one: { newText: string }) => one.newText).join('')).toContain('    a = 1;');
  const line = { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } };
  const some = await ask('rangeFormatting', 'with', { range: line }, 'loose.svc', loose);
  expect(some.every((one: { range: { start: { line: number } } }) => one.range.start.line <= 1)).toBe(true);
  expect(some.length).toBeGreaterThan(0);
  expect(await ask('formatting', 'node', {}, 'broken.svc', broken)).toBeNull();
});

test('a request without what its answer is made from is refused as one with invalid parameters', async () => {
  const uri = pathToFileURL(path('main.svc')).href;
  const place = { textDocument: { uri }, position: { line: 0, character: 0 } };
  const wrong: readonly (readonly [method: string, params: object])[] = [
    ...requestsAt.flatMap((name): [string, object][] => [
      [`textDocument/${name}`, {}],
      [`textDocument/${name}`, { textDocument: { uri: 5 } }],
    ]),
    ['textDocument/hover', { ...place, position: { line: '0', character: 0 } }],
    ['textDocument/rename', place],
    ['textDocument/rename', { ...place, newName: null }],
    ['textDocument/references', { ...place, context: null }],
    ['textDocument/selectionRange', { ...place, positions: [null] }],
    ['textDocument/codeAction', { ...place, range: { start: place.position, end: null }, context: {} }],
    ['callHierarchy/incomingCalls', { item: { uri } }],
    ['callHierarchy/outgoingCalls', {}],
    ['workspace/symbol', { query: null }],
    ['workspace/diagnostic', {}],
  ];
  const codes = wrong.map(async ([method, params]) => {
    const error = await client.connection.sendRequest(method, params).then(
      () => undefined,
      ({ code }: { readonly code: number }) => code,
    );
    return { method, error };
  });
  expect(await Promise.all(codes)).toEqual(wrong.map(([method]) => ({ method, error: -32602 })));
  for (const outside of [-5, 1e9])
    expect(
      await client.connection.sendRequest('textDocument/hover', {
        ...place,
        position: { line: outside, character: outside },
      }),
    ).toBeDefined();
});

test('broken text, and a file that is not there, answer null or an empty list', async () => {
  const isNothing = (value: any) => value === null || value.length === 0 || value.items?.length === 0;
  for (const request of ['hover', 'signatureHelp', 'definition', 'references', 'completion', 'documentSymbol']) {
    await ask(request, 'return [', {}, 'broken.svc', broken);
    const nowhere = { textDocument: { uri: pathToFileURL(path('nowhere.txt')).href } };
    expect(isNothing(await ask(request, 'node Shelf', nowhere)), request).toBe(true);
  }
});

test('an edit of a module is told to open files that depend on it, and to closed ones when they are asked', async () => {
  const text = shop.replace('price', 'cost');
  await client.open(path('shop.svc'), text);
  writeFileSync(path('user.svc'), 'import from .shop { Item }\nwith entry { print(Item().price); }\n');
  await client.open(path('user.svc'), 'import from .shop { Item }\nwith entry { print(Item().price); }\n');
  const codes = async (version: number) =>
    (await client.diagnosticsOf(path('user.svc'), version)).diagnostics.map(({ code }) => code);
  expect(await codes(1)).toHaveLength(1);
  await client.change(path('shop.svc'), 2, shop);
  for (;;) {
    const last = client.pushed.findLast((one) => one.uri === pathToFileURL(path('user.svc')).href);
    if (last?.diagnostics.length === 0) break;
    await client.next();
  }
  writeFileSync(path('closed.svc'), 'import from .shop { Item }\nwith entry { print(Item().cost); }\n');
  const closed = { textDocument: { uri: pathToFileURL(path('closed.svc')).href } };
  const { items } = await ask('diagnostic', 'node Shelf', closed);
  expect(items.map(({ code }: { code: string }) => code)).toEqual(['E0413']);
});

const collect = openCollector();
/** Collects all garbage; gives the bytes that are left. */
function heapLeft(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('memory is flat over edits; SVC_EDITS makes more', async () => {
  const edits = Number(process.env['SVC_EDITS'] ?? 120);
  let version = 1;
  const edit = async (words: string) => {
    version += 1;
    await client.change(path('main.svc'), version, main.replace('return "none";', words));
    await ask('completion', 'return shelf.name');
    await client.diagnosticsOf(path('main.svc'), version);
    (client.pushed as unknown[]).length = 0;
  };
  for (let i = 0; i < 30; i++) await edit(`return nothing${i}.`);
  const first = heapLeft();
  for (let i = 0; i < edits; i++) await edit(i % 2 === 0 ? `return nothing${i}.` : 'return "none";');
  expect(heapLeft()).toBeLessThan(1.25 * first + 40 * 2 ** 20);
}, 3_600_000);

test('when all is answered, garbage is collected before the next edit', async () => {
  let forced = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { flags: number } }[])
      if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) forced++;
  });
  observer.observe({ entryTypes: ['gc'] });
  await client.change(path('main.svc'), 1_000_000, main);
  await client.diagnosticsOf(path('main.svc'), 1_000_000);
  await expect.poll(() => forced).toBeGreaterThan(0);
  observer.disconnect();
});
