/** Types of TypeScript: from tokens to nodes. What has no meaning for the language is read and called unknown. */
import { type TypeNode, unknown } from './nodes.ts';
import { readMembers } from './read-members.ts';
import { readSignature } from './read-signature.ts';
import {
  expectMark,
  isMark,
  isOpening,
  isWord,
  lookAhead,
  lose,
  next,
  skipBracketed,
  type Tokens,
  tryMark,
  tryWord,
} from './tokens.ts';

export function readType(t: Tokens): TypeNode {
  const type = readUnion(t);
  if (!isWord(t, 'extends') || t.onNewLine) return type;
  // A conditional type.
  next(t);
  readUnion(t);
  expectMark(t, '?');
  readType(t);
  expectMark(t, ':');
  readType(t);
  return unknown;
}

function readUnion(t: Tokens): TypeNode {
  tryMark(t, '|');
  const of = [readIntersection(t)];
  while (tryMark(t, '|')) of.push(readIntersection(t));
  return of.length === 1 ? of[0]! : { k: 'union', of };
}

function readIntersection(t: Tokens): TypeNode {
  tryMark(t, '&');
  const of = [readOperator(t)];
  while (tryMark(t, '&')) of.push(readOperator(t));
  return of.length === 1 ? of[0]! : { k: 'both', of };
}

/** Deeper types are unknown: nobody writes them, and the stack has an end. */
const deepest = 100;

function readOperator(t: Tokens): TypeNode {
  if (t.depth > deepest) lose(t);
  t.depth += 1;
  const type = readOperand(t);
  t.depth -= 1;
  return type;
}

function readOperand(t: Tokens): TypeNode {
  if (t.kind === 'name' && prefixes.has(t.value) && lookAhead(t, beginsOperand)) {
    const word = t.value;
    next(t);
    const of = readOperator(t);
    return word === 'readonly' ? of : unknown;
  }
  if (isFunctionType(t)) return { k: 'function', signature: readSignature(t, '=>') };
  if (isWord(t, 'new') || (isWord(t, 'abstract') && lookAhead(t, isBeforeNew))) {
    while (isWord(t, 'abstract') || isWord(t, 'new')) next(t);
    readSignature(t, '=>');
    return unknown;
  }
  let type = readPrimary(t);
  while (isMark(t, '[') && !t.onNewLine) {
    next(t);
    if (tryMark(t, ']')) type = { k: 'list', of: type };
    else {
      readType(t);
      expectMark(t, ']');
      type = unknown;
    }
  }
  return type;
}

const prefixes = new Set(['keyof', 'unique', 'readonly', 'infer']);

function beginsOperand(t: Tokens): boolean {
  next(t);
  return t.kind === 'name' || t.kind === 'text' || t.kind === 'template' || isOpening(t);
}

function isBeforeNew(t: Tokens): boolean {
  next(t);
  return isWord(t, 'new');
}

function isFunctionType(t: Tokens): boolean {
  if (isMark(t, '<')) return true;
  return isMark(t, '(') && lookAhead(t, closesBeforeArrow);
}

export function closesBeforeArrow(t: Tokens): boolean {
  skipBracketed(t);
  return isMark(t, '=>');
}

function readPrimary(t: Tokens): TypeNode {
  switch (t.kind) {
    case 'name':
      return readNamed(t);
    case 'text': {
      const { value } = t;
      next(t);
      return { k: 'text', value };
    }
    case 'template':
      next(t);
      return { k: 'plain', of: 'str' };
    case 'number':
      return readNumber(t);
    case 'mark':
      return readMarked(t);
    default:
      lose(t);
      return unknown;
  }
}

function readNumber(t: Tokens): TypeNode {
  const of = t.value.endsWith('n') ? 'int' : 'number';
  next(t);
  return { k: 'plain', of };
}

function readMarked(t: Tokens): TypeNode {
  switch (t.value) {
    case '(': {
      next(t);
      const type = readType(t);
      expectMark(t, ')');
      return type;
    }
    case '[':
      return readTuple(t);
    case '{':
      return readObject(t);
    case '-':
      next(t);
      return readNumber(t);
    default:
      lose(t);
      return unknown;
  }
}

