/**
 * What a file, a namespace or a `declare module` declares at its top level: names and where their declarations begin. Bodies are passed over;
 * a declaration is read when somebody asks for it (read-declaration.ts).
 */
import { readPath } from './read-types.ts';
import {
  isMark,
  isOpening,
  isWord,
  lookAhead,
  next,
  skipBracketed,
  type Tokens,
  tokensOf,
  tryMark,
  tryWord,
} from './tokens.ts';

export interface Entry {
  readonly kind: 'function' | 'variable' | 'class' | 'interface' | 'alias' | 'enum' | 'namespace';
  readonly name: string;
  /** Where the name stands; for a namespace its body. */
  readonly start: number;
  readonly end: number;
  readonly isAsync: boolean;
}

/** A name of another module: `member` is undefined for all of it. */
export interface Link {
  readonly specifier: string;
  readonly member: string | undefined;
}

export type Export = { readonly of: 'local'; readonly path: readonly string[] } | ({ readonly of: 'link' } & Link);

export interface Block {
  readonly text: string;
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly imports: ReadonlyMap<string, Link>;
  readonly exports: ReadonlyMap<string, Export>;
  /** `export * from`. */
  readonly stars: readonly string[];
  /** `export = a.b`. */
  readonly assigned: readonly string[] | undefined;
  /** Bodies of `declare module 'x'`. */
  readonly modules: ReadonlyMap<string, Entry>;
  /** Declarations without code. */
  readonly isAmbient: boolean;
  /** What is declared counts as exported: in declarations without a list of exports. */
  readonly exportsAll: boolean;
}

interface Reading extends Block {
  readonly t: Tokens;
  readonly entries: Map<string, Entry[]>;
  readonly imports: Map<string, Link>;
  readonly exports: Map<string, Export>;
  readonly stars: string[];
  assigned: readonly string[] | undefined;
  readonly modules: Map<string, Entry>;
  exportsAll: boolean;
}

/** Undefined when the text is not understood. */
export function readBlock(text: string, from: number, to: number, isAmbient: boolean): Block | undefined {
  const t = tokensOf(text, from, to);
  const r: Reading = {
    t,
    text,
    entries: new Map(),
    imports: new Map(),
    exports: new Map(),
    stars: [],
    assigned: undefined,
    modules: new Map(),
    isAmbient,
    exportsAll: isAmbient,
  };
  let mayBegin = true;
  while (t.kind !== 'end') {
    const begins = mayBegin && t.kind === 'name' && starters.has(t.value);
    if (begins && readStatement(r)) {
      mayBegin = true;
      continue;
    }
    const ended = isMark(t, ';');
    const goesOn = isGoingOn(t);
    if (isOpening(t)) {
      const isBlock = isMark(t, '{');
      skipBracketed(t);
      mayBegin = isBlock || t.onNewLine;
    } else {
      next(t);
      mayBegin = ended || (t.onNewLine && !goesOn);
    }
  }
  return t.lost ? undefined : r;
}

const starters = new Set(
  'export import declare const let var function async class abstract interface type enum namespace module'.split(' '),
);

const going = new Set('extends keyof typeof implements in of is infer as new return await readonly unique'.split(' '));

/** Needs what comes behind it, on whatever line. */
function isGoingOn(t: Tokens): boolean {
  if (t.kind === 'name') return going.has(t.value);
  return t.kind === 'mark' && t.value !== ';' && t.value !== '>' && t.value !== '!';
}

/** From the first word of a statement into it. False when it is none that declares something; nothing is consumed then. */
function readStatement(r: Reading): boolean {
  const { t } = r;
  if (isWord(t, 'import')) return readImport(r);
  if (isWord(t, 'export')) {
    next(t);
    return readExport(r);
  }
  return readDeclared(r, undefined);
}

function readExport(r: Reading): boolean {
  const { t } = r;
  if (tryMark(t, '=')) {
    r.exportsAll = false;
    if (t.kind === 'name') r.assigned = readPath(t);
    return true;
  }
  if (isMark(t, '*')) {
    next(t);
    const name = tryWord(t, 'as') ? t.value : undefined;
    if (name !== undefined) next(t);
    const specifier = readFrom(t);
    r.exportsAll = false;
    if (specifier === undefined) return true;
    if (name === undefined) r.stars.push(specifier);
    else r.exports.set(name, { of: 'link', specifier, member: undefined });
    return true;
  }
  if (isWord(t, 'type') && lookAhead(t, (ahead) => (next(ahead), isMark(ahead, '{') || isMark(ahead, '*')))) {
    next(t);
    return readExport(r);
  }
  if (isMark(t, '{')) {
    readExportList(r);
    return true;
  }
  if (tryWord(t, 'default')) {
    readDefault(r);
    return true;
  }
  return isWord(t, 'import') ? readImport(r, true) : readDeclared(r, false);
}

