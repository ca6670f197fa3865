/** Statements in markup: each piece of markup in them is an element of the slot. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { at, code, P } from './code.ts';
import { source } from './comprehensions.ts';
import { type Cx, imported, indented, inner, isChanged, lang, line } from './cx.ts';
import { clauses } from './exceptions.ts';
import { expr } from './expressions.ts';
import { element, fragment } from './markup.ts';
import { test } from './operators.ts';
import { isDeclaredBy, statements } from './statements.ts';
import { targetNames } from './targets.ts';

/** An element that holds what the statements give, in the order they give it. */
export function slot(c: Cx, e: ast.Node, list: readonly ast.Statement[]): string {
  const [only] = list;
  const around = list.length === 1 && only?.kind === 'TryStatement' ? boundary(c, e, only) : undefined;
  return around ?? simple(c, list)?.(P.assign) ?? collected(c, (inside) => statements(inside, list));
}

/**
 * A slot that one expression says: markup alone, an `if` with markup in each branch, a `for` with such a body. It is written as people write React,
 * with `?:` and `map`. Undefined for others.
 */
function simple(c: Cx, list: readonly ast.Statement[]): ((min: number) => string) | undefined {
  const [only] = list;
  if (list.length !== 1 || only === undefined) return undefined;
  switch (only.kind) {
    case 'ExprStatement':
      return only.expr.kind === 'Markup' ? (min) => expr(c, only.expr, min) : undefined;
    case 'IfStatement': {
      if (branches(only) > mostBranches) return undefined;
      const then = simple(c, only.body.statements);
      const { orElse } = only;
      const other =
        orElse === undefined ? () => 'null' : simple(c, orElse.kind === 'Block' ? orElse.statements : [orElse]);
      if (then === undefined || other === undefined) return undefined;
      return (min) => {
        const asked = at(test(c, only.test), P.conditional + 1);
        return at(code(`${asked} ? ${then(P.assign)} : ${other(P.assign)}`, P.conditional), min);
      };
    }
    case 'ForIn': {
      const body = simple(c, only.body.statements);
      const names = targetNames(only.target);
      const isOwn = names.length > 0 && names.every((name) => isDeclaredBy(c, only, name) && !isChanged(c, name));
      if (body === undefined || only.async || only.orElse !== undefined || !isOwn) return undefined;
      const [items, target] = source(c, only);
      return target === undefined ? undefined : () => `${items}.map((${target}) => ${body(P.assign)})`;
    }
    default:
      return undefined;
  }
}

/** `?:` nests once for each branch, and bundlers that nest as deep as a program may have branches end without a word. */
const mostBranches = 100;

function branches(s: ast.IfStatement): number {
  let count = 1;
  for (let { orElse } = s; orElse?.kind === 'IfStatement'; { orElse } = orElse) count += 1;
  return count;
}

/** A function puts elements into a list and gives it: `$slot(Fragment, ($out) => { … })`. */
function collected(c: Cx, write: (inside: Cx) => string): string {
  const [made, out] = [`${lang(c.u, 'slot')}(${fragment(c)}, `, '$out'];
  const fn = { ...c.fn, hoisted: [] as string[] };
  const inside: Cx = { ...inner(c, {}), fn, slot: out, loops: [] };
  const body = indented(inside, () => write(inside));
  const head = fn.hoisted.length === 0 ? '' : indented(inside, () => line(inside, `let ${fn.hoisted.join(', ')};`));
  const end = indented(inside, () => line(inside, `return ${out};`));
  return `${made}(${out}) => {${head}${body}${end}${line(c, '}')})`;
}

/**
 * An element for a `try` in a slot, which catches what components throw when they are drawn, later than the statement runs. Undefined where the statement
 * catches all that can be thrown in it, or says more than an element can.
 */
export function boundary(c: Cx, e: ast.Node, s: ast.TryStatement): string | undefined {
  if (s.awaiting !== undefined) return suspense(c, e, s);
  const isPlain = s.orElse === undefined && s.finally === undefined && s.handlers.length > 0 && !s.splitsGroups;
  const isMarkup = s.body.statements.every((each) => each.kind === 'ExprStatement' && each.expr.kind === 'Markup');
  const leaves = (node: ast.Node) => node.kind === 'CtrlStatement' && node.word !== 'skip';
  if (
    !isPlain ||
    !isMarkup ||
    !containsNode(s.body, isComponent) ||
    s.handlers.some(({ body }) => containsNode(body, leaves))
  )
    return undefined;
  const failed = `($error) => ${collected(c, (inside) => clauses(inside, s.handlers))}`;
  const props = `{ children: ${rendered(c, s.body.statements)}, failed: ${failed} }`;
  const awaiting = imported(c.u, '@svc/runtime', 'SvcAwaiting', '$Awaiting');
  return at(element(c, e, awaiting, props, undefined, false), P.assign);
}

function isComponent(node: ast.Node): boolean {
  return node.kind === 'Markup' && node.tag !== undefined && typeof node.tag !== 'string';
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
  return `() => ${simple(c, list)?.(P.assign) ?? collected(c, (inside) => statements(inside, list))}`;
}
