import { expect, test } from 'vitest';
import { Failure } from '../../../core/errors.ts';
import { parseJsonObject } from './read-json.ts';

const parse = (text: string | Uint8Array, depth = 64) =>
  parseJsonObject(typeof text === 'string' ? Buffer.from(text) : text, depth);

function refusal(text: string | Uint8Array, depth = 64): Failure {
  try {
    parse(text, depth);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('accepted');
}

test('objects, empty bodies, white space and a byte-order mark', () => {
  expect(parse('{"a": [1, {"b": "x:y"}], "c": null}')).toEqual({ a: [1, { b: 'x:y' }], c: null });
  expect(parse('')).toEqual({});
  expect(parse(' \n ')).toEqual({});
  expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  expect(parse('{"text":"\ufffd"}')).toEqual({ text: '\ufffd' });
});

test('what is not a JSON object is refused', () => {
  for (const text of ['[1, 2]', '5', 'null', '"x"', 'true']) expect(refusal(text).code).toBe('INVALID_JSON');
  for (const text of [
    '{"a": ',
    '{a:1}',
    '{"a":1}}',
    '{"a":01}',
    '{"a":.5}',
    "{'a':1}",
    '{"a":1,}',
    'NaN',
    '{"a":"\n"}',
  ]) {
    expect(refusal(text)).toMatchObject({ code: 'INVALID_JSON', status: 400 });
  }
});

test('positions', () => {
  expect(refusal('{"a": ').details).toEqual({ position: 6 });
  expect(refusal('{"a" 1}').details).toEqual({ position: 5 });
  expect(refusal('{"a":1}x').details).toEqual({ position: 7 });
  expect(refusal('{"a":tru}').details).toEqual({ position: 5 });
});

test('duplicate keys at any depth, also when spelled with escapes', () => {
  expect(refusal('{"a":1,"a":2}')).toMatchObject({ details: { position: 7 } });
  expect(refusal('{"x":[{"a":1,"\\u0061":2}]}')).toMatchObject({ details: { position: 13 } });
  expect(parse('{"a":{"a":1},"b":{"a":1}}')).toEqual({ a: { a: 1 }, b: { a: 1 } });
  expect(parse('{"a:":":","b\\"":"\\\\"}')).toEqual({ 'a:': ':', 'b"': '\\' });
});

test('keys and depth are seen behind long strings, whatever stands in those', () => {
  const long = 'x'.repeat(40);
  const texts = [long, `${long}"`, `${long}\\`, `${long}\\"`, `${long}\\\\" : {[`, `"${long}:`, `\\${long}${long}"\\`];
  for (const text of texts) {
    const member = `"s":${JSON.stringify(text)}`;
    expect(parse(`{${member},"a":{"b":1}}`)).toEqual({ s: text, a: { b: 1 } });
    expect(refusal(`{${member},"a":1,"a":2}`).code, text).toBe('INVALID_JSON');
    expect(refusal(`{${member},"a":[[1]]}`, 2).message, text).toContain('2');
  }
  expect(refusal(`{"s":"${long}`).code).toBe('INVALID_JSON');
});

test('depth is bounded before parsing', () => {
  const deep = (n: number) => `{"a":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`;
  expect(parse(deep(64))).toBeDefined();
  expect(refusal(deep(65)).message).toContain('64');
  expect(refusal('['.repeat(200_000)).code).toBe('INVALID_JSON');
});

test('invalid UTF-8', () => {
  expect(refusal(Uint8Array.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])).message).toContain('UTF-8');
});

test('prototype keys stay data', () => {
  const value = parse('{"__proto__": {"polluted": true}, "constructor": 1}') as any;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(({} as any).polluted).toBeUndefined();
});
