import { expect, test } from 'vitest';
import { commonPasswordCount } from './common-passwords.ts';
import { passwordProblems } from './password-problems.ts';

const loc = ['body', 'password'];
const strict = { minLength: 8, maxLength: 128, isStrict: true };
const types = (password: string, rules = strict, value = 'ada@example.com') =>
  passwordProblems(password, [{ type: 'email', value }], rules, loc).map(({ type }) => type);

test('length counts code points after NFKC', () => {
  expect(types('short')).toEqual(['string_too_short']);
  expect(types('😀'.repeat(7))).toEqual(['string_too_short']);
  expect(types('😀'.repeat(8))).toEqual([]);
  expect(types('e\u0301'.repeat(7))).toEqual(['string_too_short']);
  expect(types('x9'.repeat(64))).toEqual([]);
  expect(types(`${'x9'.repeat(64)}x`)).toEqual(['string_too_long']);
});

test('production refuses common passwords and the identity itself', () => {
  expect(commonPasswordCount()).toBeGreaterThanOrEqual(1000);
  for (const password of [
    'password',
    'Password123',
    'QWERTYUIOP',
    '1234567890',
    '11111111',
    'iloveyou1',
    'Summer2025',
  ]) {
    expect(types(password)).toEqual(['value_error']);
  }
  expect(types('Ada@Example.com')).toEqual(['value_error']);
  expect(types('correct horse 1')).toEqual([]);
});

test('elsewhere only the length counts', () => {
  expect(types('password', { ...strict, isStrict: false })).toEqual([]);
  expect(types('x', { minLength: 1, maxLength: 128, isStrict: false })).toEqual([]);
});
