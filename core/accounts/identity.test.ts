import { expect, test } from 'vitest';
import { identityProblem, normaliseIdentity, readIdentity } from './identity.ts';

test('identities are trimmed, composed and lower-cased', () => {
  expect(normaliseIdentity('  Ada@Example.COM ')).toBe('ada@example.com');
  expect(normaliseIdentity('ＡＤＡ＠example.com')).toBe('ada@example.com');
  expect(normaliseIdentity('e\u0301lan\u00a0')).toBe('\u00e9lan');
});

test('normalising twice changes nothing', () => {
  for (const text of ['İstanbul', 'ﬁn', 'ǅ', 'ẞ', 'Å', ' a b ']) {
    expect(normaliseIdentity(normaliseIdentity(text))).toBe(normaliseIdentity(text));
  }
});

test('a value with an @ is an email address, whichever @', () => {
  expect(readIdentity('Bob')).toEqual({ type: 'username', value: 'bob' });
  expect(readIdentity('bob＠example.com')).toEqual({ type: 'email', value: 'bob@example.com' });
});

test.each([
  ['ada@example.com', undefined],
  ['root@localhost', undefined],
  ['a@b@c', 'exactly one @'],
  ['ada@example', 'dot'],
  ['@example.com', 'both sides'],
  ['ada@', 'both sides'],
  ['ada@.com', 'valid domain'],
  ['ada@example.com.', 'valid domain'],
  ['a da@example.com', 'whitespace'],
  [`${'a'.repeat(243)}@example.com`, 'at most 254'],
  [`${'a'.repeat(242)}@example.com`, undefined],
  ['bob', undefined],
  ['böb-42', undefined],
  ['', 'empty'],
  ['__guest__', '__'],
  ['__system__@example.com', '__'],
  ['b ob', 'whitespace'],
  ['b\u0000ob', 'control'],
  ['b\u200bob', 'control'],
  ['x'.repeat(64), undefined],
  ['x'.repeat(65), 'at most 64'],
])('%s', (value, problem) => {
  const found = identityProblem(readIdentity(value));
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});
