import type { FieldProblem } from '../problems.ts';

export type Profile = Readonly<Record<string, unknown>>;

const maxKeys = 20;
const maxTextLength = 1024;
const maxBytes = 8192;
const keyPattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** `sso` is kept for the identity provider's data; the others would meet object prototypes in careless clients. */
const reservedKeys = new Set(['sso', '__proto__', 'constructor', 'prototype']);

/** Free data an account carries, as `profile` merged into `base`; null removes a key (docs/server/accounts.md#sessions). */
export function mergeProfile(base: Profile, change: Profile): Profile {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** Lists the faults of members of a profile as sent. */
export function profileProblems(profile: unknown, loc: readonly (string | number)[]): FieldProblem[] {
  if (typeof profile !== 'object' || profile === null || Array.isArray(profile)) {
    return [{ loc, type: 'dict_type', msg: 'must be an object' }];
  }
  const problems: FieldProblem[] = [];
  for (const [key, value] of Object.entries(profile)) {
    const problem = memberProblem(key, value);
    if (problem) problems.push({ loc: [...loc, key], ...problem });
  }
  return problems;
}

/** Lists the faults of a profile as a whole, after merging: its number of keys and its size in bytes. */
export function profileSizeProblems(profile: Profile, loc: readonly (string | number)[]): FieldProblem[] {
  if (Object.keys(profile).length > maxKeys) {
    return [{ loc, type: 'value_error', msg: `must have at most ${maxKeys} keys` }];
  }
  if (new TextEncoder().encode(JSON.stringify(profile)).length > maxBytes) {
    return [{ loc, type: 'value_error', msg: `must be at most ${maxBytes} bytes` }];
  }
  return [];
}

function memberProblem(key: string, value: unknown): Pick<FieldProblem, 'type' | 'msg'> | undefined {
  if (!keyPattern.test(key)) return { type: 'value_error', msg: 'key must be a name of at most 64 characters' };
  if (reservedKeys.has(key)) return { type: 'value_error', msg: 'this key is reserved' };
  if (typeof value === 'string') {
    return [...value].length > maxTextLength
      ? { type: 'string_too_long', msg: `must be at most ${maxTextLength} characters` }
      : undefined;
  }
  const isPlain = value === null || typeof value === 'boolean' || typeof value === 'number';
  return isPlain ? undefined : { type: 'value_error', msg: 'must be a string, number, boolean or null' };
}
