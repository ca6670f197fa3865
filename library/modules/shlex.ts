/** Module `shlex`: words of a shell command. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { toArray } from '../values/containers/iteration.ts';
import { StopIteration, ValueError } from '../values/objects/exceptions.ts';
import { truth } from '../values/objects/truth.ts';
import { requireText, textOf } from '../values/text/text-arguments.ts';

const letters = 'abcdfeghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';
const accented = 'ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ';

interface Token {
  text: string;
}

/** Lexer whose special characters are attributes, which a program may change before it reads tokens. */
class Lexer {
  declare commenters: string;
  declare wordchars: string;
  declare whitespace: string;
  declare whitespace_split: unknown;
  declare quotes: string;
  declare escape: string;
  declare escapedquotes: string;
  declare infile: unknown;
  declare instream: unknown;
  declare posix: boolean;
  declare eof: string | null;
  declare lineno: number;
  declare debug: number;
  declare punctuation_chars: string;
  declare $chars: readonly string[];
  declare $at: number;
  declare $pushed: unknown[];

  constructor(...slots: unknown[]) {
    this.init(...slots);
  }

  init(source?: unknown, infile?: unknown, posix?: unknown, punctuation?: unknown): void {
    const text = source === undefined || source === null ? '' : (textOf(source) ?? requireText((source as any).read()));
    this.posix = posix !== undefined && truth(posix);
    this.$chars = [...text];
    this.$at = 0;
    this.$pushed = [];
    this.instream = source ?? null;
    this.infile = infile ?? null;
    this.eof = this.posix ? null : '';
    this.commenters = '#';
    this.whitespace = ' \t\r\n';
    this.whitespace_split = false;
    this.quotes = '\'"';
    this.escape = '\\';
    this.escapedquotes = '"';
    this.lineno = 1;
    this.debug = 0;
    this.punctuation_chars = punctuation === true ? '();<>|&' : (textOf(punctuation) ?? '');
    this.wordchars = letters + (this.posix ? accented : '');
    if (this.punctuation_chars !== '')
      this.wordchars = [...`${this.wordchars}~-./*?=`]
        .filter((char) => !this.punctuation_chars.includes(char))
        .join('');
  }

  push_token(token: unknown): null {
    this.$pushed.unshift(token);
    return null;
  }

  get_token(): unknown {
    return this.$pushed.length > 0 ? this.$pushed.shift() : this.read_token();
  }

  read_token(): unknown {
    this.$skip();
    const first = this.$chars[this.$at];
    if (first === undefined) return this.eof;
    const token: Token = { text: '' };
    if (this.punctuation_chars.includes(first)) {
      while (this.$at < this.$chars.length && this.punctuation_chars.includes(this.$chars[this.$at]!))
        token.text += this.$chars[this.$at++];
      return token.text;
    }
    if (!this.posix && this.quotes.includes(first)) {
      this.$quoted(token);
      return token.text;
    }
    if (!this.$isPart(first)) {
      this.$at += 1;
      return first;
    }
    while (this.$at < this.$chars.length && this.$isPart(this.$chars[this.$at]!, true)) this.$part(token);
    return token.text;
  }

  /** White space and comments between tokens. */
  $skip(): void {
    for (; this.$at < this.$chars.length; this.$at += 1) {
      const char = this.$chars[this.$at]!;
      if (this.commenters.includes(char)) {
        while (this.$at < this.$chars.length && this.$chars[this.$at] !== '\n') this.$at += 1;
        this.lineno += 1;
      } else if (!this.whitespace.includes(char)) return;
      else if (char === '\n') this.lineno += 1;
    }
  }

  $isPart(char: string, inside = false): boolean {
    if (this.whitespace.includes(char) || this.punctuation_chars.includes(char)) return false;
    if (this.commenters.includes(char)) return false;
    if (this.posix && (this.quotes.includes(char) || this.escape.includes(char))) return true;
    if (this.quotes.includes(char)) return inside;
    return this.wordchars.includes(char) || truth(this.whitespace_split);
  }

  $part(token: Token): void {
    const char = this.$chars[this.$at]!;
    if (this.posix && this.quotes.includes(char)) this.$quoted(token);
    else if (this.posix && this.escape.includes(char)) {
      const next = this.$chars[this.$at + 1];
      if (next === undefined) throw new ValueError('No escaped character');
      token.text += next;
      this.$at += 2;
    } else {
      token.text += char;
      this.$at += 1;
    }
  }

  $quoted(token: Token): void {
    const quote = this.$chars[this.$at++]!;
    if (!this.posix) token.text += quote;
    for (;;) {
      const char = this.$chars[this.$at++];
      if (char === undefined) throw new ValueError('No closing quotation');
      if (char === '\n') this.lineno += 1;
      if (char === quote) break;
      const next = this.$chars[this.$at];
      if (this.posix && this.escape.includes(char) && this.escapedquotes.includes(quote)) {
        if (next === undefined) throw new ValueError('No escaped character');
        token.text += next === quote || this.escape.includes(next) ? next : char + next;
        this.$at += 1;
      } else token.text += char;
    }
    if (!this.posix) token.text += quote;
  }

  __iter__(): this {
    return this;
  }

  __next__(): unknown {
    const token = this.get_token();
    if (token === this.eof) throw new StopIteration();
    return token;
  }
}
const params = 'instream=None, infile=None, posix=False, punctuation_chars=False';
nativeClass(Lexer, {
  name: 'shlex',
  module: 'shlex',
  params,
  methods: { init: params, push_token: 'tok', get_token: '', read_token: '' },
});

function split(text: unknown, comments: unknown, posix: unknown): unknown[] {
  const lexer = new Lexer(text, null, posix === undefined || truth(posix));
  lexer.whitespace_split = true;
  if (comments === undefined || !truth(comments)) lexer.commenters = '';
  return toArray(lexer);
}

function quote(given: unknown): string {
  const text = requireText(given);
  if (text === '') return "''";
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

export function makeShlex(): Members {
  return {
    shlex: Lexer,
    ...functions('shlex', {
      join: ['split_command', (words: unknown) => toArray(words).map(quote).join(' ')],
      quote: ['s', quote],
      split: ['s, comments=False, posix=True', split],
    }),
  };
}
