/**
 * Texts of values whose static type says more than the value: floats and tuples in f-strings, `str(x)` and `print(x)`, and in `"{} kg".format(x)` and
 * `"%s kg" % x` whose form is written there (docs/decisions/0885).
 */
import type * as ast from '../1-parse/ast.ts';
import { isMixed } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import { mainType } from '../5-emit/kinds.ts';
import { type Cx, lang } from './cx.ts';
import { expr } from './expressions.ts';

/**
 * Call of a helper that writes a value as its static type says, where that says more than the value: a float has a fraction in Python, a tuple
 * parentheses, and keys that are whole numbers no quotes. Undefined for every other value.
 */
export function typedTextCall(c: Cx, e: ast.Expression, value: string): string | undefined {
  const looks = looksOf(c.u.types.of(e));
  if (looks === undefined) return undefined;
  return looks === floats ? `${lang(c.u, 'floatText')}(${value})` : `${lang(c.u, 'typedText')}(${value}, ${looks})`;
}

const floats = '"float"';

/** Code of what `typedText` is told of a type. */
function looksOf(of: Type): string | undefined {
  const type = mainType(of);
  switch (type.t) {
    case 'float':
      return floats;
    case 'list':
    case 'set':
    case 'frozenset':
      return looksInside(type.of, (inside) => `{ each: ${inside} }`);
    case 'dict':
      if (type.key.t === 'int') return `{ keys: "int", values: ${itemLooks(type.value) ?? 'null'} }`;
      return looksInside(type.value, (inside) => `{ values: ${inside} }`);
    case 'tuple':
      return type.items === undefined
        ? `{ each: ${itemLooks(type.of) ?? 'null'}, isTuple: true }`
        : `{ items: [${type.items.map((item) => itemLooks(item) ?? 'null').join(', ')}] }`;
    default:
      return undefined;
  }
}

function looksInside(of: Type, write: (inside: string) => string): string | undefined {
  const inside = itemLooks(of);
  return inside === undefined ? undefined : write(inside);
}

/** The same of what a container holds: numbers of a type into which ints were seen to go are left as they are. */
function itemLooks(of: Type): string | undefined {
  const type = mainType(of);
  return type.t === 'float' && isMixed(type) ? undefined : looksOf(type);
}

/** Has `write` take texts for those of `values` whose static type says more than the value. */
export function withTypedTexts<T>(c: Cx, values: readonly ast.Expression[], write: () => T): T {
  const { computed } = c.u;
  const texts = values.flatMap((value) => {
    const text = computed.has(value) ? undefined : typedTextCall(c, value, expr(c, value));
    return text === undefined ? [] : [[value, text] as const];
  });
  for (const [value, text] of texts) computed.set(value, text);
  const written = write();
  for (const [value] of texts) computed.delete(value);
  return written;
}

/** Operands of `%` that a text takes by `%s`. A variable may hold a tuple, whose items are the operands. */
export function operandsWithoutForm(c: Cx, { left, right }: ast.Binary): readonly ast.Expression[] {
  if (left.kind !== 'StringLiteral' || left.bytes) return [];
  const forms = [...left.value.matchAll(/%(\(\w+\))?[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z%])/g)].filter(
    ([, , type]) => type !== '%',
  );
  const operands = right.kind === 'TupleExpr' ? right.items : c.u.types.of(right).t === 'float' ? [right] : [];
  if (forms.length !== operands.length || forms.some(([, name]) => name !== undefined)) return [];
  return operands.filter((_, i) => forms[i]?.[2] === 's');
}

/** Arguments of `format` that its text takes without a form wherever it does. */
export function argumentsWithoutForm({ callee, args }: ast.Call): readonly ast.Expression[] {
  if (callee.kind !== 'Attribute' || callee.name.text !== 'format') return [];
  const { object } = callee;
  if (object.kind !== 'StringLiteral' || object.bytes || args.some(({ sort }) => sort === 'star')) return [];
  const withForm = new Set<string>();
  let next = 0;
  for (const [, name, form] of object.value.replace(/\{\{|\}\}/g, '').matchAll(/\{(\w*)([^{}]*)\}/g)) {
    const of = name === '' ? String(next++) : name!;
    if (form !== '') withForm.add(of);
  }
  // A form may name an argument: `{:{width}}`.
  if (/\{[^{}]*\{/.test(object.value.replace(/\{\{|\}\}/g, ''))) return [];
  return args.flatMap(({ name, value }, i) => (withForm.has(name?.text ?? String(i)) ? [] : [value]));
}
