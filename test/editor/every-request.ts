/** Requests about places of a file. */
import { pathToFileURL } from 'node:url';
import { positionOf } from '../../cli/lsp/positions.ts';
import type { Client } from './client.ts';

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
  client: Client,
  file: string,
  source: { readonly path: string; readonly text: string },
  offset: number,
  name: string,
  answered: Set<string>,
  errors: string[],
): Promise<void> {
  const { error } = await sendAt(client, file, source, offset, name);
  if (error === undefined) answered.add(name);
  else errors.push(error);
}

export interface Answer {
  /** Null for a refusal to rename. */
  readonly value: unknown;
  /** Reason why the answer is wrong; undefined: it is right. */
  readonly error: string | undefined;
}

/** Sends a request about a place. */
export async function sendAt(
  { connection }: Client,
  file: string,
  source: { readonly path: string; readonly text: string },
  offset: number,
  name: string,
): Promise<Answer> {
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
    const value = await connection.sendRequest(`textDocument/${name}`, params);
    if (name === 'prepareCallHierarchy' && Array.isArray(value)) {
      for (const item of value)
        for (const way of ['incomingCalls', 'outgoingCalls'])
          await connection.sendRequest(`callHierarchy/${way}`, { item });
    }
    return { value, error: undefined };
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    // -32803: the request failed, with a sentence for people.
    const isRefusal = (name === 'rename' || name === 'prepareRename') && code === -32803 && message.endsWith('.');
    return { value: null, error: isRefusal ? undefined : `${name} at ${file}:${offset}: ${code} ${message}` };
  }
}
