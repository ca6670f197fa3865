/**
 * Edits at random of programs that an editor has open: texts are cut off, delimiters are lost, pieces move, foreign characters and ends of lines
 * come in. After each edit something is asked; no place in an answer may lie outside of its document. Now and then a server that knows nothing
 * of the edits before is asked the same, and has to answer the same.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Client } from './client.ts';
import { type Asked, requestsAt, sendAt } from './every-request.ts';
import { randomFrom } from './usefulness.ts';

/** Files that belong together, absolute. */
export interface EditedProgram {
  readonly name: string;
  readonly files: readonly string[];
}

export interface RandomEdits {
  readonly programs: readonly EditedProgram[];
  readonly edits: number;
  readonly seed: number;
  /** Starts a server. */
  readonly start: () => Promise<Client>;
  /** Edits before this one are made up, to come to the same ones, but no server sees them. */
  readonly from?: number;
  /** Edits from one comparison with a fresh server to the next. */
  readonly compareEvery: number;
  /** Takes the number of edits that are done, and the faults since it was called before. */
  readonly onProgress?: (done: number, wrong: readonly string[]) => void;
}

export interface Edited extends Asked {
  readonly failures: readonly string[];
  readonly compared: number;
}

const scraps = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  '"',
  "'",
  '"""',
  '.',
  '?.',
  '<',
  '<div',
  '</div>',
  '<>',
  '</',
  '[-->',
  '[?:',
  ' with entry ',
  ':',
  'self.',
  'here ++> ',
  'has x: ',
  'import from ',
  'import "',
  '#*',
  '*#',
  'f"{',
  'node A {',
  'impl A.b {',
  'cl {',
  '"use ',
  'x = ',
  '->',
  '=',
  '`',
  '@restspec(',
  'async ',
  'lambda ',
];

const foreign = [
  '\n',
  '\r\n',
  '\r',
  '\u{1F600}',
  '\ud83d',
  '\udc00',
  '\0',
  'é',
  'e\u0301',
  '\u202e',
  '\ufeff',
  '\u2028',
  '\u00a0',
  '\t',
  '名',
];

/** The text with one edit; as the part that is replaced and what comes in its place. */
function edited(text: string, random: () => number): { start: number; end: number; insert: string } {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = (list: readonly string[]) => list[below(list.length)]!;
  const at = below(text.length + 1);
  switch (below(10)) {
    case 0: {
      // Cut off, as a program is that is being written.
      return random() < 0.5
        ? { start: at, end: text.length, insert: '' }
        : { start: at, end: at, insert: pick(scraps) };
    }
    case 1: {
      const delimiter = text.slice(at).search(/[[\](){}"'`<>;]/);
      return delimiter < 0
        ? { start: at, end: at, insert: pick(scraps) }
        : { start: at + delimiter, end: at + delimiter + 1, insert: '' };
    }
    case 2: {
      const from = below(text.length);
      return { start: at, end: at, insert: text.slice(from, from + below(200)) };
    }
    case 3: {
      // A line is moved to the place of another one.
      const lines = text.split(/(?<=\n)/);
      const [line] = lines.splice(below(lines.length), 1);
      lines.splice(below(lines.length + 1), 0, line ?? '');
      return { start: 0, end: text.length, insert: lines.join('') };
    }
    case 4:
      return { start: at, end: at, insert: pick(foreign) };
    case 5:
      return random() < 0.1
        ? { start: 0, end: text.length, insert: text.replace(/\r?\n/g, random() < 0.5 ? '\r\n' : '\n') }
        : { start: at, end: at, insert: pick(scraps) + pick(foreign) };
    case 6:
      return { start: at, end: Math.min(text.length, at + below(60)), insert: '' };
    case 7: {
      // A word is typed in front of another one, or behind its dot.
      const dot = text.indexOf('.', at);
      return dot < 0
        ? { start: at, end: at, insert: 'a' }
        : { start: dot + 1, end: dot + 1, insert: random() < 0.5 ? '' : 'n' };
    }
    default:
      return { start: at, end: Math.min(text.length, at + Math.floor(random() ** 3 * 60)), insert: pick(scraps) };
  }
}

const compared = [
  'completion',
  'hover',
  'definition',
  'references',
  'signatureHelp',
  'semanticTokens/full',
  'inlayHint',
];
compared.push('documentSymbol', 'codeAction', 'codeLens', 'prepareRename', 'formatting', 'foldingRange');

export async function editAtRandom({
  programs,
  edits,
  seed,
  start,
  compareEvery,
  onProgress,
  from = 0,
}: RandomEdits): Promise<Edited> {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const answered = new Set<string>();
  const errors: string[] = [];
  const failures: string[] = [];
  let [compares, told] = [0, 0];
  for (let done = 0; done < edits; ) {
    const { files } = pick(programs);
    const texts = new Map<string, string>();
    const versions = new Map<string, number>();
    const round = Math.min(edits - done, 500);
    const client = done + round > from ? await start() : undefined;
    let file = pick(files);
    for (let i = 0; i < round; i++, done++) {
      if (i % 40 === 0) file = pick(files);
      const original = () => readFileSync(file, 'utf8');
      if (!versions.has(file)) {
        await client?.open(file, original());
        versions.set(file, 1);
        texts.set(file, original());
      }
      const before = texts.get(file)!;
      // From time to time everything is as it was.
      const isRestored = before.length < 50 || random() < 0.08;
      const edit = isRestored ? { start: 0, end: before.length, insert: original() } : edited(before, random);
      const text = before.slice(0, edit.start) + edit.insert + before.slice(edit.end);
      if (text.length > 40_000) continue;
      const version = versions.get(file)! + 1;
      versions.set(file, version);
      texts.set(file, text);
      const document = TextDocument.create('', '', 0, before);
      const range = { start: document.positionAt(edit.start), end: document.positionAt(edit.end) };
      // In the middle of an end of line or of a pair there is no place for an editor's cursor.
      const isExact = document.offsetAt(range.start) === edit.start && document.offsetAt(range.end) === edit.end;
      await client?.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: pathToFileURL(file).href, version },
        contentChanges: [isExact ? { range, text: edit.insert } : { text }],
      });
      const about = (what: string) => `seed ${seed}, edit ${done + 1} of ${file}: ${what}`;
      const offset = Math.min(
        text.length,
        random() < 0.7 ? edit.start + edit.insert.length : Math.floor(random() * text.length),
      );
      // Some edits come faster than answers.
      if (random() < 0.5) {
        const asked = pick(requestsAt);
        if (client === undefined) continue;
        const answer = await sendAt(client, file, { path: file, text }, offset, asked);
        if (answer.error === undefined) answered.add(asked);
        else errors.push(about(answer.error));
        const outside = placesOutside(answer.value, pathToFileURL(file).href, (path) => texts.get(path), asked);
        if (outside !== undefined) errors.push(about(`${asked} at ${offset}: ${outside}`));
      }
      if (client === undefined) continue;
      if (done % compareEvery === compareEvery - 1) {
        compares++;
        const pushed = await client.diagnosticsOf(file, version);
        const fresh = await start();
        for (const [path, other] of texts) await fresh.open(path, other);
        const ofFresh = await fresh.diagnosticsOf(file, 1);
        const differing = difference(pushed.diagnostics, ofFresh.diagnostics);
        if (differing !== undefined) errors.push(about(`diagnostics: ${differing}`));
        for (const name of compared) {
          const [mine, other] = [
            await sendAt(client, file, { path: file, text }, offset, name),
            await sendAt(fresh, file, { path: file, text }, offset, name),
          ];
          const found = difference(mine, other);
          if (found !== undefined) errors.push(about(`${name} at ${offset}: ${found}`));
          const beyond = placesOutside(mine.value, pathToFileURL(file).href, (path) => texts.get(path), name);
          if (beyond !== undefined) errors.push(about(`${name} at ${offset}: ${beyond}`));
        }
        failures.push(...fresh.failures.map(about));
        await fresh.end();
      }
      failures.push(...client.failures.splice(0).map(about));
    }
    if (client === undefined) continue;
    // Each text that stays as it is has got its diagnostics.
    for (const [path, version] of versions) await client.diagnosticsOf(path, version);
    if ((await client.end()) !== 0) errors.push(`seed ${seed}, edit ${done}: the server did not end well`);
    onProgress?.(done, [...errors, ...failures].slice(told));
    told = errors.length + failures.length;
  }
  return { answered, errors, failures, compared: compares };
}

