/** Floats and tuples in `"{} kg".format(x)` and `"%s kg" % x` whose form is written there: by their static type, as in f-strings (docs/decisions/0885). */
import type * as ast from '../1-parse/ast.ts';
import type { Cx } from './cx.ts';
import { expr } from './expressions.ts';
import { typedTextCall } from './kinds.ts';

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
