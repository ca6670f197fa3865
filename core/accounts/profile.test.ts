import { expect, test } from 'vitest';
import { mergeProfile, profileProblems, profileSizeProblems } from './profile.ts';

const loc = ['body', 'profile'];

test('merging replaces members and null removes them', () => {
  expect(mergeProfile({ city: 'Rome', age: 30 }, { city: 'Turin', age: null, tall: true })).toEqual({
    city: 'Turin',
    tall: true,
  });
});

test('a prototype cannot be reached', () => {
  const evil = JSON.parse('{"__proto__": "x", "constructor": 1}') as Record<string, unknown>;
  expect(profileProblems(evil, loc).map((problem) => problem.loc[2])).toEqual(['__proto__', 'constructor']);
  const merged = mergeProfile({}, JSON.parse('{"__proto__": {"isAdmin": true}}'));
  expect((merged as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test.each([
  [{ 'a-b': 1 }, 'value_error'],
  [{ ['x'.repeat(65)]: 1 }, 'value_error'],
  [{ sso: 'x' }, 'value_error'],
  [{ a: [] }, 'value_error'],
  [{ a: {} }, 'value_error'],
  [{ a: 'x'.repeat(1025) }, 'string_too_long'],
  [[], 'dict_type'],
  ['text', 'dict_type'],
  [null, 'dict_type'],
])('%j is refused', (profile, type) => {
  expect(profileProblems(profile, loc)).toMatchObject([{ type }]);
});

test('allowed members', () => {
  expect(profileProblems({ a: '', _b: 1.5, C3: false, d: null, e: 'x'.repeat(1024) }, loc)).toEqual([]);
});

test('a profile is bounded as a whole', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  expect(profileSizeProblems(keys(20), loc)).toEqual([]);
  expect(profileSizeProblems(keys(21), loc)).toMatchObject([{ loc }]);
  const large = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, 'é'.repeat(500)]));
  expect(profileSizeProblems(large, loc)).toMatchObject([{ loc, msg: 'must be at most 8192 bytes' }]);
});