function difference(mine: unknown, other: unknown): string | undefined {
  const [a, b] = [JSON.stringify(mine) ?? '', JSON.stringify(other) ?? ''];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at++;
  return `${a.slice(Math.max(0, at - 200), at + 200)} is in a fresh server ${b.slice(Math.max(0, at - 200), at + 200)}`;
}

type Position = { readonly line: number; readonly character: number };

/** The first place in an answer that its document does not have. */
export function placesOutside(
  answer: unknown,
  uri: string,
  textOf: (path: string) => string | undefined,
  request: string,
): string | undefined {
  const documents = new Map<string, TextDocument>();
  const documentOf = (of: string): TextDocument => {
    let found = documents.get(of);
    if (found === undefined) {
      const path = fileURLToPath(of);
      documents.set(of, (found = TextDocument.create(of, 'svc', 0, textOf(path) ?? readFileSync(path, 'utf8'))));
    }
    return found;
  };
  const isOutside = (of: string, { line, character }: Position) => {
    const document = documentOf(of);
    const at = document.positionAt(document.offsetAt({ line, character }));
    return line >= document.lineCount || at.line !== line || at.character !== character;
  };
  const look = (value: unknown, of: string): string | undefined => {
    if (Array.isArray(value)) {
      for (const one of value) {
        const found = look(one, of);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const one = value as Record<string, unknown>;
    const own =
      typeof one['uri'] === 'string' ? one['uri'] : ((one['textDocument'] as { uri?: string } | undefined)?.uri ?? of);
    if ('line' in one && 'character' in one)
      return isOutside(own, one as never) ? `${JSON.stringify(one)} is outside of ${own}` : undefined;
    if ('startLine' in one && Number(one['endLine']) >= documentOf(own).lineCount)
      return `a fold to line ${one['endLine']} is outside of ${own}`;
    if ('start' in one && 'end' in one) {
      const [start, end] = [one['start'] as Position, one['end'] as Position];
      if (start.line > end.line || (start.line === end.line && start.character > end.character))
        return `${JSON.stringify(one)} ends before it begins`;
    }
    for (const [key, part] of Object.entries(one)) {
      const parts = key === 'changes' ? Object.entries(part as object) : [[own, part] as const];
      for (const [where, inner] of parts) {
        const found = look(inner, where);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  if (request.startsWith('semanticTokens')) {
    const { data } = answer as { data: number[] };
    let [line, character] = [0, 0];
    for (let i = 0; i < data.length; i += 5) {
      character = data[i] === 0 ? character + data[i + 1]! : data[i + 1]!;
      line += data[i]!;
      if (data[i]! < 0 || (data[i] === 0 && data[i + 1]! < 0))
        return `a token at ${line}:${character} is before the last`;
      if (isOutside(uri, { line, character }) || isOutside(uri, { line, character: character + data[i + 2]! }))
        return `a token of ${data[i + 2]} at ${line}:${character} is outside`;
    }
    return undefined;
  }
  return look(answer, uri);
}
