/** One declaration of a block, read when it is asked for. */

import type { Block, Entry } from './block.ts';
import type { Declaration, TypeNode } from './nodes.ts';
import { readMembers } from './read-members.ts';
import { readGenerics, readSignature } from './read-signature.ts';
import { readType } from './read-types.ts';
import { readFunctionValue, readLiteral, skipExpression } from './read-values.ts';
import {
  expectMark,
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

/** Undefined for what is of an unknown form. */
export function readDeclaration(block: Block, entry: Entry): Declaration | undefined {
  const t = tokensOf(block.text, entry.start, entry.end);
  if (entry.name !== '') next(t);
  const declaration = read(t, entry);
  return t.lost ? undefined : declaration;
}

function read(t: Tokens, entry: Entry): Declaration | undefined {
  switch (entry.kind) {
    case 'function':
      return readFunction(t, entry);
    case 'variable':
      return { k: 'variable', type: readVariableType(t) };
    case 'alias': {
      const generics = readGenerics(t);
      expectMark(t, '=');
      return { k: 'alias', generics, type: readType(t) };
    }
    case 'class':
    case 'interface':
      return readClass(t, entry.kind);
    case 'enum':
      return readEnum(t);
    case 'namespace':
      return undefined;
  }
}

function readFunction(t: Tokens, entry: Entry): Declaration {
  const signature = readSignature(t, ':');
  const isGenerator = /\*\s*$/.test(t.text.slice(Math.max(0, entry.start - 20), entry.start));
  return { k: 'function', signature: { ...signature, isAsync: entry.isAsync, isGenerator } };
}

function readVariableType(t: Tokens): TypeNode | undefined {
  tryMark(t, '!');
  if (tryMark(t, ':')) return readType(t);
  if (!tryMark(t, '=')) return undefined;
  const signature = readFunctionValue(t);
  return signature === undefined ? readLiteral(t) : { k: 'function', signature };
}

function readClass(t: Tokens, k: 'class' | 'interface'): Declaration {
  const generics = readGenerics(t);
  const bases: (TypeNode | undefined)[] = [];
  if (tryWord(t, 'extends')) {
    do bases.push(readBase(t));
    while (tryMark(t, ','));
  }
  while (t.kind !== 'end' && !isMark(t, '{')) next(t);
  return { k, generics, bases, members: readMembers(t) };
}

/** A name with type arguments; an expression, such as a call that makes the class, is unknown. */
function readBase(t: Tokens): TypeNode | undefined {
  const type = lookAhead(t, (ahead) => {
    const found = readType(ahead);
    const isWhole = isMark(ahead, '{') || isMark(ahead, ',') || isWord(ahead, 'implements');
    return !ahead.lost && isWhole ? found : undefined;
  });
  if (type !== undefined) readType(t);
  else {
    // The last brace before the members is theirs.
    while (t.kind !== 'end' && !isMark(t, '{') && !isWord(t, 'implements')) {
      if (isOpening(t)) skipBracketed(t);
      else next(t);
    }
  }
  return type;
}

function readEnum(t: Tokens): Declaration {
  const members: string[] = [];
  const kinds = new Set<'str' | 'number' | 'mixed'>();
  expectMark(t, '{');
  while (t.kind !== 'end' && !isMark(t, '}')) {
    members.push(t.value);
    next(t);
    if (tryMark(t, '=')) {
      const literal = readLiteral(t);
      // A computed value is a number, except for text.
      kinds.add(literal?.k === 'plain' && literal.of === 'str' ? 'str' : literal === undefined ? 'mixed' : 'number');
      skipExpression(t, true);
    } else kinds.add('number');
    if (!tryMark(t, ',')) break;
  }
  expectMark(t, '}');
  const [of = 'mixed', ...more] = kinds;
  return { k: 'enum', members, of: more.length > 0 ? 'mixed' : of };
}
