/** The text of an answer as a value of the declared type. */
import type { TypeRef } from '../../library/classes/spec.ts';
import { loads } from '../../library/modules/json/json.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { conform, Misfit } from './conform.ts';

/** @throws Misfit */
export function readAnswer(text: string, type: TypeRef, isWrapped: boolean): unknown {
  const parsed = parse(text);
  // Not JSON at all: the bare value, as models without schemas write it (`RED`, `yes`, a sentence).
  if (parsed === undefined) return conform(text.trim(), type);
  const inner = unwrap(parsed.value, isWrapped);
  try {
    return conform(inner, type);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    // A text that happens to read as JSON, or a type one of whose fields is called `result`.
    if (inner !== parsed.value) return orElse(() => conform(parsed.value, type), error);
    if (typeof inner !== 'string') return orElse(() => conform(text.trim(), type), error);
    throw error;
  }
}

function orElse<T>(again: () => T, first: Misfit): T {
  try {
    return again();
  } catch {
    throw first;
  }
}

function unwrap(value: unknown, isWrapped: boolean): unknown {
  if (!(value instanceof Dict) || !value.has('result')) return value;
  const others = [...value.keys()].filter((key) => key !== 'result' && key !== 'reasoning');
  return isWrapped || others.length === 0 ? value.get('result') : value;
}

/** JSON, alone, in a fenced block, or after some words. */
function parse(text: string): { value: unknown } | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/i.exec(text)?.[1];
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  const candidates = [text, fenced, from >= 0 && to > from ? text.slice(from, to + 1) : undefined];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    try {
      return { value: loads(candidate.trim()) };
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
    }
  }
  return undefined;
}
