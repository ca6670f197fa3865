/** Comprehensions: `map` and `filter` where one loop over a known list is written, else loops in a function. */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, indented, inner, lang, line } from './cx.ts';
import { expr, gen, hasNumbers, iterated, keysOf, setMaker } from './expressions.ts';
import { awaits } from './functions.ts';
import { identifier } from './identifier.ts';
import { kindOf } from './kinds.ts';
import { test } from './operators.ts';
import { eachOf } from './remote.ts';

export function comprehension(c: Cx, e: ast.Comprehension): Code {
  const isAsync = awaits(c, e);
  if (e.sort === 'generator' || isAsync) return loops(c, e, isAsync);
  const chain = chained(c, e, 0);
  if (chain === undefined) return loops(c, e, false);
  if (e.sort === 'set') return code(`${setMaker(c, [e.value])}(${chain})`, P.call);
  if (e.sort === 'dict') return code(`Object.fromEntries(${chain})`, P.call);
  return code(chain, P.call);
}

function chained(c: Cx, e: ast.Comprehension, from: number): string | undefined {
  const clause = e.clauses[from]!;
  const [items, target] = source(c, clause);
  if (target === undefined) return undefined;
  // Behind a filter `map` would count what is left, and see the last of what the conditions name.
  const isNaming = clause.conditions.some((one) => containsNode(one, ({ kind }) => kind === 'Walrus'));
  if (clause.conditions.length > 0 && (isNaming || target !== simpleTarget(clause.target))) {
    const asked = clause.conditions.map((condition) => at(test(c, condition), P.and + 1)).join(' && ');
    const rest = from < e.clauses.length - 1 ? chained(c, e, from + 1) : `[${valueOf(c, e)}]`;
    return rest === undefined ? undefined : `${items}.flatMap((${target}) => ${asked} ? ${rest} : [])`;
  }
  let text = items;
  for (const condition of clause.conditions) text += `.filter((${target}) => ${at(test(c, condition), P.assign)})`;
  if (from < e.clauses.length - 1) {
    const rest = chained(c, e, from + 1);
    return rest === undefined ? undefined : `${text}.flatMap((${target}) => ${rest})`;
  }
  const isSame =
    e.sort === 'list' &&
    e.value.kind === 'NameRef' &&
    clause.target.kind === 'NameRef' &&
    e.value.name === clause.target.name;
  // A copy, as the comprehension makes one.
  if (isSame) return clause.conditions.length > 0 ? text : `[...${text}]`;
  const value = valueOf(c, e);
  return `${text}.map((${target}) => ${value.startsWith('{') ? `(${value})` : value})`;
}

function valueOf(c: Cx, { key, value }: ast.Comprehension): string {
  return key === undefined ? expr(c, value) : `[${keyOf(c, key)}, ${expr(c, value)}]`;
}

/** A key of a dict, which may be a member of an enum. */
function keyOf(c: Cx, e: ast.Expression): string {
  const kind = kindOf(c, e);
  const isPlain = kind === 'str' || kind === 'number' || !c.u.link.plan.hasEnums;
  return isPlain ? expr(c, e) : `${lang(c.u, 'key')}(${expr(c, e)})`;
}

/** The array that a clause or loop goes through and the parameters of its callbacks. */
export function source(
  c: Cx,
  { iter, target }: { readonly iter: ast.Expression; readonly target: ast.Expression },
): readonly [items: string, target: string | undefined] {
  const pattern = simpleTarget(target);
  if (iter.kind === 'Call' && iter.callee.kind === 'NameRef' && isBuiltin(c, iter.callee)) {
    const [first, second] = iter.args;
    const isPlain = iter.args.every(({ sort }) => sort === 'positional');
    if (iter.callee.name === 'enumerate' && isPlain && first !== undefined && second === undefined) {
      const pair = target.kind === 'TupleExpr' && target.items.length === 2 ? target.items.map(simpleTarget) : [];
      const [i, item] = pair;
      if (i !== undefined && item !== undefined && !i.startsWith('['))
        return [arrayOf(c, first.value), `${item}, ${i}`];
    }
  }
  return [arrayOf(c, iter), pattern];
}

function isBuiltin(c: Cx, node: ast.NameRef): boolean {
  return c.u.names.binding(node).sort === 'builtin';
}

function arrayOf(c: Cx, e: ast.Expression): string {
  if (kindOf(c, e) === 'list') return at(gen(c, e), P.call);
  if (hasNumbers(c, e)) return keysOf(c, e);
  return `${lang(c.u, 'array')}(${expr(c, e)})`;
}

/** Parameters of a callback for a target of names and tuples of them; undefined for others. */
function simpleTarget(target: ast.Expression): string | undefined {
  if (target.kind === 'NameRef') return identifier(target.name);
  if (target.kind === 'Starred') {
    const rest = simpleTarget(target.expr);
    return rest === undefined ? undefined : `...${rest}`;
  }
  if (target.kind !== 'TupleExpr' && target.kind !== 'ListExpr') return undefined;
  const items = target.items.map(simpleTarget);
  return items.some((item) => item === undefined) ? undefined : `[${items.join(', ')}]`;
}

function loops(c: Cx, e: ast.Comprehension, isAsync: boolean): Code {
  const isGenerator = e.sort === 'generator';
  const waits = isAsync || e.clauses.some((clause) => clause.async);
  const at = inner(c, { isAsync: waits });
  const add = isGenerator
    ? () => `yield ${expr(at, e.value)};`
    : e.sort === 'dict'
      ? () => `$all[${keyOf(at, e.key!)}] = ${expr(at, e.value)};`
      : e.sort === 'set'
        ? () => `$all.add(${expr(at, e.value)});`
        : () => `$all.push(${expr(at, e.value)});`;
  const body = indented(at, () => clauses(at, e.clauses, add));
  const start = isGenerator
    ? ''
    : indented(at, () => line(at, `const $all = ${e.sort === 'dict' ? '{}' : e.sort === 'set' ? 'new Set()' : '[]'};`));
  const end = isGenerator ? '' : indented(at, () => line(at, 'return $all;'));
  const temps = at.fn.hoisted.length === 0 ? '' : indented(at, () => line(at, `let ${at.fn.hoisted.join(', ')};`));
  if (isGenerator) {
    const text = `(${waits ? 'async ' : ''}function* () {${temps}${body}${line(c, '}')})()`;
    return code(c.self === 'this' ? text.replace(/\}\)\(\)$/, '}).call(this)') : text, P.call);
  }
  const text = `(${waits ? 'async ' : ''}() => {${temps}${start}${body}${end}${line(c, '}')})()`;
  return waits ? code(`await ${text}`, P.unary) : code(text, P.call);
}

function clauses(c: Cx, [clause, ...rest]: readonly ast.CompClause[], add: () => string): string {
  if (clause === undefined) return line(c, add());
  const target = simpleTarget(clause.target) ?? '$item';
  const head = `for ${clause.async ? 'await ' : ''}(const ${target} of ${clause.async ? eachOf(c, clause.iter) : iterated(c, clause.iter)}) `;
  return (
    line(c, `${head}{`) +
    indented(c, () => {
      const skip = clause.conditions.map((condition) =>
        line(c, `if (!(${at(test(c, condition), P.comma)})) continue;`),
      );
      return skip.join('') + clauses(c, rest, add);
    }) +
    line(c, '}')
  );
}
