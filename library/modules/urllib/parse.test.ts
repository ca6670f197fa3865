import { expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeUrllibParse } from './parse.ts';

const parse = makeModule('urllib.parse', makeUrllibParse());

// Results of CPython: joined references, parsed addresses, quoted text.
const rows: any[][] = [
  ['join', 'http://a/b/c/d;p?q', 'g:h', 'g:h'],
  ['join', 'http://a/b/c/d;p?q', 'g', 'http://a/b/c/g'],
  ['join', 'http://a/b/c/d;p?q', './g', 'http://a/b/c/g'],
  ['join', 'http://a/b/c/d;p?q', 'g/', 'http://a/b/c/g/'],
  ['join', 'http://a/b/c/d;p?q', '/g', 'http://a/g'],
  ['join', 'http://a/b/c/d;p?q', '//g', 'http://g'],
  ['join', 'http://a/b/c/d;p?q', '?y', 'http://a/b/c/d;p?y'],
  ['join', 'http://a/b/c/d;p?q', 'g?y', 'http://a/b/c/g?y'],
  ['join', 'http://a/b/c/d;p?q', '#s', 'http://a/b/c/d;p?q#s'],
  ['join', 'http://a/b/c/d;p?q', 'g#s', 'http://a/b/c/g#s'],
  ['join', 'http://a/b/c/d;p?q', 'g?y#s', 'http://a/b/c/g?y#s'],
  ['join', 'http://a/b/c/d;p?q', ';x', 'http://a/b/c/;x'],
  ['join', 'http://a/b/c/d;p?q', 'g;x', 'http://a/b/c/g;x'],
  ['join', 'http://a/b/c/d;p?q', '', 'http://a/b/c/d;p?q'],
  ['join', 'http://a/b/c/d;p?q', '.', 'http://a/b/c/'],
  ['join', 'http://a/b/c/d;p?q', './', 'http://a/b/c/'],
  ['join', 'http://a/b/c/d;p?q', '..', 'http://a/b/'],
  ['join', 'http://a/b/c/d;p?q', '../', 'http://a/b/'],
  ['join', 'http://a/b/c/d;p?q', '../g', 'http://a/b/g'],
  ['join', 'http://a/b/c/d;p?q', '../..', 'http://a/'],
  ['join', 'http://a/b/c/d;p?q', '../../', 'http://a/'],
  ['join', 'http://a/b/c/d;p?q', '../../g', 'http://a/g'],
  ['join', 'http://a/b/c/d;p?q', '../../../g', 'http://a/g'],
  ['join', 'http://a/b/c/d;p?q', '/./g', 'http://a/g'],
  ['join', 'http://a/b/c/d;p?q', '/../g', 'http://a/g'],
  ['join', 'http://a/b/c/d;p?q', 'g.', 'http://a/b/c/g.'],
  ['join', 'http://a/b/c/d;p?q', '..g', 'http://a/b/c/..g'],
  ['join', 'http://a/b/c/d;p?q', './../g', 'http://a/b/g'],
  ['join', 'http://a/b/c/d;p?q', './g/.', 'http://a/b/c/g/'],
  ['join', 'http://a/b/c/d;p?q', 'g/./h', 'http://a/b/c/g/h'],
  ['join', 'http://a/b/c/d;p?q', 'g;x=1/./y', 'http://a/b/c/g;x=1/y'],
  ['join', 'http://a/b/c/d;p?q', 'http:g', 'http://a/b/c/g'],
  ['join', 'http://a/b/c/d;p?q', 'mailto:x@y', 'mailto:x@y'],
  ['join', 'http://x.com', 'a/b', 'http://x.com/a/b'],
  ['join', 'http://x.com/a/', '/b', 'http://x.com/b'],
  ['join', 'https://x.com/a//b', '../c', 'https://x.com/c'],
  ['join', '', 'x', 'x'],
  ['join', 'a/b', 'c', 'a/c'],
  [
    'parse',
    'http://u:p@Host.com:80/p/a;x?q=1#f',
    "ParseResult(scheme='http', netloc='u:p@Host.com:80', path='/p/a', params='x', query='q=1', fragment='f')",
    'http://u:p@Host.com:80/p/a;x?q=1#f',
    'host.com',
    80,
  ],
  [
    'parse',
    '//x/y',
    "ParseResult(scheme='', netloc='x', path='/y', params='', query='', fragment='')",
    '//x/y',
    'x',
    null,
  ],
  [
    'parse',
    'mailto:a@b.c',
    "ParseResult(scheme='mailto', netloc='', path='a@b.c', params='', query='', fragment='')",
    'mailto:a@b.c',
    null,
    null,
  ],
  [
    'parse',
    '/a/b?c',
    "ParseResult(scheme='', netloc='', path='/a/b', params='', query='c', fragment='')",
    '/a/b?c',
    null,
    null,
  ],
  [
    'parse',
    'http://[::1]:8080/',
    "ParseResult(scheme='http', netloc='[::1]:8080', path='/', params='', query='', fragment='')",
    'http://[::1]:8080/',
    '::1',
    8080,
  ],
  ['parse', 'a:b', "ParseResult(scheme='a', netloc='', path='b', params='', query='', fragment='')", 'a:b', null, null],
  [
    'parse',
    'http:',
    "ParseResult(scheme='http', netloc='', path='', params='', query='', fragment='')",
    'http://',
    null,
    null,
  ],
  [
    'parse',
    'file:///etc/x',
    "ParseResult(scheme='file', netloc='', path='/etc/x', params='', query='', fragment='')",
    'file:///etc/x',
    null,
    null,
  ],
  [
    'parse',
    'ws://h/p;q',
    "ParseResult(scheme='ws', netloc='h', path='/p;q', params='', query='', fragment='')",
    'ws://h/p;q',
    'h',
    null,
  ],
  ['parse', 'x#y', "ParseResult(scheme='', netloc='', path='x', params='', query='', fragment='y')", 'x#y', null, null],
  [
    'parse',
    'http://h?q#f',
    "ParseResult(scheme='http', netloc='h', path='', params='', query='q', fragment='f')",
    'http://h?q#f',
    'h',
    null,
  ],
  [
    'parse',
    '1a:b',
    "ParseResult(scheme='', netloc='', path='1a:b', params='', query='', fragment='')",
    '1a:b',
    null,
    null,
  ],
  [
    'parse',
    ' http://x ',
    "ParseResult(scheme='http', netloc='x ', path='', params='', query='', fragment='')",
    'http://x ',
    'x ',
    null,
  ],
  ['quote', 'a b', 'a%20b', 'a+b', 'a b'],
  ['quote', '/ü?&=+~', '/%C3%BC%3F%26%3D%2B~', '%2F%C3%BC%3F%26%3D%2B~', '/ü?&= ~'],
  ['quote', '%20', '%2520', '%2520', ' '],
];

