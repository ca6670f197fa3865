/**
 * Module `html.parser`: `HTMLParser` reads HTML as it comes and calls a method of the program's class for each part. What is not complete yet
 * waits for the next `feed`; `close` takes it for what it looks like.
 */

import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { truth } from '../../values/objects/truth.ts';
import { lengthOf } from '../../values/text/strings.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { unescape } from './html.ts';

/** Elements whose text is not markup. */
const rawElements: ReadonlySet<string> = new Set(['script', 'style']);

const tagName = /[a-zA-Z][^\t\n\r\f />\0]*/y;
const attributeName = /[^\s/>][^\s/=>]*/y;
const closingTag = /<\/\s*([a-zA-Z][-.a-zA-Z0-9:_]*)\s*>/y;
const numberedChar = /&#(?:[0-9]+|[xX][0-9a-fA-F]+)(?=[^0-9a-fA-F])/y;
const namedChar = /&[a-zA-Z][-.a-zA-Z0-9]*(?=[^a-zA-Z0-9])/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function endOf(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  const found = new RegExp(pattern, 'g');
  found.lastIndex = from;
  return found.exec(text);
}

class HTMLParser {
  declare rawdata: string;
  declare lasttag: string;
  declare cdata_elem: string | null;
  declare convert_charrefs: boolean;
  declare lineno: number;
  declare offset: number;
  declare $startText: string | null;

  constructor(convert?: unknown) {
    this.convert_charrefs = convert === undefined || truth(convert);
    this.reset();
  }

  reset(): null {
    Object.assign(this, { rawdata: '', lasttag: '???', cdata_elem: null, lineno: 1, offset: 0, $startText: null });
    return null;
  }

  feed(data: unknown): null {
    this.rawdata += requireText(data);
    return this.goahead(false);
  }

  close(): null {
    return this.goahead(true);
  }

  getpos(): Tuple {
    return tuple(this.lineno, this.offset);
  }

  get_starttag_text(): string | null {
    return this.$startText;
  }

  handle_startendtag(tag: unknown, attrs: unknown): null {
    callMethod(this, 'handle_starttag', tag, attrs);
    callMethod(this, 'handle_endtag', tag);
    return null;
  }

  handle_starttag(_tag: unknown, _attrs: unknown): null {
    return null;
  }

  handle_endtag(_tag: unknown): null {
    return null;
  }

  handle_data(_data: unknown): null {
    return null;
  }

  handle_comment(_data: unknown): null {
    return null;
  }

  handle_decl(_decl: unknown): null {
    return null;
  }

  handle_pi(_data: unknown): null {
    return null;
  }

  handle_charref(_name: unknown): null {
    return null;
  }

  handle_entityref(_name: unknown): null {
    return null;
  }

  unknown_decl(_data: unknown): null {
    return null;
  }

  /** Parses as far as the text is complete; to its end when nothing more will come. */
  goahead(end: unknown): null {
    const isEnd = truth(end);
    let at = 0;
    while (at < this.rawdata.length) {
      const next = this.$nextMark(at, isEnd);
      if (next === undefined) break;
      if (next > at) this.$text(this.rawdata.slice(at, next));
      this.$moveTo(at, next);
      at = next;
      if (at === this.rawdata.length) break;
      const after = this.rawdata[at] === '<' ? this.$markup(at, isEnd) : this.$reference(at, isEnd);
      if (after === undefined) break;
      this.$moveTo(at, after);
      at = after;
    }
    if (isEnd && at < this.rawdata.length && this.cdata_elem === null) {
      this.$text(this.rawdata.slice(at));
      this.$moveTo(at, this.rawdata.length);
      at = this.rawdata.length;
    }
    this.rawdata = this.rawdata.slice(at);
    return null;
  }

  // Finds the end of text; undefined when that is not known yet.
  $nextMark(at: number, isEnd: boolean): number | undefined {
    const text = this.rawdata;
    if (this.cdata_elem !== null)
      return endOf(new RegExp(`</\\s*${this.cdata_elem}\\s*>`, 'i'), text, at)?.index ?? undefined;
    if (!this.convert_charrefs) return endOf(/[&<]/, text, at)?.index ?? text.length;
    const mark = text.indexOf('<', at);
    if (mark >= 0) return mark;
    // The name of a character may go on.
    const reference = text.lastIndexOf('&');
    const mayGoOn = reference >= Math.max(at, text.length - 34) && !/[\s;]/.test(text.slice(reference));
    return mayGoOn && !isEnd ? undefined : text.length;
  }

  $text(text: string): void {
    callMethod(this, 'handle_data', this.convert_charrefs && this.cdata_elem === null ? unescape(text) : text);
  }

  // The end of what begins with `<`; undefined when it has not come yet.
  $markup(at: number, isEnd: boolean): number | undefined {
    const text = this.rawdata;
    const end = this.$part(at);
    if (end === undefined && at + 1 < text.length && !/^<[a-zA-Z/!?]/.test(text.slice(at, at + 2))) {
      callMethod(this, 'handle_data', '<');
      return at + 1;
    }
    if (end !== undefined || !isEnd) return end;
    const close = text.indexOf('>', at + 1);
    const open = text.indexOf('<', at + 1);
    const stop = close >= 0 ? close + 1 : open >= 0 ? open : at + 1;
    this.$text(text.slice(at, stop));
    return stop;
  }

