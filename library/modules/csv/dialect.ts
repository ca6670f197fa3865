/** Dialects of `csv`: how fields are set apart and quoted. */
import type { Dict } from '../../values/containers/dict.ts';
import { asInt } from '../../values/numbers/numbers.ts';
import { Exception, nameException, TypeError } from '../../values/objects/exceptions.ts';
import { $typeName } from '../../values/objects/protocol.ts';
import { truth } from '../../values/objects/truth.ts';
import { typeName } from '../../values/objects/type-name.ts';
import { textOf } from '../../values/text/text-arguments.ts';

export class CsvError extends Exception {}
nameException(CsvError, 'Error', '_csv');

export const [QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL] = [
  0, 1, 2, 3, 4, 5,
] as const;

const dialectFields = {
  delimiter: ',',
  doublequote: true,
  escapechar: null,
  lineterminator: '\r\n',
  quotechar: '"',
  quoting: QUOTE_MINIMAL,
  skipinitialspace: false,
  strict: false,
} as const;

/** Checked options. */
export interface CsvFormat {
  readonly delimiter: string;
  readonly doublequote: boolean;
  readonly escapechar: string | null;
  readonly lineterminator: string;
  readonly quotechar: string | null;
  readonly quoting: number;
  readonly skipinitialspace: boolean;
  readonly strict: boolean;
}

/** Programs derive from it and set the options as class attributes. */
export class Dialect {
  declare [$typeName]: string;
}
Dialect.prototype[$typeName] = 'Dialect';
class Excel extends Dialect {}
class ExcelTab extends Excel {}
class Unix extends Dialect {}

function preset(cls: any, name: string, options: Record<string, unknown>): any {
  cls.prototype[$typeName] = name;
  for (const [option, value] of Object.entries(options))
    Object.defineProperty(cls, option, { value, writable: true, configurable: true });
  return cls;
}
export const excel = preset(Excel, 'excel', { ...dialectFields });
export const excelTab = preset(ExcelTab, 'excel_tab', { ...dialectFields, delimiter: '\t' });
export const unix = preset(Unix, 'unix_dialect', { ...dialectFields, lineterminator: '\n', quoting: QUOTE_ALL });

/** The format of a dialect (name, class or object) with options on top. @throws CsvError, TypeError */
export function formatOf(registry: ReadonlyMap<string, unknown>, dialect: unknown, options: Dict): CsvFormat {
  let base: any = dialect ?? 'excel';
  const name = textOf(base);
  if (name !== undefined) {
    base = registry.get(name);
    if (base === undefined) throw new CsvError('unknown dialect');
  }
  for (const option of options.keys()) {
    if (!Object.hasOwn(dialectFields, option as string))
      throw new TypeError(`this function got an unexpected keyword argument '${option}'`);
  }
  const value = (option: keyof typeof dialectFields): any => {
    const given = options.get(option);
    if (given !== undefined) return given;
    return base[option] ?? base.constructor?.[option] ?? dialectFields[option];
  };
  const quotechar = oneChar('quotechar', value('quotechar'), true);
  const asked = asInt(value('quoting'));
  // Without a quote there is nothing to quote with, unless the caller says how.
  const quoting = quotechar === null && options.get('quoting') === undefined ? QUOTE_NONE : asked;
  if (quoting === undefined || quoting < 0 || quoting > 5) throw new TypeError('bad "quoting" value');
  if (quoting !== QUOTE_NONE && quotechar === null) throw new TypeError('quotechar must be set if quoting enabled');
  const lineterminator = textOf(value('lineterminator'));
  if (lineterminator === undefined) throw new TypeError('"lineterminator" must be a string');
  return {
    delimiter: oneChar('delimiter', value('delimiter'), false)!,
    doublequote: truth(value('doublequote')),
    escapechar: oneChar('escapechar', value('escapechar'), true),
    lineterminator,
    quotechar,
    quoting: Number(quoting),
    skipinitialspace: truth(value('skipinitialspace')),
    strict: truth(value('strict')),
  };
}

function oneChar(option: string, value: unknown, mayBeNone: boolean): string | null {
  if (value === null && mayBeNone) return null;
  const text = textOf(value);
  if (text === undefined)
    throw new TypeError(`"${option}" must be string${mayBeNone ? ' or None' : ''}, not ${typeName(value)}`);
  if (Array.from(text).length !== 1) throw new TypeError(`"${option}" must be a 1-character string`);
  return text;
}

/** A format as an object of the program: `reader.dialect`, `get_dialect(name)`. */
export function dialectObject(format: CsvFormat): Dialect {
  return Object.assign(new Dialect(), format);
}
