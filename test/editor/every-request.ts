/** Requests about places of a file, and edits at random. */
import { pathToFileURL } from 'node:url';
import { positionOf } from '../../cli/lsp/positions.ts';
import type { Client } from './client.ts';
import { type Example, readText } from './examples.ts';
import { randomFrom } from './usefulness.ts';

/** Requests that take a position. */
export const requestsAt: readonly string[] = [
  'completion',
  'hover',
  'signatureHelp',
  'definition',
  'typeDefinition',
  'implementation',
  'references',
  'documentHighlight',
  'prepareRename',
  'rename',
  'prepareCallHierarchy',
  'selectionRange',
  'documentSymbol',
  'foldingRange',
  'semanticTokens/full',
  'semanticTokens/range',
  'inlayHint',
  'formatting',
  'rangeFormatting',
  'codeAction',
  'codeLens',
  'documentLink',
  'diagnostic',
];

export interface Asked {
  readonly answered: ReadonlySet<string>;
  /** Requests that the server refused without a sentence of its own, or answered in a wrong shape. */
  readonly errors: readonly string[];
}

/** Asks every request at `places` places of the text. A refusal to rename is an answer. */
export async function askEverything(client: Client, file: string, text: string, places: number): Promise<Asked> {
  const answered = new Set<string>();
  const errors: string[] = [];
  const source = { path: file, text };
  for (let i = 1; i <= places; i++) {
    const offset = Math.floor((text.length * i) / (places + 1));
    await Promise.all(requestsAt.map((name) => ask(client, file, source, offset, name, answered, errors)));
  }
  return { answered, errors };
}

async function ask(
  { connection }: Client,
  file: string,
  source: { readonly path: string; readonly text: string },
  offset: number,
  name: string,
  answered: Set<string>,
  errors: string[],
): Promise<void> {
  const position = positionOf(source, offset);
  const range = { start: position, end: positionOf(source, Math.min(source.text.length, offset + 200)) };
  const textDocument = { uri: pathToFileURL(file).href };
  const params = {
    textDocument,
    position,
    positions: [position],
    range,
    newName: 'renamed_name',
    context: { includeDeclaration: true, diagnostics: [] },
    options: { tabSize: 4, insertSpaces: true },
  };
  try {
    const answer = await connection.sendRequest(`textDocument/${name}`, params);
    answered.add(name);
    if (name === 'prepareCallHierarchy' && Array.isArray(answer)) {
      for (const item of answer)
        for (const way of ['incomingCalls', 'outgoingCalls'])
          await connection.sendRequest(`callHierarchy/${way}`, { item });
    }
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    // -32803: the request failed, with a sentence for people.
    if ((name === 'rename' || name === 'prepareRename') && code === -32803 && message.endsWith('.')) answered.add(name);
    else errors.push(`${name} at ${file}:${offset}: ${code} ${message}`);
  }
}

const scraps = [
  '{',
  '}',
  '(',
  ')',
  ';',
  '"',
  "'",
  '"""',
  '.',
  '?.',
  '<',
  '</div>',
  '[-->',
  '[?:',
  ' with entry ',
  ':',
  'self.',
  'has x: ',
  'import from ',
  '#*',
  'f"{',
  '\n',
  '\r\n',
  '\u{1F600}',
  '\ud83d',
  'node A {',
  'impl A.b {',
  'x = ',
  '->',
  '=',
  '`',
  'async ',
  '\0',
  'é',
];

/** Replaces parts of files by other parts and by scraps; now and then something is asked. */
export async function editAtRandom(
  client: Client,
  examples: readonly Example[],
  edits: number,
  seed: number,
): Promise<Asked> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const files = examples.flatMap((example) => example.files);
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();
  const answered = new Set<string>();
  const errors: string[] = [];
  let file = pick(files);
  for (let i = 0; i < edits; i++) {
    if (i % 50 === 0) {
      // From time to time everything is as it was.
      file = pick(files);
      if (random() < 0.5) texts.delete(file);
    }
    if (!versions.has(file)) await client.open(file, readText(file));
    const text = texts.get(file) ?? readText(file);
    const start = Math.floor(random() * (text.length + 1));
    const end = Math.min(text.length, start + Math.floor(random() ** 3 * 60));
    const from = Math.floor(random() * text.length);
    const insert =
      random() < 0.5 ? pick(scraps) : random() < 0.5 ? '' : text.slice(from, from + Math.floor(random() * 40));
    const changed = (text.slice(0, start) + insert + text.slice(end)).slice(0, 20_000);
    const version = (versions.get(file) ?? 1) + 1;
    versions.set(file, version);
    texts.set(file, changed);
    await client.change(file, version, changed);
    if (i % 5 === 0)
      await ask(
        client,
        file,
        { path: file, text: changed },
        Math.min(changed.length, start + insert.length),
        pick(requestsAt),
        answered,
        errors,
      );
    if (i % 100 === 99 || i === edits - 1) await client.diagnosticsOf(file, version);
  }
  return { answered, errors };
}
