/** Module `csv`. */
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { toFloatValue } from '../../builtins/conversions.ts';
import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { stepped } from '../../values/calls/generators.ts';
import { Dict } from '../../values/containers/dict.ts';
import { itemsOf, iter, toArray, tryIter, withEach } from '../../values/containers/iteration.ts';
import { boxed } from '../../values/numbers/float-box.ts';
import { requireSize } from '../../values/numbers/index-value.ts';
import { asNumber } from '../../values/numbers/numbers.ts';
import { TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { requireText, textOf } from '../../values/text/text-arguments.ts';
import {
  CsvError,
  type CsvFormat,
  Dialect,
  dialectObject,
  excel,
  excelTab,
  formatOf,
  QUOTE_ALL,
  QUOTE_MINIMAL,
  QUOTE_NONE,
  QUOTE_NONNUMERIC,
  QUOTE_NOTNULL,
  QUOTE_STRINGS,
  unix,
} from './dialect.ts';

let fieldLimit = 131_072;

/** States of the reader in a record. */
type State = 'start' | 'begin' | 'plain' | 'quoted' | 'escape' | 'escapeQuoted' | 'afterQuote' | 'eat';

class Reader {
  readonly $lines: Iterator<unknown>;
  readonly $format: CsvFormat;
  line_num = 0;

  constructor(source: unknown, format: CsvFormat) {
    this.$lines = iter(source)[Symbol.iterator]();
    this.$format = format;
  }

  get dialect(): Dialect {
    return dialectObject(this.$format);
  }

  next(): IteratorResult<unknown> {
    const record = makeRecord(this.$format);
    do {
      const step = this.$lines.next();
      if (step.done === true) {
        if (record.isOpen()) return { done: false, value: record.end(true) };
        return { done: true, value: undefined };
      }
      const line = textOf(step.value);
      if (line === undefined) {
        throw new CsvError(
          `iterator should return strings, not ${typeName(step.value)} (the file should be opened in text mode)`,
        );
      }
      this.line_num += 1;
      record.feed(line);
    } while (!record.isComplete());
    return { done: false, value: record.end(false) };
  }

  [Symbol.iterator](): this {
    return this;
  }

  __next__(): unknown {
    return stepped(this.next());
  }
}
nativeClass(Reader, { name: 'reader', module: '_csv' });

function makeRecord(format: CsvFormat) {
  const { delimiter, quotechar, escapechar, quoting } = format;
  const fields: unknown[] = [];
  let state: State = 'start';
  let field = '';
  let unquoted = false;
  const save = () => {
    fields.push(quoting === QUOTE_NONNUMERIC && unquoted ? boxed(toFloatValue(field)) : field);
    field = '';
    unquoted = false;
  };
  const add = (char: string) => {
    if (field.length >= fieldLimit) throw new CsvError(`field larger than field limit (${fieldLimit})`);
    field += char;
  };
  const isEnd = (char: string) => char === '\n' || char === '\r' || char === '';
  const endOfLine = (char: string) => {
    state = char === '' ? 'start' : 'eat';
  };
  const begin = (char: string) => {
    if (isEnd(char)) {
      save();
      endOfLine(char);
    } else if (char === quotechar && quoting !== QUOTE_NONE) state = 'quoted';
    else if (char === escapechar) state = 'escape';
    else if (char === ' ' && format.skipinitialspace) return;
    else if (char === delimiter) {
      save();
      state = 'begin';
    } else {
      unquoted = true;
      add(char);
      state = 'plain';
    }
  };
  /** One character; '' is the end of the line. */
  const step = (char: string) => {
    switch (state) {
      case 'start':
        if (char === '') return;
        if (isEnd(char)) {
          state = 'eat';
          return;
        }
        state = 'begin';
        begin(char);
        return;
      case 'begin':
        begin(char);
        return;
      case 'escape':
        add(char === '' ? '\n' : char);
        state = 'plain';
        return;
      case 'plain':
        if (isEnd(char)) {
          save();
          endOfLine(char);
        } else if (char === escapechar) state = 'escape';
        else if (char === delimiter) {
          save();
          state = 'begin';
        } else add(char);
        return;
      case 'quoted':
        if (char === '') return;
        if (char === escapechar) state = 'escapeQuoted';
        else if (char === quotechar && quoting !== QUOTE_NONE) state = format.doublequote ? 'afterQuote' : 'plain';
        else add(char);
        return;
      case 'escapeQuoted':
        add(char === '' ? '\n' : char);
        state = 'quoted';
        return;
      case 'afterQuote':
        if (quoting !== QUOTE_NONE && char === quotechar) {
          add(char);
          state = 'quoted';
        } else if (char === delimiter) {
          save();
          state = 'begin';
        } else if (isEnd(char)) {
          save();
          endOfLine(char);
        } else if (!format.strict) {
          add(char);
          state = 'plain';
        } else throw new CsvError(`'${delimiter}' expected after '${quotechar}'`);
        return;
      case 'eat':
        if (char !== '' && char !== '\n' && char !== '\r') {
          throw new CsvError(
            "new-line character seen in unquoted field - do you need to open the file with newline=''?",
          );
        }
        if (char === '') state = 'start';
    }
  };
  return {
    feed(line: string) {
      for (const char of line) step(char);
      step('');
    },
    isComplete: () => state === 'start',
    /** Did the input end inside of a record? */
    isOpen: () => field !== '' || state === 'quoted',
    end(early: boolean): unknown[] {
      if (early) {
        if (format.strict) throw new CsvError('unexpected end of data');
        save();
      }
      return fields;
    },
  };
}

class Writer {
  readonly $file: unknown;
  readonly $format: CsvFormat;

  constructor(file: any, format: CsvFormat) {
    if (typeof file?.write !== 'function') throw new TypeError('argument 1 must have a "write" method');
    this.$file = file;
    this.$format = format;
  }

  get dialect(): Dialect {
    return dialectObject(this.$format);
  }

  writerow(row: unknown): unknown {
    if (tryIter(row) === undefined) throw new CsvError(`iterable expected, not ${typeName(row)}`);
    return callMethod(this.$file, 'write', recordText(itemsOf(row), this.$format));
  }

  writerows(rows: unknown): MaybePromise<null> {
    return withEach(rows, (row) => this.writerow(row));
  }
}
nativeClass(Writer, { name: 'writer', module: '_csv', methods: { writerow: 'row, /', writerows: 'rows, /' } });

function recordText(items: readonly unknown[], format: CsvFormat): string {
  const fields = items.map((item) => fieldText(item, format, items.length === 1));
  return fields.join(format.delimiter) + format.lineterminator;
}

function fieldText(item: unknown, format: CsvFormat, isOnly: boolean): string {
  const { quotechar, quoting } = format;
  const isNumber = asNumber(item) !== undefined;
  const text = item === null || item === undefined ? '' : strOf(item);
  let quoted =
    quoting === QUOTE_ALL ||
    (quoting === QUOTE_NONNUMERIC && !isNumber) ||
    (quoting === QUOTE_STRINGS && textOf(item) !== undefined) ||
    (quoting === QUOTE_NOTNULL && item !== null && item !== undefined);
  let out = '';
  for (const char of text) {
    if (char === quotechar || char === format.escapechar) {
      if (quoting === QUOTE_NONE || (char === quotechar && !format.doublequote) || char === format.escapechar)
        out += escaped(char, format);
      else {
        out += char + char;
        quoted = true;
      }
    } else if (char === format.delimiter || char === '\n' || char === '\r' || format.lineterminator.includes(char)) {
      if (quoting === QUOTE_NONE) out += escaped(char, format);
      else {
        out += char;
        quoted = true;
      }
    } else out += char;
  }
  if (out === '' && isOnly) {
    if (quoting === QUOTE_NONE) throw new CsvError('single empty field record must be quoted');
    quoted = true;
  }
  return quoted ? `${quotechar}${out}${quotechar}` : out;
}

function escaped(char: string, format: CsvFormat): string {
  if (format.escapechar === null) throw new CsvError('need to escape, but no escapechar set');
  return format.escapechar + char;
}

class DictReader {
  readonly reader: Reader;
  restkey: unknown;
  restval: unknown;
  $names: unknown[] | null;

  constructor(reader: Reader, names: unknown, restkey: unknown, restval: unknown) {
    this.reader = reader;
    this.$names = names === undefined || names === null ? null : toArray(names);
    this.restkey = restkey ?? null;
    this.restval = restval ?? null;
  }

  get fieldnames(): unknown {
    if (this.$names === null) {
      const step = this.reader.next();
      if (step.done !== true) this.$names = step.value as unknown[];
    }
    return this.$names;
  }

  set fieldnames(names: unknown) {
    this.$names = toArray(names);
  }

  get line_num(): number {
    return this.reader.line_num;
  }

  next(): IteratorResult<unknown> {
    const names = (this.fieldnames ?? []) as unknown[];
    let step = this.reader.next();
    while (step.done !== true && (step.value as unknown[]).length === 0) step = this.reader.next();
    if (step.done === true) return step;
    const row = step.value as unknown[];
    const record = Dict.from(names.map((name, i) => [name, i < row.length ? row[i] : this.restval] as const));
    if (row.length > names.length) record.set(this.restkey, row.slice(names.length));
    return { done: false, value: record };
  }

  [Symbol.iterator](): this {
    return this;
  }

  __next__(): unknown {
    return stepped(this.next());
  }
}

class DictWriter {
  readonly writer: Writer;
  fieldnames: unknown[];
  restval: unknown;
  extrasaction: string;

  constructor(writer: Writer, names: unknown, restval: unknown, extras: unknown) {
    this.writer = writer;
    this.fieldnames = toArray(names);
    this.restval = restval ?? '';
    this.extrasaction = extras === undefined ? 'raise' : requireText(extras).toLowerCase();
    if (this.extrasaction !== 'raise' && this.extrasaction !== 'ignore')
      throw new ValueError(`extrasaction (${strOf(extras)}) must be 'raise' or 'ignore'`);
  }

  writeheader(): unknown {
    return this.writer.writerow(this.fieldnames);
  }

  writerow(row: Dict): unknown {
    if (this.extrasaction === 'raise') {
      const extra = [...row.keys()].filter((name) => !this.fieldnames.includes(name));
      if (extra.length > 0)
        throw new ValueError(`dict contains fields not in fieldnames: ${extra.map((name) => reprOf(name)).join(', ')}`);
    }
    return this.writer.writerow(this.fieldnames.map((name) => row.get(name) ?? (row.has(name) ? null : this.restval)));
  }

  writerows(rows: unknown): MaybePromise<null> {
    return withEach(rows, (row) => this.writerow(row as Dict));
  }
}
nativeClass(DictWriter, {
  name: 'DictWriter',
  module: 'csv',
  methods: { writeheader: '', writerow: 'rowdict', writerows: 'rowdicts' },
});

/** Guesses the format of a sample: the mark that splits all lines alike. */
class Sniffer {
  sniff(sample: unknown, delimiters?: unknown): Dialect {
    const text = requireText(sample);
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    const marks =
      delimiters === undefined || delimiters === null
        ? [',', '\t', ';', '|', ':', ' ']
        : Array.from(requireText(delimiters));
    for (const mark of marks) {
      const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(mark).length - 1);
      if (counts.length === 0 || counts[0] === 0 || counts.some((count) => count !== counts[0])) continue;
      return dialectObject({
        ...formatOf(new Map(), excel, Dict.of('delimiter', mark)),
        skipinitialspace: mark !== ' ' && text.includes(`${mark} `),
      });
    }
    throw new CsvError('Could not determine delimiter');
  }

  has_header(sample: unknown): boolean {
    const format = formatOf(new Map(), this.sniff(sample), new Dict());
    const [header, ...rows] = [...new Reader(requireText(sample).split(/(?<=\n)/), format)] as string[][];
    const isNumber = (x: string | undefined) => x !== undefined && x.trim() !== '' && !Number.isNaN(Number(x));
    return (
      rows.length > 0 && (header ?? []).some((name, i) => !isNumber(name) && rows.every((row) => isNumber(row[i])))
    );
  }
}
nativeClass(Sniffer, {
  name: 'Sniffer',
  module: 'csv',
  methods: { sniff: 'sample, delimiters=None', has_header: 'sample' },
});

