/**
 * A rule of the house: nothing waits between taking a socket, stream, server or process and listening to its errors, because an error that nobody
 * listens to ends the process; and a promise that nobody waits for says what becomes of its failure (decisions/0401).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './harness/house-imports.ts';
import { repository } from './harness/server.ts';

const folders = ['base', 'library', 'core', 'handlers', 'adapters', 'infra', 'cli'];
/** Scripts of pages, which run in a browser. */
const scripts = /^handlers\/http\/docs\//;

interface Source {
  readonly file: string;
  /** Comments are blank, so that places stay what they are. */
  readonly text: string;
}

const sources: readonly Source[] = folders
  .flatMap(sourceFiles)
  .map((file) => ({ file, text: withoutComments(readFileSync(join(repository, file), 'utf8')) }))
  .filter(({ file }) => !scripts.test(file));

function withoutComments(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/.*$/gm, blank);
}

interface Taker {
  readonly what: RegExp;
  /** Only in files that have this: the name means something else in others. */
  readonly where?: RegExp;
}

const takers: readonly Taker[] = [
  { what: /\bcreateServer\(/g },
  {
    what: /\.on\('(?:connection|connect|upgrade|secureConnection)'/g,
    where: /node:(?:http|https|net|tls)\b|nodeHttps?\(/,
  },
  { what: /\bconnect\(\{/g, where: /node:(?:net|tls)/ },
  { what: /\b(?:spawn|fork)\(/g, where: /child_process|nodeProcesses|node:cluster/ },
  { what: /\brequest\(/g, where: /node:https?|nodeHttps?\(/ },
  { what: /\bnew (?:PassThrough|Readable|Writable|Duplex|Transform|Redis|WebSocket(?:Server)?|Worker|Busboy)\(/g },
  { what: /\bReadable\.from\(|\bcreate(?:ReadStream|WriteStream|Gunzip|Gzip|Inflate(?:Raw)?|Brotli\w+)\(/g },
  { what: /\bwatch\(directory/g, where: /node:fs/ },
];

/** After one of these other events may come first. */
const turn =
  /\bawait (?!new Promise\b)|\byield\b|\bimport\(|\.then\(|(?<!\.)\bset(?:Timeout|Immediate|Interval)\(|\bqueueMicrotask\(|\bnextTick\(/;

/** Emitters whose errors are heard by other means than a listener beside them: file and call, and the means. */
const heardOtherwise: Readonly<Record<string, string>> = {
  'library/modules/requests/http-exchange.ts: connect({':
    'the agent of node:http listens to what an option makes for it',
  'library/modules/requests/requests.ts: request(': 'a method of Session, which takes nothing itself',
  'handlers/http/body/read-multipart.ts: new Busboy(': 'given to readMultipart, which listens at once',
  'adapters/hosts/local/serve.ts: createServer(': 'listen() does before the server can fail',
  "adapters/hosts/local/serve.ts: .on('connection'": 'openDoor listens for as long as the connection lives',
  "adapters/hosts/local/serve.ts: .on('connect'": 'by openDoor',
  "adapters/hosts/local/serve.ts: .on('upgrade'": 'by openDoor',
  'adapters/hosts/local/upgrade.ts: new WebSocketServer(': 'it has no server of its own whose errors it could pass on',
  'infra/images/fetch-blob.ts: createWriteStream(': 'an argument of pipeline, which listens at once',
  'infra/images/save-image.ts: createWriteStream(': 'an argument of pipeline, which listens at once',
  'infra/images/look-into-layers.ts: createGunzip(': 'an argument of pipeline, which listens at once',
  'cli/commands/import.ts: createReadStream(': 'one is read by for await, which listens; the other is heard',
};

/** From `start` to the end of the block it stands in. */
function restOfBlock(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === "'" || char === '"') at = endOfString(text, at);
    else if (char === '{') depth++;
    else if (char === '}' && --depth < 0) return text.slice(start, at);
  }
  return text.slice(start);
}

/** From `start` to where the expression ends that begins there. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === "'" || char === '"') at = endOfString(text, at);
    else if ('([{'.includes(char)) depth++;
    else if ((depth === 0 && ';,'.includes(char)) || (')]}'.includes(char) && --depth < 0))
      return text.slice(start, at);
  }
  return text.slice(start);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start] || text[at] === '\n') return at;
  }
  return text.length;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Finds the emitters in a text that let other events come before anything listens to their errors. */
function unheard({ file, text }: Source): string[] {
  return takers
    .filter(({ where }) => where === undefined || where.test(text))
    .flatMap(({ what }) => [...text.matchAll(what)])
    .filter(({ 0: found, index }) => {
      const rest = restOfBlock(text, index).slice(found.length);
      const next = turn.exec(rest)?.index ?? rest.length;
      return !/'error'/.test(rest.slice(0, next));
    })
    .filter(({ 0: found }) => heardOtherwise[`${file}: ${found}`] === undefined)
    .map(({ 0: found, index }) => `${file}:${lineOf(text, index)}: ${found}`);
}

test('whoever takes a socket, stream, server or process listens to its errors before anything else can happen', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(unheard)).toEqual([]);
});

test('an exception from the rule is needed', () => {
  const found = sources.flatMap(({ file, text }) =>
    takers.flatMap(({ what }) => [...text.matchAll(what)].map((match) => `${file}: ${match[0]}`)),
  );
  expect(Object.keys(heardOtherwise).filter((key) => !found.includes(key))).toEqual([]);
});

/**
 * Statements that begin a promise, say `void` to the linter (`noFloatingPromises`), and let its failure go unheard. Whether a call gives a promise is
 * seen by its name, if the file declares it, or by what is done with it.
 */
function forgotten({ file, text }: Source): string[] {
  const declared = [...text.matchAll(/\basync (?:function\*? )?(\w+)\(|\b(\w+) = async\b/g)];
  const isAsync = new Set(declared.map(([, one, other]) => one ?? other));
  return [...text.matchAll(/(?<![:|<]\s*)\bvoid (?=[\w$(])/g)]
    .map(({ index }) => ({ index, statement: expressionAt(text, index) }))
    .filter(({ statement }) => {
      const called = /^void (?:this\.)?(\w+)\(/.exec(statement)?.[1];
      const isPromise = /\.then\(|\.return\?\.\(/.test(statement) || (called !== undefined && isAsync.has(called));
      return isPromise && !statement.includes('.catch(');
    })
    .map(({ statement, index }) => `${file}:${lineOf(text, index)}: ${statement.split('\n')[0]}`);
}

test('a promise that nobody waits for says what becomes of its failure', () => {
  expect(sources.flatMap(forgotten)).toEqual([]);
});

test('the rules see what they are for', () => {
  const source = (...lines: string[]): Source => ({ file: 'a.ts', text: `import 'node:net';\n${lines.join('\n')}` });
  const taken = source(
    'async () => {',
    '  const socket = connect({ port });',
    '  await it;',
    "  socket.on('error', f);",
    '}',
  );
  expect(unheard(taken)).toEqual(['a.ts:3: connect({']);
  const heard = source('async () => {', "  const socket = connect({ port }).on('error', f);", '  await it;', '}');
  expect(unheard(heard)).toEqual([]);
  expect(forgotten(source('async function go() {}', 'void go();'))).toEqual(['a.ts:3: void go()']);
  expect(forgotten(source('async function go() {}', 'void go().catch(f);', 'void it.push(1);'))).toEqual([]);
});