function readExportList(r: Reading): void {
  const { t } = r;
  const names = readNames(t);
  const specifier = readFrom(t);
  r.exportsAll = false;
  for (const { name, as } of names) {
    r.exports.set(
      as,
      specifier === undefined ? { of: 'local', path: [name] } : { of: 'link', specifier, member: name },
    );
  }
}

/** `{ a, type B, c as d }` */
function readNames(t: Tokens): { name: string; as: string }[] {
  const names: { name: string; as: string }[] = [];
  next(t);
  while (t.kind !== 'end' && !isMark(t, '}')) {
    if (isWord(t, 'type') && lookAhead(t, isNameOfType)) next(t);
    const name = t.value;
    let as = name;
    next(t);
    if (tryWord(t, 'as')) {
      as = t.value;
      next(t);
    }
    names.push({ name, as });
    if (!tryMark(t, ',')) break;
  }
  tryMark(t, '}');
  return names;
}

// `type`, `type as x` and `type,` are a name; `type A` is one behind a word.
function isNameOfType(t: Tokens): boolean {
  next(t);
  return (t.kind === 'name' && t.value !== 'as') || t.kind === 'text';
}

function readFrom(t: Tokens): string | undefined {
  if (!tryWord(t, 'from') || t.kind !== 'text') return undefined;
  const { value } = t;
  next(t);
  return value;
}

function readDefault(r: Reading): void {
  const { t } = r;
  if (readDeclared(r, true)) return;
  r.exportsAll = false;
  if (t.kind === 'name' && lookAhead(t, isWholeStatement)) r.exports.set('default', { of: 'local', path: [t.value] });
}

function isWholeStatement(t: Tokens): boolean {
  next(t);
  return t.kind === 'end' || t.onNewLine || isMark(t, ';');
}

function readImport(r: Reading, isExported = false): boolean {
  const { t } = r;
  if (lookAhead(t, (ahead) => (next(ahead), isMark(ahead, '(') || isMark(ahead, '.')))) return false;
  next(t);
  if (isWord(t, 'type') && lookAhead(t, isImportOfType)) next(t);
  if (t.kind === 'text') {
    next(t);
    return true;
  }
  const found: { name: string; member: string | undefined }[] = [];
  if (t.kind === 'name') {
    const name = t.value;
    next(t);
    if (isMark(t, '=')) return readImportEquals(r, name, isExported);
    found.push({ name, member: 'default' });
    tryMark(t, ',');
  }
  if (tryMark(t, '*')) {
    tryWord(t, 'as');
    found.push({ name: t.value, member: undefined });
    next(t);
  } else if (isMark(t, '{')) {
    for (const { name, as } of readNames(t)) found.push({ name: as, member: name });
  }
  const specifier = readFrom(t);
  if (specifier !== undefined) for (const { name, member } of found) r.imports.set(name, { specifier, member });
  return true;
}

// `import type from './x'` imports something called `type`.
function isImportOfType(t: Tokens): boolean {
  next(t);
  if (isMark(t, '{') || isMark(t, '*')) return true;
  return t.kind === 'name' && t.value !== 'from';
}

/** `import a = require('x')`; `import a = b.c` is not followed. */
function readImportEquals(r: Reading, name: string, isExported: boolean): boolean {
  const { t } = r;
  next(t);
  if (isWord(t, 'require')) {
    next(t);
    tryMark(t, '(');
    if (t.kind === 'text') r.imports.set(name, { specifier: t.value, member: undefined });
  }
  if (isExported) r.exports.set(name, { of: 'local', path: [name] });
  return true;
}

/** `isDefault`: behind `export` without (false) or with `default` (true); undefined without `export`. */
function readDeclared(r: Reading, isDefault: boolean | undefined): boolean {
  const { t } = r;
  if (!lookAhead(t, (ahead) => declaredKind(ahead) !== undefined)) return false;
  const isAsync = lookAhead(t, hasAsync);
  const kind = declaredKind(t)!;
  if (kind === 'global') {
    skipBody(t);
    return true;
  }
  if (kind === 'namespace') return readNamespace(r, isDefault);
  if (kind === 'variable') {
    readVariables(r, isDefault);
    return true;
  }
  tryMark(t, '*');
  const isNamed = t.kind === 'name' && !isWord(t, 'extends') && !isWord(t, 'implements');
  const name = isNamed ? t.value : '';
  add(r, { kind, name, start: t.start, end: t.limit, isAsync }, isDefault);
  if (isNamed) next(t);
  // A body, or the end of the line; a result `: {}` in front of a body is passed as one.
  return true;
}

