/**
 * Module `locale`: how numbers are written in a country. What is known of countries is what JavaScript knows
 * (docs/language/standard-modules.md#differences).
 */

import { functions, type Members } from '../builtins/module.ts';
import { parseFloatText, parseInt10 } from '../builtins/parse-number.ts';
import { real } from '../builtins/real.ts';
import { Dict } from '../values/containers/dict.ts';
import { Tuple, tuple } from '../values/containers/tuple.ts';
import { boxed } from '../values/numbers/float-box.ts';
import { asInt } from '../values/numbers/numbers.ts';
import { Exception, nameException, ValueError } from '../values/objects/exceptions.ts';
import { compareStrings } from '../values/objects/ordering.ts';
import { reprOf, strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';
import { formatPercent } from '../values/text/percent-format.ts';
import { requireText, textOf } from '../values/text/text-arguments.ts';

class LocaleError extends Exception {}
nameException(LocaleError, 'Error', 'locale');

const categories = { LC_CTYPE: 0, LC_NUMERIC: 1, LC_TIME: 2, LC_COLLATE: 3, LC_MONETARY: 4, LC_MESSAGES: 5, LC_ALL: 6 };

/** Locales that are set, by category. `C` knows no grouping and no currency. */
function createState() {
  const set = new Map<number, string>();
  return {
    get: (category: number) => set.get(category === categories.LC_ALL ? categories.LC_CTYPE : category) ?? 'C',
    set(category: number, name: string) {
      for (const one of category === categories.LC_ALL ? Object.values(categories) : [category]) set.set(one, name);
    },
  };
}

/** The name of a locale as it is kept. @throws LocaleError */
function known(given: string): string {
  const name = given === '' ? environmentName() : given;
  if (name === 'C' || name === 'POSIX' || name === 'C.UTF-8' || name === 'C.utf8') return name === 'POSIX' ? 'C' : name;
  try {
    if (/^[a-z]{2,3}(_[A-Z]{2})?([.@].*)?$/.test(name) && Intl.NumberFormat.supportedLocalesOf(tagOf(name)).length > 0)
      return name;
  } catch {
    // No tag of a language.
  }
  throw new LocaleError('unsupported locale setting');
}

function environmentName(): string {
  const { LC_ALL, LANG } = process.env;
  return LC_ALL || LANG || 'C';
}

function tagOf(name: string): string {
  return name.replace(/[.@].*$/, '').replace('_', '-');
}

function isPlain(name: string): boolean {
  return /^C(\.|$)/.test(name);
}

interface Signs {
  readonly point: string;
  readonly separator: string;
  readonly grouping: readonly number[];
}

function signsOf(name: string): Signs {
  if (isPlain(name)) return { point: '.', separator: '', grouping: [] };
  const parts = new Intl.NumberFormat(tagOf(name), { useGrouping: 'always' as any }).formatToParts(1234567890.5);
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const groups = parts
    .filter((part) => part.type === 'integer')
    .map((part) => part.value.length)
    .reverse();
  const separator = find('group');
  const grouping =
    separator === '' ? [] : groups[1] === groups[0] ? [groups[0]!, groups[0]!, 0] : [groups[0]!, groups[1]!, 0];
  return { point: find('decimal'), separator, grouping };
}

function currencyOf(name: string): string {
  const region = new Intl.Locale(tagOf(name)).maximize().region ?? '';
  return currencies[region] ?? (euro.has(region) ? 'EUR' : 'USD');
}

const euro = new Set('AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '));
const currencies: Readonly<Record<string, string>> = Object.fromEntries(
  'US:USD GB:GBP JP:JPY CN:CNY IN:INR CH:CHF CA:CAD AU:AUD NZ:NZD SE:SEK NO:NOK DK:DKK PL:PLN CZ:CZK HU:HUF RO:RON BG:BGN RU:RUB UA:UAH TR:TRY BR:BRL MX:MXN AR:ARS CL:CLP CO:COP KR:KRW TH:THB VN:VND ID:IDR MY:MYR PH:PHP SG:SGD HK:HKD TW:TWD ZA:ZAR EG:EGP IL:ILS SA:SAR AE:AED NG:NGN KE:KES PK:PKR BD:BDT'
    .split(' ')
    .map((pair) => pair.split(':')),
);

