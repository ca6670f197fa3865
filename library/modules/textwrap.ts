/** Module `textwrap`. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { call } from '../values/calls/calls.ts';
import type { Dict } from '../values/containers/dict.ts';
import { requireSize } from '../values/numbers/index-value.ts';
import { TypeError, ValueError } from '../values/objects/exceptions.ts';
import { truth } from '../values/objects/truth.ts';
import { lengthOf } from '../values/text/strings.ts';
import { requireText } from '../values/text/text-arguments.ts';

const spaces = '\\t\\n\\v\\f\\r ';
const word = '[\\p{L}\\p{N}_]';
const punctuated = '[\\p{L}\\p{N}_!"\'&.,?]';
const letter = '\\p{L}';
// Pattern of the places at which a line may break: white space, dashes between words, hyphens inside of words.
const breaks = new RegExp(
  `([${spaces}]+|(?<=${punctuated})-{2,}(?=${word})|[^${spaces}]+?(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|(?=[${spaces}]|$)|(?<=${punctuated})(?=-{2,}${word})))`,
  'u',
);
const simpleBreaks = new RegExp(`([${spaces}]+)`, 'u');

const defaults: Readonly<Record<string, unknown>> = {
  width: 70,
  initial_indent: '',
  subsequent_indent: '',
  expand_tabs: true,
  replace_whitespace: true,
  fix_sentence_endings: false,
  break_long_words: true,
  drop_whitespace: true,
  break_on_hyphens: true,
  tabsize: 8,
  max_lines: null,
  placeholder: ' [...]',
};

/** Options are attributes and may be changed between calls. */
export class TextWrapper {
  declare width: any;
  declare initial_indent: string;
  declare subsequent_indent: string;
  declare expand_tabs: unknown;
  declare replace_whitespace: unknown;
  declare fix_sentence_endings: unknown;
  declare break_long_words: unknown;
  declare drop_whitespace: unknown;
  declare break_on_hyphens: unknown;
  declare tabsize: any;
  declare max_lines: any;
  declare placeholder: string;

  constructor(options: Iterable<readonly [string, unknown]>) {
    Object.assign(this, defaults, Object.fromEntries(options));
  }

  wrap(text: unknown): string[] {
    let chunks = this.$split(this.$munge(requireText(text)));
    if (truth(this.fix_sentence_endings)) chunks = widenSentences(chunks);
    return this.$lines(chunks);
  }

  fill(text: unknown): string {
    return this.wrap(text).join('\n');
  }

  $munge(text: string): string {
    const expanded = truth(this.expand_tabs) ? expandTabs(text, requireSize(this.tabsize)) : text;
    return truth(this.replace_whitespace) ? expanded.replace(/[\t\n\v\f\r]/g, ' ') : expanded;
  }

  $split(text: string): string[] {
    return text
      .split(truth(this.break_on_hyphens) ? breaks : simpleBreaks)
      .filter((chunk) => chunk !== '' && chunk !== undefined);
  }

  $lines(source: readonly string[]): string[] {
    const width = requireSize(this.width);
    if (width <= 0) throw new ValueError(`invalid width ${width} (must be > 0)`);
    const most = this.max_lines === null ? undefined : requireSize(this.max_lines);
    if (most !== undefined) {
      const indent = most > 1 ? this.subsequent_indent : this.initial_indent;
      if (lengthOf(indent) + lengthOf(this.placeholder.trimStart()) > width)
        throw new ValueError('placeholder too large for max width');
    }
    const lines: string[] = [];
    const chunks = [...source].reverse();
    const drop = truth(this.drop_whitespace);
    while (chunks.length > 0) {
      const indent = lines.length > 0 ? this.subsequent_indent : this.initial_indent;
      const room = width - lengthOf(indent);
      const current: string[] = [];
      let used = 0;
      if (drop && chunks.at(-1)!.trim() === '' && lines.length > 0) chunks.pop();
      while (chunks.length > 0 && used + lengthOf(chunks.at(-1)!) <= room) {
        current.push(chunks.at(-1)!);
        used += lengthOf(chunks.pop()!);
      }
      if (chunks.length > 0 && lengthOf(chunks.at(-1)!) > room) {
        this.$longWord(chunks, current, used, room);
        used = current.reduce((sum, chunk) => sum + lengthOf(chunk), 0);
      }
      if (drop && current.length > 0 && current.at(-1)!.trim() === '') used -= lengthOf(current.pop()!);
      if (current.length === 0) continue;
      const rest = chunks.length === 0 || (drop && chunks.length === 1 && chunks[0]!.trim() === '');
      if (most === undefined || lines.length + 1 < most || (rest && used <= room))
        lines.push(indent + current.join(''));
      else {
        this.$abbreviate(lines, current, used, room, indent);
        break;
      }
    }
    return lines;
  }

