/** Methods of texts that few programs call: a bundle has them where it does. */
import { format } from '../format.ts';
import { isPlain } from '../kinds.ts';
import { method } from '../method.ts';

/** `text.translate(table)`; values that are no texts are asked for their own member. */
export function rareMethod(receiver: any, name: keyof typeof rare, ...args: any[]): any {
  return typeof receiver === 'string' ? rare[name](receiver, args[0]) : method(receiver, name, ...args);
}

/** `str.maketrans("ab", "xy", "z")`, `str.maketrans({"a": "x"})`: texts by code point, null for what is left out. */
export function maketrans(from: any, to = '', without = ''): Record<string, any> {
  if (isPlain(from))
    return Object.fromEntries(
      Object.entries(from).map(([char, value]) => [/^\d{2,}$/.test(char) ? char : char.codePointAt(0), value]),
    );
  const targets = [...to];
  const pairs = [...from].map((char, i): [number, string | null] => [char.codePointAt(0), targets[i] ?? null]);
  return Object.fromEntries([...pairs, ...[...without].map((char) => [char.codePointAt(0), null])]);
}

const rare = {
  translate: (text: string, table: any): string =>
    [...text]
      .map((char) => {
        const found = table[char.codePointAt(0)!];
        return found === undefined ? char : typeof found === 'number' ? String.fromCodePoint(found) : (found ?? '');
      })
      .join(''),
  expandtabs: (text: string, size = 8): string =>
    text
      .split('\n')
      .map((row) => row.split('\t').reduce((all, part) => all + ' '.repeat(size - (all.length % size)) + part))
      .join('\n'),
  format_map: (text: string, values: any): string =>
    text.replace(/\{([^{}:!]+)(?::([^{}]*))?\}/g, (_, name: string, spec = '') => format(values[name], spec)),
  isprintable: (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text),
  istitle: (text: string): boolean =>
    /\p{L}/u.test(text) && (text.match(/\p{L}+/gu) ?? []).every((word) => /^(\p{Lu}|\p{Lt})[^\p{Lu}]*$/u.test(word)),
};