/** Digits in groups from the right. */
function grouped(digits: string, { separator, grouping }: Signs): string {
  if (separator === '') return digits;
  const parts: string[] = [];
  let rest = digits;
  for (let i = 0; rest !== ''; i += 1) {
    const size = grouping[Math.min(i, 1)]!;
    parts.unshift(rest.slice(-size));
    rest = rest.slice(0, -size);
  }
  return parts.join(separator);
}

/** A formatted number with the signs of a locale. */
function localized(text: string, signs: Signs, isGrouped: boolean): string {
  const found = /^(\s*[+-]?)(\d+)(?:\.(\d+))?(.*)$/s.exec(text);
  if (found === null) return text;
  const [, lead, digits, fraction, tail] = found;
  const whole = isGrouped ? grouped(digits!, signs) : digits!;
  const made = `${lead}${whole}${fraction === undefined ? '' : signs.point + fraction}${tail}`;
  // The room that groups take is taken from the padding.
  const extra = made.length - text.length;
  const spaces = /^ */.exec(made)![0].length;
  return extra > 0 ? made.slice(Math.min(extra, spaces)) : made;
}

export function makeLocale(): Members {
  const state = createState();
  const numbers = () => signsOf(state.get(categories.LC_NUMERIC));
  const plainNumber = (x: unknown) => {
    const { point, separator } = numbers();
    const text = requireText(x);
    return (separator === '' ? text : text.replaceAll(separator, '')).replace(point, '.');
  };
  function formatString(format: unknown, value: any, isGrouped: unknown): string {
    const signs = numbers();
    const values = value instanceof Tuple ? [...value.items] : value instanceof Dict ? value : [value];
    return requireText(format).replace(
      /%(?:\((.*?)\))?([-#0 +]*\*?\d*(?:\.(?:\*|\d+))?)[hlL]?([a-zA-Z%])/g,
      (item, _name, _how, kind) => {
        if (kind === '%') return '%';
        const given =
          values instanceof Dict ? values : new Tuple(values.splice(0, 1 + (item.match(/\*/g)?.length ?? 0)));
        const text = formatPercent(item, given) as string;
        return /[eEfFgGdiu]/.test(kind) ? localized(text, signs, truth(isGrouped)) : text;
      },
    );
  }
  function conventions(): Dict {
    const signs = numbers();
    const money = state.get(categories.LC_MONETARY);
    const isC = isPlain(money);
    const moneySigns = signsOf(money);
    const code = isC ? '' : currencyOf(money);
    const parts = isC
      ? []
      : new Intl.NumberFormat(tagOf(money), {
          style: 'currency',
          currency: code,
          currencyDisplay: 'narrowSymbol',
        }).formatToParts(1);
    const symbolAt = parts.findIndex((part) => part.type === 'currency');
    const isBefore = symbolAt === 0 || parts.slice(0, symbolAt).every((part) => part.type === 'literal');
    const hasSpace = parts.some((part) => part.type === 'literal');
    const digits = isC ? 127 : (parts.find((part) => part.type === 'fraction')?.value.length ?? 0);
    const place = (value: boolean) => (isC ? 127 : Number(value));
    return Dict.from([
      ['int_curr_symbol', isC ? '' : `${code} `],
      ['currency_symbol', isC ? '' : (parts[symbolAt]?.value ?? code)],
      ['mon_decimal_point', isC ? '' : moneySigns.point],
      ['mon_thousands_sep', moneySigns.separator],
      ['mon_grouping', [...moneySigns.grouping]],
      ['positive_sign', ''],
      ['negative_sign', isC ? '' : '-'],
      ['int_frac_digits', digits],
      ['frac_digits', digits],
      ['p_cs_precedes', place(isBefore)],
      ['p_sep_by_space', place(hasSpace)],
      ['n_cs_precedes', place(isBefore)],
      ['n_sep_by_space', place(hasSpace)],
      ['p_sign_posn', isC ? 127 : 1],
      ['n_sign_posn', isC ? 127 : 1],
      ['decimal_point', signs.point],
      ['thousands_sep', signs.separator],
      ['grouping', [...signs.grouping]],
    ]);
  }
  function currency(value: unknown, symbol: unknown, isGrouped: unknown, international: unknown): string {
    const about = conventions();
    const digits = about.get(truth(international) ? 'int_frac_digits' : 'frac_digits') as number;
    if (digits === 127) throw new ValueError("Currency formatting is not possible using the 'C' locale.");
    const amount = real(value);
    const signs = signsOf(state.get(categories.LC_MONETARY));
    const text = localized(Math.abs(amount).toFixed(digits), signs, truth(isGrouped));
    let shown = text;
    if (symbol === undefined || truth(symbol)) {
      const sign = String(about.get(truth(international) ? 'int_curr_symbol' : 'currency_symbol'));
      const space = about.get('p_sep_by_space') === 1;
      if (about.get('p_cs_precedes') === 1) shown = `${sign}${space && !sign.endsWith(' ') ? ' ' : ''}${text}`;
      else shown = `${text}${space || truth(international) ? ' ' : ''}${sign.trimEnd()}`;
    }
    return amount < 0 ? `-${shown}` : shown;
  }
  const parts = (name: string): unknown =>
    name === 'C'
      ? tuple(null, null)
      : isPlain(name)
        ? tuple('C', 'UTF-8')
        : tuple(name.replace(/[.@].*$/, ''), 'UTF-8');
  const compare = (a: unknown, b: unknown): number => {
    const name = state.get(categories.LC_COLLATE);
    const [x, y] = [requireText(a), requireText(b)];
    return isPlain(name) ? Math.sign(compareStrings(x, y)) : new Intl.Collator(tagOf(name)).compare(x, y);
  };
  return {
    ...categories,
    CHAR_MAX: 127,
    Error: LocaleError,
    ...functions('locale', {
      atof: ['string, func=None', (x: unknown) => boxed(parseFloatText(plainNumber(x)))],
      atoi: ['string, func=None', (x: unknown) => parseInt10(plainNumber(x))],
      currency: ['val, symbol=True, grouping=False, international=False', currency],
      delocalize: ['string', plainNumber],
      format_string: [
        'f, val, grouping=False, monetary=False',
        (format: unknown, value: unknown, isGrouped?: unknown) => formatString(format, value, isGrouped),
      ],
      getdefaultlocale: ['envvars=None', () => parts(known(''))],
      getencoding: ['', () => 'utf-8'],
      getlocale: ['category=0', (category?: unknown) => parts(state.get(Number(category ?? 0)))],
      getpreferredencoding: ['do_setlocale=True', () => 'UTF-8'],
      localeconv: ['', conventions],
      localize: [
        'string, grouping=False, monetary=False',
        (x: unknown, isGrouped?: unknown) => localized(requireText(x), numbers(), truth(isGrouped)),
      ],
      normalize: ['localename', (x: unknown) => requireText(x)],
      setlocale: [
        'category, locale=None',
        (category: unknown, name?: unknown) => {
          const number = asInt(category);
          if (number === undefined || number < 0 || number > 6) throw new LocaleError('invalid locale category');
          if (name !== undefined && name !== null) {
            const given =
              name instanceof Tuple
                ? name.items
                    .filter((part) => part !== null)
                    .map((part) => strOf(part))
                    .join('.')
                : textOf(name);
            if (given === undefined) throw new LocaleError(`unsupported locale setting: ${reprOf(name)}`);
            state.set(Number(number), known(given));
          }
          return state.get(Number(number));
        },
      ],
      str: ['val', (x: unknown) => localized(formatPercent('%.12g', x) as string, numbers(), false)],
      strcoll: ['string1, string2, /', compare],
      strxfrm: ['string, /', (x: unknown) => requireText(x)],
    }),
  };
}
