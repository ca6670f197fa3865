/**
 * Reader of the declarations at the top level of a file, a namespace or a `declare module`: names and where their
 * declarations begin. Bodies are passed over; a declaration is read when somebody asks for it (read-declaration.ts).
 */
import type { Block } from './block.ts';
import { type Reading, readDeclared } from './read-declared.ts';
import { readPath } from './read-types.ts';
import { isGoingOn, starters } from './statements.ts';
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

/**
 * Reads a statement from its first word on. False when it is none that declares something; nothing is consumed then.
 */
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
