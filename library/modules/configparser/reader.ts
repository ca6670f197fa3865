/** Reader of the files of `configparser`: sections, options, and values that go on over indented lines. */
import { reprOf } from '../../values/objects/repr.ts';
import { DuplicateOptionError, DuplicateSectionError, MissingSectionHeaderError, ParsingError } from './errors.ts';

/** While a file is read a value is the list of its lines; null where an option stands alone. */
export type Section = Map<string, unknown>;

/** Rules of a parser for its files, and the sections it fills. */
export interface ConfigTarget {
  readonly default_section: string;
  readonly $defaults: Section;
  readonly $sections: Map<string, Section>;
  readonly $noValue: boolean;
  readonly $delimiters: readonly string[];
  readonly $comments: readonly string[];
  readonly $inline: readonly string[];
  readonly $strict: boolean;
  readonly $emptyLines: boolean;
  $key(option: unknown): string;
}

/** Reads one source. @throws ParsingError, MissingSectionHeaderError, DuplicateSectionError, DuplicateOptionError */
export class ConfigReader {
  private readonly seenSections = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly target: ConfigTarget;
  private readonly source: unknown;
  private own: Section | undefined;
  private section: string | undefined;
  private option: string | undefined;
  private indent = 0;

  constructor(target: ConfigTarget, source: unknown) {
    this.target = target;
    this.source = source;
  }

  read(text: string): void {
    const wrong: [number, string][] = [];
    for (const [i, line] of text.split(/(?<=\n)/).entries())
      if (!this.readLine(line, i + 1)) wrong.push([i + 1, reprOf(line)]);
    this.finish();
    if (wrong.length > 0) throw new ParsingError(this.source, wrong);
  }

  /** False: no line of such a file. */
  private readLine(line: string, number: number): boolean {
    const cut = this.uncommented(line);
    const value = cut.text.trim();
    const isInValue = this.own !== undefined && this.option !== undefined;
    if (value === '') {
      if (!this.target.$emptyLines) this.indent = Number.POSITIVE_INFINITY;
      else if (isInValue && !cut.isComment) this.goOn('');
      return true;
    }
    const indent = line.length - line.trimStart().length;
    if (isInValue && indent > this.indent) {
      this.goOn(value);
      return true;
    }
    this.indent = indent;
    const header = /^\[([\s\S]+)\]/.exec(value);
    if (header !== null) {
      this.openSection(header[1]!, number);
      return true;
    }
    if (this.own === undefined) throw new MissingSectionHeaderError(this.source, number, line);
    return this.readOption(this.own, value, number);
  }

  private uncommented(line: string): { text: string; isComment: boolean } {
    const start = line.trim();
    if (this.target.$comments.some((prefix) => start.startsWith(prefix))) return { text: '', isComment: true };
    let end = line.length;
    for (const prefix of this.target.$inline) {
      const at = new RegExp(`(?:^|(?<=\\s))${escaped(prefix)}`).exec(line)?.index;
      if (at !== undefined) end = Math.min(end, at);
    }
    return { text: line.slice(0, end), isComment: end < line.length && line.slice(0, end).trim() === '' };
  }

  private openSection(name: string, line: number): void {
    const { default_section, $defaults, $sections, $strict } = this.target;
    if (name === default_section) this.own = $defaults;
    else {
      const had = $sections.get(name);
      if (had !== undefined && $strict && this.seenSections.has(name))
        throw new DuplicateSectionError(name, this.source, line);
      this.own = had ?? new Map();
      this.seenSections.add(name);
      $sections.set(name, this.own);
    }
    this.section = name;
    this.option = undefined;
  }

  private readOption(own: Section, text: string, line: number): boolean {
    const { $delimiters, $noValue, $strict } = this.target;
    const marks = $delimiters.map(escaped).join('|');
    const found = new RegExp(`^([\\s\\S]*?)\\s*(?:(${marks})\\s*([\\s\\S]*))${$noValue ? '?' : ''}$`).exec(text);
    if (found === null) return false;
    const option = this.target.$key(found[1]!.trimEnd());
    const id = `${this.section}\0${option}`;
    if ($strict && this.seen.has(id)) throw new DuplicateOptionError(this.section, option, this.source, line);
    this.seen.add(id);
    this.option = option;
    own.set(option, found[2] === undefined ? null : [found[3]!.trim()]);
    return option !== '';
  }

  private goOn(text: string): void {
    const lines = this.own?.get(this.option!);
    if (Array.isArray(lines)) lines.push(text);
  }

  /** Lines of values become texts. */
  private finish(): void {
    for (const section of [this.target.$defaults, ...this.target.$sections.values()])
      for (const [key, lines] of section) if (Array.isArray(lines)) section.set(key, lines.join('\n').trimEnd());
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