  $part(at: number): number | undefined {
    const text = this.rawdata;
    if (/[a-zA-Z]/.test(text[at + 1] ?? '')) return this.$startTag(at);
    if (text.startsWith('</', at)) return this.$endTag(at);
    if (text.startsWith('<!--', at)) return this.$upTo(at + 4, /--\s*>/, 'handle_comment');
    if (text.startsWith('<?', at)) return this.$upTo(at + 2, />/, 'handle_pi');
    if (text.startsWith('<![', at)) return this.$upTo(at + 3, /\]\s*\]\s*>/, 'unknown_decl');
    if (/^<!doctype/i.test(text.slice(at, at + 9))) return this.$upTo(at + 2, />/, 'handle_decl');
    return text.startsWith('<!', at) ? this.$upTo(at + 2, />/, 'handle_comment') : undefined;
  }

  $upTo(from: number, close: RegExp, handler: string): number | undefined {
    const found = endOf(close, this.rawdata, from);
    if (found === null) return undefined;
    callMethod(this, handler, this.rawdata.slice(from, found.index));
    return found.index + found[0].length;
  }

  $startTag(at: number): number | undefined {
    const text = this.rawdata;
    const name = matchAt(tagName, text, at + 1)![0];
    const attributes: Tuple[] = [];
    let place = at + 1 + name.length;
    for (;;) {
      while (/\s/.test(text[place] ?? '') || (text[place] === '/' && text[place + 1] !== '>')) place += 1;
      if (place >= text.length) return undefined;
      if (text[place] === '>' || text[place] === '/') break;
      const attribute = matchAt(attributeName, text, place)![0];
      place += attribute.length;
      const value = this.$value(place);
      if (value === undefined) return undefined;
      attributes.push(tuple(attribute.toLowerCase(), value.text));
      place = value.end;
    }
    const isEmpty = text[place] === '/';
    const end = place + (isEmpty ? 2 : 1);
    const tag = name.toLowerCase();
    this.lasttag = tag;
    this.$startText = text.slice(at, end);
    callMethod(this, isEmpty ? 'handle_startendtag' : 'handle_starttag', tag, attributes);
    if (!isEmpty && rawElements.has(tag)) this.cdata_elem = tag;
    return end;
  }

  // Gives the value behind `=`: `text` is None where there is none; undefined where it is not complete.
  $value(at: number): { readonly text: string | null; readonly end: number } | undefined {
    const text = this.rawdata;
    const sign = matchAt(/\s*=+\s*/y, text, at);
    if (sign === null) return { text: null, end: at };
    const from = at + sign[0].length;
    const quote = text[from];
    if (quote === undefined) return undefined;
    if (quote !== '"' && quote !== "'") {
      const bare = matchAt(/[^>\s]*/y, text, from)![0];
      return { text: unescape(bare), end: from + bare.length };
    }
    const close = text.indexOf(quote, from + 1);
    return close < 0 ? undefined : { text: unescape(text.slice(from + 1, close)), end: close + 1 };
  }

  $endTag(at: number): number | undefined {
    const text = this.rawdata;
    const close = text.indexOf('>', at + 1);
    if (close < 0) return undefined;
    const whole = matchAt(closingTag, text, at);
    const name = (whole?.[1] ?? matchAt(tagName, text, at + 2)?.[0])?.toLowerCase();
    if (this.cdata_elem !== null && name !== this.cdata_elem) {
      callMethod(this, 'handle_data', text.slice(at, close + 1));
      return close + 1;
    }
    if (name !== undefined) callMethod(this, 'handle_endtag', name);
    else if (close > at + 2) callMethod(this, 'handle_comment', text.slice(at + 2, close));
    if (whole !== null) this.cdata_elem = null;
    return close + 1;
  }

  // `&name;` and `&#1;`, where the program wants them apart.
  $reference(at: number, isEnd: boolean): number | undefined {
    const text = this.rawdata;
    const isNumber = text.startsWith('&#', at);
    const found = matchAt(isNumber ? numberedChar : namedChar, text, at);
    if (found === null) {
      if (!isEnd && /^&(#[0-9a-fA-FxX]*|[a-zA-Z][-.a-zA-Z0-9]*)?$/.test(text.slice(at))) return undefined;
      const shown = isNumber ? '&#' : '&';
      callMethod(this, 'handle_data', shown);
      return at + shown.length;
    }
    const name = found[0].slice(isNumber ? 2 : 1);
    callMethod(this, isNumber ? 'handle_charref' : 'handle_entityref', name);
    const end = at + found[0].length;
    return text[end] === ';' ? end + 1 : end;
  }

  $moveTo(from: number, to: number): void {
    const passed = this.rawdata.slice(from, to);
    const lines = passed.split('\n');
    this.lineno += lines.length - 1;
    this.offset = (lines.length > 1 ? 0 : this.offset) + lengthOf(lines.at(-1)!);
  }
}
nativeClass(HTMLParser, {
  name: 'HTMLParser',
  module: 'html.parser',
  params: '*, convert_charrefs=True',
  methods: { feed: 'data' },
});

export function makeHtmlParser(): Members {
  return { HTMLParser };
}
