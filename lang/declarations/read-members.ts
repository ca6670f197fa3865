/** The members of a class, an interface or an object type. */
import type { Member, Members, Param, Signature, TypeNode } from './nodes.ts';
import { readGenerics, readParams, readSignature, skipDecorators } from './read-signature.ts';
import { readType } from './read-types.ts';
import { readFunctionValue, readLiteral, skipExpression } from './read-values.ts';
import {
  expectMark,
  isMark,
  isOpening,
  isWord,
  lookAhead,
  lose,
  next,
  skipAngles,
  skipBracketed,
  type Tokens,
  tokensOf,
  tryMark,
} from './tokens.ts';

interface Reading {
  readonly all: Member[];
  readonly constructors: Signature[];
  readonly calls: Signature[];
  index: TypeNode | undefined;
  isOpen: boolean;
}

const modifiers = new Set(
  'public private protected static abstract override readonly declare async accessor get set'.split(' '),
);

/** Reads the members from `{` to the token behind `}`. */
export function readMembers(t: Tokens): Members {
  const r: Reading = { all: [], constructors: [], calls: [], index: undefined, isOpen: false };
  expectMark(t, '{');
  while (t.kind !== 'end' && !isMark(t, '}')) {
    if (!tryMark(t, ';') && !tryMark(t, ',')) readMember(t, r);
  }
  expectMark(t, '}');
  return r;
}

function readMember(t: Tokens, r: Reading): void {
  skipDecorators(t);
  const before = readModifiers(t);
  if (before.has('static') && isMark(t, '{')) {
    skipBracketed(t);
    return;
  }
  const isGenerator = tryMark(t, '*');
  const isAsync = before.has('async');
  if (isMark(t, '(') || isMark(t, '<')) {
    r.calls.push(readSignature(t, ':'));
    return;
  }
  const name = readName(t, r);
  if (name === 'new' && (isMark(t, '(') || isMark(t, '<'))) {
    r.constructors.push(readSignature(t, ':'));
    return;
  }
  const isOptional = tryMark(t, '?');
  tryMark(t, '!');
  const isStatic = before.has('static');
  const add = (type: TypeNode | undefined, signature: Signature | undefined): void => {
    if (name !== undefined) r.all.push({ name, isStatic, isOptional, type, signature });
  };
  if (!isMark(t, '(') && !isMark(t, '<')) {
    const type = readFieldType(t);
    if (!t.lost) add(type, type?.k === 'function' ? type.signature : undefined);
  } else if (before.has('get') || before.has('set')) {
    readParams(t);
    const type = tryMark(t, ':') ? readType(t) : undefined;
    if (isMark(t, '{')) skipBracketed(t);
    if (before.has('get')) add(type, undefined);
    else if (!r.all.some((one) => one.name === name)) add(undefined, undefined);
  } else if (name === 'constructor' && !isStatic) {
    addParameterFields(t, r);
    const signature = readSignature(t, ':');
    r.constructors.push(signature);
    if (isMark(t, '{')) skipBracketed(t);
  } else {
    const { start } = t;
    skipSignature(t);
    const hasBody = isMark(t, '{');
    if (hasBody) skipBracketed(t);
    if (!t.lost) add(undefined, new MethodSignature(t, start, { isAsync, isGenerator, hasBody }));
  }
}

/** Read when it is asked for: a program uses few of the methods that a package declares. */
class MethodSignature implements Signature {
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  readonly hasBody: boolean;
  private readonly text: string;
  private readonly start: number;
  private readonly limit: number;
  private known: Signature | undefined;

  constructor(
    { text, limit }: Tokens,
    start: number,
    { isAsync, isGenerator, hasBody }: Pick<Signature, 'isAsync' | 'isGenerator' | 'hasBody'>,
  ) {
    this.text = text;
    this.start = start;
    this.limit = limit;
    this.isAsync = isAsync;
    this.isGenerator = isGenerator;
    this.hasBody = hasBody;
    this.known = undefined;
  }

  get generics(): Signature['generics'] {
    return this.read().generics;
  }

  get params(): Signature['params'] {
    return this.read().params;
  }

  get result(): Signature['result'] {
    return this.read().result;
  }

  private read(): Signature {
    if (this.known === undefined) {
      const t = tokensOf(this.text, this.start, this.limit);
      const signature = readSignature(t, ':');
      this.known = t.lost ? { ...signature, params: [anything], result: undefined } : signature;
    }
    return this.known;
  }
}

const anything: Param = { name: '', type: undefined, isOptional: true, isRest: true };