test('joining, parsing and quoting', () => {
  const wrong: string[] = [];
  for (const [kind, given, ...wanted] of rows) {
    const url = kind === 'parse' ? parse.urlparse(given) : undefined;
    const actual =
      kind === 'join'
        ? [wanted[0], parse.urljoin(given, wanted[0])]
        : kind === 'parse'
          ? [$.repr(url), url.geturl(), url.hostname, url.port]
          : [parse.quote(given), parse.quote_plus(given), parse.unquote_plus(given)];
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      wrong.push(`${kind} ${given}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
  }
  expect(wrong).toEqual([]);
});

test('queries', () => {
  expect(parse.urlencode($.Dict.of('a', 1, 'b', 'x y&z', 'ü', true))).toBe('a=1&b=x+y%26z&%C3%BC=True');
  expect(parse.urlencode($.Dict.of('a', [1, 2]), true)).toBe('a=1&a=2');
  expect($.callkw(parse.urlencode, [[$.tuple('a', 'b c')]], { quote_via: parse.quote })).toBe('a=b%20c');
  expect(() => parse.urlencode('abc')).toThrow('not a valid non-string sequence or mapping object');
  expect($.repr(parse.parse_qs('a=1&a=2&b=&c=x%20y'))).toBe("{'a': ['1', '2'], 'c': ['x y']}");
  expect($.repr($.callkw(parse.parse_qsl, ['a=1&b='], { keep_blank_values: true }))).toBe("[('a', '1'), ('b', '')]");
  expect(parse.quote('a/b', '')).toBe('a%2Fb');
  expect(parse.unquote('%E4%BD%A0%zz')).toBe('你%zz');
});

test('network locations', () => {
  const url = parse.urlsplit('https://me:pw@Example.org:8443/x');
  expect([url.username, url.password, url.hostname, url.port]).toEqual(['me', 'pw', 'example.org', 8443]);
  expect($.repr(url)).toBe(
    "SplitResult(scheme='https', netloc='me:pw@Example.org:8443', path='/x', query='', fragment='')",
  );
  expect(() => parse.urlsplit('http://x:abc/').port).toThrow("Port could not be cast to integer value as 'abc'");
  expect(parse.urlunparse($.tuple('http', 'h', 'p', '', 'q=1', 'f'))).toBe('http://h/p?q=1#f');
  expect($.repr(parse.urldefrag('http://h/p#f'))).toBe("DefragResult(url='http://h/p', fragment='f')");
  expect(parse.urlparse('http://h/p')._replace($.Dict.of('path', '/q')).geturl()).toBe('http://h/q');
});
