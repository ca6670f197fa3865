/** `string` in the browser. */
export const ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz';
export const ascii_uppercase = ascii_lowercase.toUpperCase();
export const ascii_letters = ascii_lowercase + ascii_uppercase;
export const digits = '0123456789';
export const hexdigits = '0123456789abcdefABCDEF';
export const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
export const whitespace = ' \t\n\r\v\f';
export const octdigits = '01234567';

export function capwords(text: string, by?: string): string {
  const words = by === undefined || by === null ? text.trim().split(/\s+/) : text.split(by);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()).join(by ?? ' ');
}
