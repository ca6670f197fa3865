/** Code of an expression with how tightly it binds, so that parentheses stand only where they are needed. */
export interface Code {
  readonly text: string;
  readonly p: number;
}

/** Binding strength of JavaScript's operators, loosest first. */
export const P = {
  comma: 0,
  assign: 1,
  conditional: 2,
  or: 3,
  and: 4,
  bitOr: 5,
  bitXor: 6,
  bitAnd: 7,
  equal: 8,
  relation: 9,
  shift: 10,
  add: 11,
  multiply: 12,
  power: 13,
  unary: 14,
  /** A number, behind which a member's point would be its own. */
  number: 16,
  call: 17,
  primary: 18,
} as const;

export function code(text: string, p: number): Code {
  return { text, p };
}

/** The text of an operand of something that binds as tightly as `min`. */
export function at({ text, p }: Code, min: number): string {
  return p < min ? `(${text})` : text;
}
