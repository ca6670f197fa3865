import { expect, test } from 'vitest';
import { differences, parseAnswer, parseTranscripts, type RequestStep } from './transcript.ts';

const text = [
  '### ABC-01 one',
  '',
  '```bash',
  'curl x',
  '```',
  '',
  '```http exact',
  'HTTP/1.1 200',
  'X-A: <str:SEEN>',
  'X-B: <absent>',
  '',
  '{"a": 1, "b": ["<int>", "$SEEN"]}',
  '```',
].join('\n');
const step = parseTranscripts(text)[0]!.steps[0] as RequestStep;
const answer = (body: string, extra = '') => parseAnswer(`HTTP/1.1 200 OK\r\nx-a: hello\r\n${extra}\r\n${body}`);

test('an answer that fits has no differences, and captures', () => {
  const captures = new Map<string, string>();
  expect(differences(step, answer('{"a":1,"b":[5,"hello"]}'), captures)).toEqual([]);
  expect(captures.get('SEEN')).toBe('hello');
});

test('every kind of difference is named', () => {
  const of = (body: string, extra = '') => differences(step, answer(body, extra), new Map([['SEEN', 'hello']]));
  expect(of('{"a":2,"b":[5,"hello"]}')).toEqual(['$.a: expected 1, got 2']);
  expect(of('{"a":1,"b":[5,"hello"],"c":0}')).toEqual(['$.c: not expected']);
  expect(of('{"a":1,"b":[5.5,"hello"]}')).toEqual(['$.b[0]: expected <int>, got 5.5']);
  expect(of('{"a":1,"b":[5]}')[0]).toMatch(/^\$\.b: expected/);
  expect(of('nonsense')[0]).toMatch(/^body is not JSON/);
  expect(of('{"a":1,"b":[5,"hello"]}', 'x-b: 1\r\n')).toEqual(['header X-B: expected <absent>, got "1"']);
});

test('an interim answer is skipped', () => {
  expect(parseAnswer('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\na: b\r\n\r\nbody')).toMatchObject({
    status: 201,
    body: 'body',
  });
});