export function makeCsv(): Members {
  const registry = new Map<string, unknown>([
    ['excel', excel],
    ['excel-tab', excelTab],
    ['unix', unix],
  ]);
  const format = (dialect: unknown, options: Dict) => formatOf(registry, dialect, options);
  // The classes take the dialects of this module.
  class OwnDictReader extends DictReader {}
  class OwnDictWriter extends DictWriter {}
  nativeClass(OwnDictReader, {
    name: 'DictReader',
    module: 'csv',
    params: 'f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds',
    make: (cls, file, names, restkey, restval, dialect, _args, options) =>
      new cls(new Reader(file, format(dialect, options)), names, restkey, restval),
  });
  nativeClass(OwnDictWriter, {
    name: 'DictWriter',
    module: 'csv',
    params: 'f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds',
    make: (cls, file, names, restval, extras, dialect, _args, options) =>
      new cls(new Writer(file, format(dialect, options)), names, restval, extras),
  });
  return {
    Dialect,
    DictReader: OwnDictReader,
    DictWriter: OwnDictWriter,
    Error: CsvError,
    QUOTE_ALL,
    QUOTE_MINIMAL,
    QUOTE_NONE,
    QUOTE_NONNUMERIC,
    QUOTE_NOTNULL,
    QUOTE_STRINGS,
    Sniffer,
    excel,
    excel_tab: excelTab,
    unix_dialect: unix,
    ...functions('csv', {
      field_size_limit: [
        'limit=None, /',
        (limit?: unknown) => {
          const before = fieldLimit;
          if (limit !== undefined) fieldLimit = requireSize(limit);
          return before;
        },
      ],
      get_dialect: ['name', (name: unknown) => dialectObject(format(name, new Dict()))],
      list_dialects: ['', () => [...registry.keys()]],
      reader: [
        'csvfile, /, dialect="excel", **fmtparams',
        (file: unknown, dialect: unknown, options: Dict) => new Reader(file, format(dialect, options)),
      ],
      register_dialect: [
        'name, /, dialect=None, **fmtparams',
        (name: unknown, dialect: unknown, options: Dict) => {
          registry.set(requireText(name, '"name"'), dialectObject(format(dialect, options)));
          return null;
        },
      ],
      unregister_dialect: [
        'name',
        (name: unknown) => {
          if (!registry.delete(requireText(name))) throw new CsvError('unknown dialect');
          return null;
        },
      ],
      writer: [
        'csvfile, /, dialect="excel", **fmtparams',
        (file: unknown, dialect: unknown, options: Dict) => new Writer(file, format(dialect, options)),
      ],
    }),
  };
}
