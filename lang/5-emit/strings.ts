/** Formatted strings (docs/language/lexical.md#formatted-strings). */
import type * as ast from '../1-parse/ast.ts';
import { textOf } from './builtin-calls.ts';
import { type Cx, mark } from './context.ts';
import { expr, runtime, waited } from './expressions.ts';
import { quote } from './identifiers.ts';
import { mainTypeOf } from './kinds.ts';

export function joined(c: Cx, e: ast.Joined): string {
  const parts: string[] = [];
  let text = '';
  for (const part of e.parts) {
    if (part.kind === 'StringLiteral') {
      text += part.value;
      continue;
    }
    if (part.debugText !== undefined) text += part.debugText;
    if (text !== '') parts.push(quote(text));
    text = '';
    parts.push(formatPart(c, part));
  }
  if (text !== '' || parts.length === 0) parts.push(quote(text));
  // An int needs no conversion beside a text.
  for (const [i, part] of parts.entries()) {
    const number = /^\("" \+ (.*)\)$/s.exec(part)?.[1];
    if (number !== undefined && (i > 0 || parts[i + 1]?.startsWith('"'))) parts[i] = number;
  }
  return parts.length === 1 ? parts[0]! : `(${parts.join(' + ')})`;
}

// Values whose `format(x, "")` is their `str`.
const plainKinds = new Set([
  'str',
  'int',
  'float',
  'bool',
  'none',
  'list',
  'tuple',
  'dict',
  'set',
  'frozenset',
  'bytes',
  'range',
]);

function formatPart(c: Cx, part: ast.FormatPart): string {
  const at = mark(c, part.expr);
  const rt = runtime(c, part);
  const conversion = part.conversion ?? (part.debugText !== undefined && part.spec === undefined ? 'r' : undefined);
  const spec =
    part.spec === undefined
      ? undefined
      : part.spec.kind === 'StringLiteral'
        ? quote(part.spec.value)
        : joined(c, part.spec);
  if (conversion !== undefined) {
    const text =
      conversion === 's'
        ? textOf(c, part.expr, at, part)
        : waited(c, part, `${at}${rt}.${conversion === 'r' ? 'repr' : 'ascii'}(${expr(c, part.expr)})`);
    return spec === undefined ? text : `${at}$.format(${text}, ${spec})`;
  }
  if (spec !== undefined) return waited(c, part, `${at}${rt}.format(${expr(c, part.expr)}, ${spec})`);
  if (plainKinds.has(mainTypeOf(c, part.expr).t)) return textOf(c, part.expr, at, part);
  return waited(c, part, `${at}${rt}.format(${expr(c, part.expr)}, "")`);
}
