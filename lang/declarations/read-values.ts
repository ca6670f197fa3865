/** Initial values, as far as they tell a type; the rest of an expression is passed over. */
import type { Member, Signature, TypeNode } from './nodes.ts';
import { readParams, readSignature } from './read-signature.ts';
import { closesBeforeArrow, readType } from './read-types.ts';
import {
  isMark,
  isOpening,
  isWord,
  lookAhead,
  next,
  skipAngles,
  skipBracketed,
  type Tokens,
  tryMark,
} from './tokens.ts';

/** The type of a value that speaks for itself: a literal, perhaps with `as const`. Undefined when more is needed to tell. */
export function readLiteral(t: Tokens): TypeNode | undefined {
  return lookAhead(t, (ahead) => {
    const type = literalAt(ahead);
    if (type === undefined) return undefined;
    next(ahead);
    if (isWord(ahead, 'satisfies') && !ahead.onNewLine) {
      next(ahead);
      readType(ahead);
    }
    if (isWord(ahead, 'as') && !ahead.onNewLine) {
      next(ahead);
      if (!isWord(ahead, 'const')) return readType(ahead);
      next(ahead);
    }
    return endsExpression(ahead) ? type : undefined;
  });
}

function literalAt(t: Tokens): TypeNode | undefined {
  if (isMark(t, '-')) {
    next(t);
    return t.kind === 'number' ? literalAt(t) : undefined;
  }
  if (isMark(t, '{')) return objectAt(t);
  switch (t.kind) {
    case 'text':
    case 'template':
      return { k: 'plain', of: 'str' };
    case 'number':
      return { k: 'plain', of: t.value.endsWith('n') ? 'int' : 'number' };
    case 'name':
      return t.value === 'true' || t.value === 'false' ? { k: 'plain', of: 'bool' } : undefined;
    default:
      return undefined;
  }
}

/** An object with what its text says of it: members may be added later. Stops at its closing brace. */
function objectAt(t: Tokens): TypeNode | undefined {
  const all: Member[] = [];
  next(t);
  while (t.kind !== 'end' && !isMark(t, '}')) {
    const word = t.kind === 'name' && /^(?:async|get|set)$/.test(t.value) && lookAhead(t, isBeforeName) ? t.value : '';
    if (word !== '') next(t);
    if (t.kind === 'name' || t.kind === 'text') {
      const name = t.value;
      next(t);
      const isValue = tryMark(t, ':');
      const isMethod = !isValue && word !== 'get' && word !== 'set' && isMark(t, '(');
      const signature = isMethod
        ? { ...readSignature(t, ':'), isAsync: word === 'async', hasBody: true }
        : isValue
          ? readFunctionValue(t)
          : undefined;
      const type = isValue ? readLiteral(t) : undefined;
      const declared: TypeNode | undefined = isValue && signature ? { k: 'function', signature } : type;
      all.push({
        name,
        isStatic: false,
        isOptional: false,
        type: declared,
        signature: isMethod ? signature : undefined,
      });
    }
    skipExpression(t, true);
    if (!tryMark(t, ',')) break;
  }
  const members = { all, constructors: [], calls: [], index: undefined, isOpen: true };
  return isMark(t, '}') ? { k: 'object', members } : undefined;
}

function isBeforeName(t: Tokens): boolean {
  next(t);
  return t.kind === 'name' || t.kind === 'text';
}

function endsExpression(t: Tokens): boolean {
  return t.kind === 'end' || t.onNewLine
    ? !isContinuing(t)
    : isMark(t, ';') || isMark(t, ',') || isMark(t, ')') || isMark(t, '}');
}

/** A sign that goes on with the expression of the line before. */
function isContinuing(t: Tokens): boolean {
  return (
    (t.kind === 'mark' && !'};)@#]'.includes(t.value)) || isWord(t, 'as') || isWord(t, 'instanceof') || isWord(t, 'in')
  );
}

/** The signature of an arrow function or function expression that begins here; undefined when there is none. */
export function readFunctionValue(t: Tokens): Signature | undefined {
  return lookAhead(t, (ahead) => {
    const isAsync = isWord(ahead, 'async') && lookAhead(ahead, isSameLine);
    if (isAsync) next(ahead);
    if (isWord(ahead, 'function')) {
      next(ahead);
      const isGenerator = tryMark(ahead, '*');
      if (ahead.kind === 'name') next(ahead);
      const signature = readSignature(ahead, ':');
      return ahead.lost ? undefined : { ...signature, isAsync, isGenerator };
    }
    if (ahead.kind === 'name') {
      const { value } = ahead;
      next(ahead);
      if (!isMark(ahead, '=>')) return undefined;
      const params = [{ name: value, type: undefined, isOptional: false, isRest: false }];
      return { generics: [], params, result: undefined, isAsync, isGenerator: false, hasBody: true };
    }
    if (!isMark(ahead, '<') && !(isMark(ahead, '(') && lookAhead(ahead, isArrowHead))) return undefined;
    const signature = readSignature(ahead, ':');
    return ahead.lost || !isMark(ahead, '=>') ? undefined : { ...signature, isAsync, hasBody: true };
  });
}

function isSameLine(t: Tokens): boolean {
  next(t);
  return !t.onNewLine && (t.kind === 'name' || isMark(t, '(') || isMark(t, '<'));
}

function isArrowHead(t: Tokens): boolean {
  if (lookAhead(t, closesBeforeArrow)) return true;
  readParams(t);
  if (t.lost || !tryMark(t, ':')) return false;
  readType(t);
  return isMark(t, '=>');
}

/** To the end of an expression: `;` or a closing bracket, and `,` in a list or else the first line that does not go on with it. */
export function skipExpression(t: Tokens, isInList: boolean): void {
  for (let isFirst = true; t.kind !== 'end'; isFirst = false) {
    if (isInList ? isMark(t, ',') : !isFirst && t.onNewLine && !isContinuing(t)) return;
    if (isMark(t, ';') || isMark(t, ')') || isMark(t, ']') || isMark(t, '}')) return;
    if (isFirst && isMark(t, '<')) skipAngles(t);
    else if (isOpening(t)) skipBracketed(t);
    else skipWord(t);
  }
}

// A sign at the end of a line needs what comes next.
function skipWord(t: Tokens): void {
  const goesOn = t.kind === 'mark' || words.has(t.value);
  next(t);
  if (goesOn) t.onNewLine = false;
}

const words = new Set(['new', 'typeof', 'await', 'extends', 'in', 'instanceof', 'void', 'as', 'async', 'function']);