/** At run time a tuple of TypeScript is a list. */
function readTuple(t: Tokens): TypeNode {
  const of: TypeNode[] = [];
  next(t);
  while (t.kind !== 'end' && !isMark(t, ']')) {
    const isRest = tryMark(t, '...');
    if (t.kind === 'name' && lookAhead(t, isLabel)) {
      next(t);
      tryMark(t, '?');
      next(t);
    }
    const type = readType(t);
    if (tryMark(t, '?')) of.push({ k: 'plain', of: 'none' });
    of.push(isRest ? unknown : type);
    if (!tryMark(t, ',')) break;
  }
  expectMark(t, ']');
  return { k: 'list', of: of.length === 0 ? unknown : { k: 'union', of } };
}

function isLabel(t: Tokens): boolean {
  next(t);
  tryMark(t, '?');
  return isMark(t, ':');
}

function readObject(t: Tokens): TypeNode {
  if (lookAhead(t, isMapped)) {
    skipBracketed(t);
    return unknown;
  }
  return { k: 'object', members: readMembers(t) };
}

/** `{ [K in T]: … }` */
function isMapped(t: Tokens): boolean {
  next(t);
  while (isMark(t, '-') || isMark(t, '+') || isWord(t, 'readonly')) next(t);
  if (!tryMark(t, '[')) return false;
  next(t);
  return isWord(t, 'in');
}

const plainTypes: Readonly<Record<string, TypeNode>> = {
  string: { k: 'plain', of: 'str' },
  number: { k: 'plain', of: 'number' },
  bigint: { k: 'plain', of: 'int' },
  boolean: { k: 'plain', of: 'bool' },
  true: { k: 'plain', of: 'bool' },
  false: { k: 'plain', of: 'bool' },
  null: { k: 'plain', of: 'none' },
  undefined: { k: 'plain', of: 'none' },
  // A type without values may stand for any value: a callback's result, for one.
  void: unknown,
  any: unknown,
  unknown,
  never: unknown,
  object: unknown,
  symbol: unknown,
};

function readNamed(t: Tokens): TypeNode {
  const word = t.value;
  if (Object.hasOwn(plainTypes, word) && !lookAhead(t, isQualified)) {
    next(t);
    return plainTypes[word]!;
  }
  switch (word) {
    case 'this':
      next(t);
      return tryWord(t, 'is') ? predicate(t) : { k: 'this' };
    case 'typeof':
      return readTypeof(t);
    case 'import':
      return readImportType(t, false);
    case 'asserts':
      if (lookAhead(t, isAsserted)) {
        next(t);
        next(t);
        if (tryWord(t, 'is')) readType(t);
        return unknown;
      }
      break;
    default:
  }
  const path = readPath(t);
  if (isWord(t, 'is') && !t.onNewLine && path.length === 1) {
    next(t);
    return predicate(t);
  }
  return { k: 'name', path, args: readTypeArguments(t) };
}

function predicate(t: Tokens): TypeNode {
  readType(t);
  return { k: 'plain', of: 'bool' };
}

function isQualified(t: Tokens): boolean {
  next(t);
  return isMark(t, '.');
}

function isAsserted(t: Tokens): boolean {
  next(t);
  return t.kind === 'name' && !t.onNewLine && t.value !== 'is';
}

/** `a.b.c` */
export function readPath(t: Tokens): string[] {
  const path = [t.value];
  next(t);
  while (isMark(t, '.')) {
    next(t);
    if (isMark(t, '#')) next(t);
    if (t.kind !== 'name') {
      lose(t);
      break;
    }
    path.push(t.value);
    next(t);
  }
  return path;
}

function readTypeof(t: Tokens): TypeNode {
  next(t);
  if (isWord(t, 'import')) return readImportType(t, true);
  if (t.kind !== 'name') {
    lose(t);
    return unknown;
  }
  const path = readPath(t);
  readTypeArguments(t);
  return { k: 'typeof', path };
}

/** `import('./x').A.B<T>` */
function readImportType(t: Tokens, isValue: boolean): TypeNode {
  next(t);
  expectMark(t, '(');
  const specifier = t.value;
  if (t.kind !== 'text') lose(t);
  next(t);
  if (tryMark(t, ',')) {
    if (isMark(t, '{')) skipBracketed(t);
    tryMark(t, ',');
  }
  expectMark(t, ')');
  const path = tryMark(t, '.') ? readPath(t) : [];
  return { k: 'import', specifier, path, args: readTypeArguments(t), isValue };
}

function readTypeArguments(t: Tokens): TypeNode[] {
  const args: TypeNode[] = [];
  if (!isMark(t, '<') || t.onNewLine) return args;
  next(t);
  while (t.kind !== 'end' && !isMark(t, '>')) {
    args.push(readType(t));
    if (!tryMark(t, ',')) break;
  }
  expectMark(t, '>');
  return args;
}
