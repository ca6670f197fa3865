/** Module `re`. */

import { functions, type Members } from '../../builtins/module.ts';
import { enumeration, IntFlag } from '../../values/objects/enums.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { $repr, $str } from '../../values/objects/protocol.ts';
import { reprOf } from '../../values/objects/repr.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { AnyBytes, Bytes, fromLatin1 } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { RegexError } from './error.ts';
import { compile, Match, Pattern, purge } from './pattern.ts';
import { Scanner } from './scanner.ts';

class RegexFlag extends IntFlag {
  override [$repr](): string {
    return this.name === ''
      ? `re.RegexFlag(${reprOf(this.value)})`
      : this.name
          .split('|')
          .map((name) => `re.${name}`)
          .join('|');
  }

  override [$str](): string {
    return this[$repr]();
  }
}
enumeration(RegexFlag, {
  name: 'RegexFlag',
  module: 're',
  members: [
    ['NOFLAG', 0],
    ['ASCII', 256],
    ['A', 256],
    ['IGNORECASE', 2],
    ['I', 2],
    ['LOCALE', 4],
    ['L', 4],
    ['MULTILINE', 8],
    ['M', 8],
    ['DOTALL', 16],
    ['S', 16],
    ['UNICODE', 32],
    ['U', 32],
    ['VERBOSE', 64],
    ['X', 64],
  ],
});

function escape(x: unknown): unknown {
  const text = x instanceof AnyBytes ? x.latin1 : textOf(x);
  if (text === undefined) throw new TypeError(`expected string or bytes-like object, got '${typeName(x)}'`);
  const escaped = text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&');
  return x instanceof AnyBytes ? new Bytes(fromLatin1(escaped)) : escaped;
}

export function makeRe(): Members {
  const flags: Members = {};
  for (const [name, member] of Object.entries(RegexFlag)) flags[name] = member;
  return {
    ...flags,
    Pattern,
    Match,
    RegexFlag,
    Scanner,
    error: RegexError,
    PatternError: RegexError,
    ...functions('re', {
      compile: ['pattern, flags=0', compile],
      escape: ['pattern', escape],
      findall: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).findall(s)],
      finditer: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).finditer(s)],
      fullmatch: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).fullmatch(s)],
      match: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).match(s)],
      purge: ['', purge],
      search: ['pattern, string, flags=0', (p: unknown, s: unknown, f: unknown) => compile(p, f).search(s)],
      split: [
        'pattern, string, maxsplit=0, flags=0',
        (p: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).split(s, n),
      ],
      sub: [
        'pattern, repl, string, count=0, flags=0',
        (p: unknown, r: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).sub(r, s, n),
      ],
      subn: [
        'pattern, repl, string, count=0, flags=0',
        (p: unknown, r: unknown, s: unknown, n: unknown, f: unknown) => compile(p, f).subn(r, s, n),
      ],
    }),
  };
}