  $longWord(chunks: string[], current: string[], used: number, room: number): void {
    const space = room < 1 ? 1 : room - used;
    if (truth(this.break_long_words)) {
      const chunk = Array.from(chunks.at(-1)!);
      let end = space;
      if (truth(this.break_on_hyphens) && chunk.length > space) {
        const hyphen = chunk.slice(0, space).lastIndexOf('-');
        if (hyphen > 0 && chunk.slice(0, hyphen).some((char) => char !== '-')) end = hyphen + 1;
      }
      current.push(chunk.slice(0, end).join(''));
      chunks[chunks.length - 1] = chunk.slice(end).join('');
    } else if (current.length === 0) current.push(chunks.pop()!);
  }

  $abbreviate(lines: string[], current: string[], used: number, room: number, indent: string): void {
    const { placeholder } = this;
    while (current.length > 0) {
      if (current.at(-1)!.trim() !== '' && used + lengthOf(placeholder) <= room) {
        lines.push(indent + current.join('') + placeholder);
        return;
      }
      used -= lengthOf(current.pop()!);
    }
    const before = lines.at(-1)?.trimEnd();
    if (before !== undefined && lengthOf(before) + lengthOf(placeholder) <= requireSize(this.width))
      lines[lines.length - 1] = before + placeholder;
    else lines.push(indent + placeholder.trimStart());
  }
}
const names = Object.keys(defaults);
nativeClass(TextWrapper, {
  name: 'TextWrapper',
  module: 'textwrap',
  params: names.map((name) => `${name}=None`).join(', '),
  make: (cls, ...slots) =>
    new cls(names.map((name, i) => [name, slots[i] === undefined ? defaults[name] : slots[i]] as const)),
  methods: { wrap: 'text', fill: 'text' },
});

function widenSentences(chunks: readonly string[]): string[] {
  return chunks.map((chunk, i) => (chunk === ' ' && i > 0 && /[a-z][.!?]["']?$/.test(chunks[i - 1]!) ? '  ' : chunk));
}

function expandTabs(text: string, size: number): string {
  let column = 0;
  let out = '';
  for (const char of text) {
    if (char === '\t') {
      const width = size > 0 ? size - (column % size) : 0;
      out += ' '.repeat(width);
      column += width;
    } else {
      out += char;
      column = char === '\n' || char === '\r' ? 0 : column + 1;
    }
  }
  return out;
}

/** Takes off the white space that all lines begin with. */
export function dedent(given: unknown): string {
  const text = requireText(given).replace(/^[ \t]+$/gm, '');
  let margin: string | undefined;
  for (const found of text.matchAll(/(^[ \t]*)(?=[^ \t\n])/gm)) {
    const indent = found[1]!;
    if (margin === undefined || margin.startsWith(indent)) margin = indent;
    else if (!indent.startsWith(margin)) {
      let same = 0;
      while (margin[same] === indent[same]) same += 1;
      margin = margin.slice(0, same);
    }
  }
  return margin === undefined || margin === '' ? text : text.replace(new RegExp(`^${margin}`, 'gm'), '');
}

function indent(given: unknown, prefix: unknown, predicate?: unknown): string {
  const [text, before] = [requireText(given), requireText(prefix)];
  const lines = text.match(/[^\n\r]*(?:\r\n|[\n\r])|[^\n\r]+/g) ?? [];
  const wanted =
    predicate === undefined || predicate === null
      ? (line: string) => line.trim() !== ''
      : (line: string) => truth(call(predicate, line));
  return lines.map((line) => (wanted(line) ? before + line : line)).join('');
}

function wrapperOf(width: unknown, options: Dict): TextWrapper {
  const unknown = [...options.keys()].find((name) => !names.includes(name as string));
  if (unknown !== undefined)
    throw new TypeError(`TextWrapper.__init__() got an unexpected keyword argument '${unknown}'`);
  return new TextWrapper([['width', width ?? 70], ...(options.entries() as Iterable<[string, unknown]>)]);
}

export function makeTextwrap(): Members {
  return {
    TextWrapper,
    ...functions('textwrap', {
      dedent: ['text', dedent],
      fill: [
        'text, width=70, **kwargs',
        (text: unknown, width: unknown, options: Dict) => wrapperOf(width, options).fill(text),
      ],
      indent: ['text, prefix, predicate=None', indent],
      shorten: [
        'text, width, **kwargs',
        (text: unknown, width: unknown, options: Dict) => {
          const wrapper = wrapperOf(width, options);
          wrapper.max_lines = 1;
          return wrapper.fill(requireText(text).trim().split(/\s+/).join(' '));
        },
      ],
      wrap: [
        'text, width=70, **kwargs',
        (text: unknown, width: unknown, options: Dict) => wrapperOf(width, options).wrap(text),
      ],
    }),
  };
}
