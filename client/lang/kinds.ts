/** Kinds of JavaScript values, as the language sees them. */

/** A dict: an object without a class of its own. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A member of an enum of the program. */
export interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly $enum: string;
  /** Is it shown as its value? */
  readonly $raw: boolean;
}

export function isMember(value: unknown): value is Member {
  return typeof value === 'object' && value !== null && '$enum' in value;
}

/** A method of the object that the language calls for an operator, such as `__add__`. */
export function special(value: unknown, name: string): ((...args: unknown[]) => unknown) | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === 'function' ? (found.bind(value) as (...args: unknown[]) => unknown) : undefined;
}

/** The name that the program gave a class: bundlers write `$1` behind one that they meet twice. */
export function className(cls: { readonly name: string }): string {
  return cls.name.replace(/^\$|\$\d*$/g, '');
}

/** The name of the kind, as errors tell it. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (isPlain(value)) return 'dict';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    case 'function':
      return 'function';
    default:
      if (isMember(value)) return value.$enum;
      return value.constructor === Set ? 'set' : className(value.constructor);
  }
}

let lastText = '';
let lastCharacters: string | string[] = '';

/** The characters of a text, of which pairs of surrogates are one each. A text without any stands for itself; the last one is remembered, for loops over places. */
export function characters(text: string): string | string[] {
  if (text !== lastText) {
    lastText = text;
    lastCharacters = /[\ud800-\udfff]/.test(text) ? [...text] : text;
  }
  return lastCharacters;
}
