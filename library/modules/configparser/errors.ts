/** Exceptions of `configparser`. */
import { Exception, nameException } from '../../values/objects/exceptions.ts';
import { $str } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';

class ConfigError extends Exception {
  declare message: string;

  constructor(message: string, ...args: unknown[]) {
    super(...(args.length === 0 ? [message] : args));
    this.message = message;
  }

  override [$str](): string {
    return this.message;
  }
}

export class NoSectionError extends ConfigError {
  declare section: unknown;

  constructor(section: unknown) {
    super(`No section: ${reprOf(section)}`, section);
    this.section = section;
  }
}

export class NoOptionError extends ConfigError {
  declare option: unknown;
  declare section: unknown;

  constructor(option: unknown, section: unknown) {
    super(`No option ${reprOf(option)} in section: ${reprOf(section)}`, option, section);
    this.option = option;
    this.section = section;
  }
}

const readFrom = (source: unknown, line: number) =>
  `While reading from ${reprOf(source)} [line ${String(line).padStart(2)}]: `;

export class DuplicateSectionError extends ConfigError {
  constructor(section: unknown, source: unknown = null, line: number | null = null) {
    const text =
      source === null
        ? `Section ${reprOf(section)} already exists`
        : `${readFrom(source, line!)}section ${reprOf(section)} already exists`;
    super(text, section, source, line);
    Object.assign(this, { section, source, lineno: line });
  }
}

export class DuplicateOptionError extends ConfigError {
  constructor(section: unknown, option: unknown, source: unknown, line: number) {
    const text = `${readFrom(source, line)}option ${reprOf(option)} in section ${reprOf(section)} already exists`;
    super(text, section, option, source, line);
    Object.assign(this, { section, option, source, lineno: line });
  }
}

export class ParsingError extends ConfigError {
  declare errors: unknown;

  constructor(source: unknown, wrong: readonly (readonly [number, string])[]) {
    const lines = wrong.map(([line, text]) => `\n\t[line ${String(line).padStart(2)}]: ${text}`);
    super(`Source contains parsing errors: ${reprOf(source)}${lines.join('')}`, source);
    Object.assign(this, { source, errors: wrong });
  }
}

export class MissingSectionHeaderError extends ParsingError {
  constructor(source: unknown, lineno: number, line: string) {
    super(source, []);
    this.init(source, lineno, line);
    this.message = `File contains no section headers.\nfile: ${reprOf(source)}, line: ${lineno}\n${reprOf(line)}`;
    Object.assign(this, { lineno, line });
  }
}

class InterpolationError extends ConfigError {
  constructor(option: string, section: string, text: string, ...more: unknown[]) {
    super(text, option, section, ...(more.length === 0 ? [text] : more));
    Object.assign(this, { option, section });
  }
}

export class InterpolationSyntaxError extends InterpolationError {}
export class InterpolationDepthError extends InterpolationError {
  constructor(option: string, section: string, value: string) {
    const text = `Recursion limit exceeded in value substitution: option ${reprOf(option)} in section ${reprOf(section)} contains an interpolation key which cannot be substituted in 10 steps. Raw value: ${reprOf(value)}`;
    super(option, section, text, value);
  }
}
export class InterpolationMissingOptionError extends InterpolationError {
  declare reference: string;

  constructor(option: string, section: string, value: string, reference: string) {
    const text = `Bad value substitution: option ${reprOf(option)} in section ${reprOf(section)} contains an interpolation key ${reprOf(reference)} which is not a valid option name. Raw value: ${reprOf(value)}`;
    super(option, section, text, value, reference);
    this.reference = strOf(reference);
  }
}

export const configErrors = {
  DuplicateOptionError,
  DuplicateSectionError,
  Error: ConfigError,
  InterpolationDepthError,
  InterpolationError,
  InterpolationMissingOptionError,
  InterpolationSyntaxError,
  MissingSectionHeaderError,
  NoOptionError,
  NoSectionError,
  ParsingError,
};
for (const [name, cls] of Object.entries(configErrors)) nameException(cls, name);