type DeclaredKind = Entry['kind'] | 'global';

const kindWords: Readonly<Record<string, DeclaredKind>> = {
  function: 'function',
  class: 'class',
  interface: 'interface',
  type: 'alias',
  enum: 'enum',
  namespace: 'namespace',
  module: 'namespace',
  global: 'global',
  const: 'variable',
  let: 'variable',
  var: 'variable',
};

/** Past the words in front of the name. Undefined when this is no declaration. */
function declaredKind(t: Tokens): DeclaredKind | undefined {
  while (t.kind === 'name') {
    const word = t.value;
    next(t);
    if (word === 'const' && isWord(t, 'enum')) continue;
    const kind = Object.hasOwn(kindWords, word) ? kindWords[word] : undefined;
    if (kind !== undefined) return isDeclared(kind, t) ? kind : undefined;
    if (!['declare', 'abstract', 'async'].includes(word) || t.onNewLine) return undefined;
  }
  return undefined;
}

// `type`, `module` and the like are names elsewhere.
function isDeclared(kind: DeclaredKind, t: Tokens): boolean {
  switch (kind) {
    case 'function':
      return t.kind === 'name' || isMark(t, '*') || isMark(t, '(') || isMark(t, '<');
    case 'class':
      return t.kind === 'name' || isMark(t, '{');
    case 'variable':
      return t.kind === 'name' || isMark(t, '{') || isMark(t, '[');
    case 'namespace':
      return (t.kind === 'name' || t.kind === 'text') && !t.onNewLine;
    case 'global':
      return isMark(t, '{');
    default:
      return t.kind === 'name' && !t.onNewLine;
  }
}

function hasAsync(t: Tokens): boolean {
  while (isWord(t, 'declare') || isWord(t, 'abstract')) next(t);
  return isWord(t, 'async');
}

function add(r: Reading, entry: Entry, isDefault: boolean | undefined): void {
  const name = entry.name === '' ? 'default' : entry.name;
  const known = r.entries.get(name);
  if (known === undefined) r.entries.set(name, [entry]);
  else known.push(entry);
  if (isDefault !== undefined) r.exports.set(isDefault ? 'default' : name, { of: 'local', path: [name] });
}

function readNamespace(r: Reading, isDefault: boolean | undefined): boolean {
  const { t } = r;
  const isModule = t.kind === 'text';
  const path = isModule ? [t.value] : readPath(t);
  if (isModule) next(t);
  if (!isMark(t, '{')) return true;
  const start = t.start;
  skipBracketed(t);
  const end = t.lost ? start : r.text.lastIndexOf('}', t.start - 1);
  // `namespace A.B` is rare; what is in it stays unknown.
  const entry: Entry = { kind: 'namespace', name: path[0]!, start: start + 1, end, isAsync: false };
  if (isModule) r.modules.set(entry.name, entry);
  else if (path.length === 1) add(r, entry, isDefault);
  return true;
}

function skipBody(t: Tokens): void {
  if (isMark(t, '{')) skipBracketed(t);
}

function readVariables(r: Reading, isDefault: boolean | undefined): void {
  const { t } = r;
  // What is taken apart has names that stay unknown.
  if (t.kind === 'name') addVariable(r, isDefault);
  for (;;) {
    // To a comma with another name behind it, as far as this statement goes.
    while (t.kind !== 'end' && !isMark(t, ';') && !isMark(t, ',')) {
      const goesOn = !isOpening(t) && isGoingOn(t);
      if (isOpening(t)) skipBracketed(t);
      else next(t);
      if (t.onNewLine && !goesOn && t.kind === 'name' && starters.has(t.value)) return;
    }
    if (!isMark(t, ',')) return;
    next(t);
    if (t.kind === 'name' && lookAhead(t, isDeclarator)) addVariable(r, isDefault);
  }
}

function addVariable(r: Reading, isDefault: boolean | undefined): void {
  const { t } = r;
  add(r, { kind: 'variable', name: t.value, start: t.start, end: t.limit, isAsync: false }, isDefault);
  next(t);
}

function isDeclarator(t: Tokens): boolean {
  next(t);
  return isMark(t, ':') || isMark(t, '=');
}
