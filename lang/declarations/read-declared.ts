/** The head of a declaration: its kind, its name, where it begins. What follows is passed over. */
import type { Block, Entry, Export, Link } from './block.ts';
import { readPath } from './read-types.ts';
import { isGoingOn, starters } from './statements.ts';
import { isMark, isOpening, isWord, lookAhead, next, skipBracketed, type Tokens, tryMark } from './tokens.ts';

/** A block that is being read. */
export interface Reading extends Block {
  readonly t: Tokens;
  readonly entries: Map<string, Entry[]>;
  readonly imports: Map<string, Link>;
  readonly exports: Map<string, Export>;
  readonly stars: string[];
  assigned: readonly string[] | undefined;
  readonly modules: Map<string, Entry[]>;
  exportsAll: boolean;
}

/** `isDefault`: behind `export` without (false) or with `default` (true); undefined without `export`. */
export function readDeclared(r: Reading, isDefault: boolean | undefined): boolean {
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
  if (isModule) r.modules.set(entry.name, [...(r.modules.get(entry.name) ?? []), entry]);
  else if (path.length === 1) add(r, entry, isDefault);
  return true;
}

function skipBody(t: Tokens): void {
  if (isMark(t, '{')) skipBracketed(t);
}

function readVariables(r: Reading, isDefault: boolean | undefined): void {
  const { t } = r;
  // Variables that are bound by destructuring stay unknown.
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
