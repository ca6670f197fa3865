/** Signatures: type parameters, parameters, result. */
import type { Param, Signature } from './nodes.ts';
import { readPath, readType } from './read-types.ts';
import { readLiteral, skipExpression } from './read-values.ts';
import {
  expectMark,
  isMark,
  isOpening,
  lookAhead,
  lose,
  next,
  skipAngles,
  skipBracketed,
  type Tokens,
  tryMark,
} from './tokens.ts';

/** `<T>(a: A, b?: B): R`, or with `=>` before the result. */
export function readSignature(t: Tokens, before: ':' | '=>'): Signature {
  const generics = readGenerics(t);
  const params = readParams(t);
  const result = tryMark(t, before) ? readType(t) : undefined;
  return { generics, params, result, isAsync: false, isGenerator: false, hasBody: isMark(t, '{') };
}

/** Names of type parameters: `<const T extends A = B, U>`. */
export function readGenerics(t: Tokens): string[] {
  if (!isMark(t, '<')) return [];
  const names = lookAhead(t, (ahead) => {
    const found: string[] = [];
    let isName = true;
    let depth = 0;
    while (ahead.kind !== 'end') {
      if (isOpening(ahead)) {
        skipBracketed(ahead);
        continue;
      }
      if (isMark(ahead, '<')) depth += 1;
      else if (isMark(ahead, '>')) depth -= 1;
      else if (isMark(ahead, ',') && depth === 1) isName = true;
      else if (ahead.kind === 'name' && isName && !['const', 'in', 'out'].includes(ahead.value)) {
        found.push(ahead.value);
        isName = false;
      }
      if (depth === 0) break;
      next(ahead);
    }
    return found;
  });
  skipAngles(t);
  return names;
}

const modifiers = new Set(['public', 'private', 'protected', 'readonly', 'override']);

export function readParams(t: Tokens): Param[] {
  const params: Param[] = [];
  expectMark(t, '(');
  while (t.kind !== 'end' && !isMark(t, ')')) {
    const param = readParam(t);
    if (param.name !== 'this') params.push(param);
    if (!tryMark(t, ',')) break;
  }
  expectMark(t, ')');
  return params;
}

function readParam(t: Tokens): Param {
  skipDecorators(t);
  while (t.kind === 'name' && modifiers.has(t.value) && lookAhead(t, isBeforeName)) next(t);
  const isRest = tryMark(t, '...');
  const name = t.kind === 'name' ? t.value : '';
  if (isMark(t, '{') || isMark(t, '[')) skipBracketed(t);
  else if (t.kind === 'name') next(t);
  else lose(t);
  const isOptional = tryMark(t, '?');
  let type = tryMark(t, ':') ? readType(t) : undefined;
  if (!isMark(t, '=')) return { name, type, isOptional, isRest };
  next(t);
  const literal = readLiteral(t);
  type ??= literal;
  skipExpression(t, true);
  return { name, type, isOptional: true, isRest };
}

function isBeforeName(t: Tokens): boolean {
  next(t);
  return t.kind === 'name' || isMark(t, '{') || isMark(t, '[');
}

export function skipDecorators(t: Tokens): void {
  while (tryMark(t, '@')) {
    if (isMark(t, '(')) skipBracketed(t);
    else readPath(t);
    if (isMark(t, '<')) skipAngles(t);
    if (isMark(t, '(')) skipBracketed(t);
  }
}
