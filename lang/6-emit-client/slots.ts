/** Statements in markup: each piece of markup in them is an element of the slot. */
import type * as ast from '../1-parse/ast.ts';
import { at, P } from './code.ts';
import { type Cx, imported, indented, inner, lang, line } from './cx.ts';
import { element, fragment } from './markup.ts';
import { statements } from './statements.ts';

/** An element that holds what the statements give, in the order they give it. */
export function slot(c: Cx, e: ast.Node, list: readonly ast.Statement[]): string {
  const [only] = list;
  if (list.length === 1 && only?.kind === 'TryStatement' && only.awaiting !== undefined) return suspense(c, e, only);
  return `${lang(c.u, 'slot')}(${fragment(c)}, ${collector(c, list)})`;
}

/** `($s) => { … }`: a function that puts elements into a list and gives it. */
function collector(c: Cx, list: readonly ast.Statement[], parameter = ''): string {
  const out = '$out';
  const fn = { ...c.fn, hoisted: [] as string[] };
  const inside: Cx = { ...inner(c, {}), fn, slot: out, loops: [] };
  const body = indented(inside, () => statements(inside, list));
  const head = fn.hoisted.length === 0 ? '' : indented(inside, () => line(inside, `let ${fn.hoisted.join(', ')};`));
  const end = indented(inside, () => line(inside, `return ${out};`));
  const first = parameter === '' ? out : `${out}, ${parameter}`;
  return `(${first}) => {${head}${body}${end}${line(c, '}')}`;
}

/** `{try { A } awaiting { B } except E { C }}` */
function suspense(c: Cx, e: ast.Node, s: ast.TryStatement): string {
  const awaiting = imported(c.u, '@svc/runtime', 'SvcAwaiting', '$Awaiting');
  const parts = [`children: ${rendered(c, s.body.statements)}`];
  parts.push(`fallback: ${rendered(c, s.awaiting!.statements)}`);
  const [clause] = s.handlers;
  if (clause !== undefined) {
    const name =
      clause.name?.text ??
      (clause.type?.kind === 'NameRef' && /^[a-z_]/.test(clause.type.name) ? clause.type.name : '$error');
    parts.push(`failed: (${name}) => ${rendered(c, clause.body.statements).replace(/^\(\) => /, '')}`);
  }
  return at(element(c, e, awaiting, `{ ${parts.join(', ')} }`, undefined, false), P.assign);
}

function rendered(c: Cx, list: readonly ast.Statement[]): string {
  return `() => ${lang(c.u, 'slot')}(${fragment(c)}, ${collector(c, list)})`;
}