/** To the end of a method's declaration, or the `{` of its body. */
function skipSignature(t: Tokens): void {
  if (isMark(t, '<')) skipAngles(t);
  if (isMark(t, '(')) skipBracketed(t);
  else lose(t);
  if (!tryMark(t, ':')) return;
  for (let needsMore = true; t.kind !== 'end'; ) {
    if (isMark(t, ';') || isMark(t, ',') || isMark(t, '}')) return;
    if (!needsMore && (isMark(t, '{') || (t.onNewLine && !continuesType(t)))) return;
    needsMore = t.kind === 'mark' ? operators.has(t.value) : t.kind === 'name' && prefixes.has(t.value);
    if (isMark(t, '<')) skipAngles(t);
    else if (isOpening(t)) skipBracketed(t);
    else next(t);
  }
}

const operators = new Set(['|', '&', '=>', '?', ':', '.', '-']);
const prefixes = new Set('keyof typeof is extends infer readonly unique asserts new abstract'.split(' '));

function continuesType(t: Tokens): boolean {
  return t.kind === 'mark' ? operators.has(t.value) : isWord(t, 'extends');
}

function readModifiers(t: Tokens): ReadonlySet<string> {
  const found = new Set<string>();
  while (t.kind === 'name' && modifiers.has(t.value) && lookAhead(t, isBeforeMember)) {
    found.add(t.value);
    next(t);
  }
  return found;
}

function isBeforeMember(t: Tokens): boolean {
  const word = t.value;
  next(t);
  if (t.kind === 'mark') return '[*#'.includes(t.value) || (word === 'static' && t.value === '{');
  // Only a line break tells a field called `static` from a modifier.
  return t.kind !== 'end' && !(t.onNewLine && (word === 'get' || word === 'set' || word === 'async'));
}

/** Undefined for what has no name that a program could write: `[Symbol.iterator]`, `#secret`, index signatures. */
function readName(t: Tokens, r: Reading): string | undefined {
  if (isMark(t, '[')) {
    if (lookAhead(t, isIndexSignature)) {
      skipBracketed(t);
      r.index = lookAhead(t, (ahead) => (tryMark(ahead, ':') ? readType(ahead) : undefined));
    } else {
      if (!lookAhead(t, isSymbol)) r.isOpen = true;
      skipBracketed(t);
    }
    return undefined;
  }
  if (tryMark(t, '#')) {
    next(t);
    return undefined;
  }
  const { value } = t;
  const isName = t.kind === 'name' || t.kind === 'text' || t.kind === 'number';
  if (!isName) lose(t);
  next(t);
  return value;
}

function isIndexSignature(t: Tokens): boolean {
  next(t);
  if (t.kind !== 'name') return false;
  next(t);
  return isMark(t, ':');
}

function isSymbol(t: Tokens): boolean {
  next(t);
  return isWord(t, 'Symbol');
}

function readFieldType(t: Tokens): TypeNode | undefined {
  const declared = tryMark(t, ':') ? readType(t) : undefined;
  if (!tryMark(t, '=')) return declared;
  const literal = readLiteral(t);
  const signature = readFunctionValue(t);
  skipExpression(t, false);
  return declared ?? literal ?? (signature && { k: 'function', signature });
}

/** `constructor(private readonly size: number)` declares a field. */
function addParameterFields(t: Tokens, r: Reading): void {
  lookAhead(t, (ahead) => {
    readGenerics(ahead);
    if (!isMark(ahead, '(')) return;
    next(ahead);
    for (let isFirst = true; ahead.kind !== 'end' && !isMark(ahead, ')'); isFirst = false) {
      if (!isFirst && !tryMark(ahead, ',')) {
        if (isOpening(ahead)) skipBracketed(ahead);
        else next(ahead);
        continue;
      }
      addParameterField(ahead, r);
    }
  });
}

const fieldWords = new Set(['public', 'private', 'protected', 'readonly', 'override']);

function addParameterField(t: Tokens, r: Reading): void {
  skipDecorators(t);
  let isField = false;
  while (t.kind === 'name' && fieldWords.has(t.value) && lookAhead(t, isBeforeMember)) {
    isField = true;
    next(t);
  }
  if (!isField || t.kind !== 'name') return;
  const name = t.value;
  next(t);
  const isOptional = tryMark(t, '?');
  const type = tryMark(t, ':') ? readType(t) : undefined;
  r.all.push({ name, isStatic: false, isOptional, type, signature: undefined });
}
