/** Loops and what leaves them. */
import type * as ast from '../1-parse/ast.ts';
import { at, P } from './code.ts';
import { type Cx, indented, isChanged, type Loop, line, mark, unique } from './cx.ts';
import { entriesOf, expr, iterated, keysOf } from './expressions.ts';
import { kindOf } from './kinds.ts';
import { bindingCode } from './names.ts';
import { test } from './operators.ts';
import { eachOf } from './remote.ts';
import { hoistDeclared, isDeclaredBy, statements } from './statements.ts';
import { assignTarget, augmented, loopTarget, targetNames } from './targets.ts';

/** Writes a loop whose `else` runs where it was not left by `break`. */
function loop(c: Cx, orElse: ast.Block | undefined, write: (inside: Cx) => string): string {
  const label = unique(c.u, 'loop');
  const completed = orElse === undefined ? undefined : unique(c.u, 'completed');
  const here: Loop = { kind: 'loop', label, used: false, broken: false, completed };
  const text = write({ ...c, loops: [...c.loops, here] });
  const named = here.used ? line(c, `${label}: `) + text.trimStart() : text;
  if (orElse === undefined || completed === undefined) return named;
  if (!here.broken) return named + statements(c, orElse.statements);
  const rest = indented(c, () => statements(c, orElse.statements));
  return `${line(c, `let ${completed} = true;`)}${named}${line(c, `if (${completed}) {`)}${rest}${line(c, '}')}`;
}

function body(c: Cx, { statements: list }: ast.Block, first = ''): string {
  return `{${first}${indented(c, () => statements(c, list))}${line(c, '}')}`;
}

export function whileStatement(c: Cx, s: ast.WhileStatement): string {
  return loop(c, s.orElse, (inside) => {
    const condition = s.test === undefined ? 'true' : at(test(inside, s.test), P.comma);
    return line(c, `${mark(c, s)}while (${condition}) ${body(inside, s.body)}`);
  });
}

export function forIn(c: Cx, s: ast.ForIn): string {
  return loop(c, s.orElse, (inside) => {
    const counted = countedLoop(inside, s);
    if (counted !== undefined) return counted;
    const names = targetNames(s.target);
    const isDeclared = names.length > 0 && names.every((name) => isDeclaredBy(c, s, name));
    if (!isDeclared) hoistDeclared(inside, s, names);
    const isConstant = isDeclared && !names.some((name) => isChanged(c, name));
    const { head, first } = loopTarget(inside, s.target, isDeclared);
    const written = isDeclared && !isConstant ? head.replace(/^const /, 'let ') : head;
    const items = s.async ? eachOf(inside, s.iter) : (pairsOf(inside, s) ?? iterated(inside, s.iter));
    return line(
      c,
      `${mark(c, s)}for ${s.async ? 'await ' : ''}(${written} of ${items}) ${body(inside, s.body, first)}`,
    );
  });
}

/** `for (key, value) in d.items()` of a dict, `for (i, x) in enumerate(xs)` of a list. */
function pairsOf(c: Cx, { iter, target }: ast.ForIn): string | undefined {
  if (iter.kind === 'Call' && iter.callee.kind === 'NameRef' && iter.callee.name === 'enumerate') {
    const [first, second] = iter.args;
    const isPlain = first?.sort === 'positional' && second === undefined && target.kind === 'TupleExpr';
    const isBuiltin = c.u.names.binding(iter.callee).sort === 'builtin';
    return isPlain && isBuiltin && kindOf(c, first.value) === 'list'
      ? `${expr(c, first.value, P.call)}.entries()`
      : undefined;
  }
  if (iter.kind !== 'Call' || iter.callee.kind !== 'Attribute' || iter.args.length > 0) return undefined;
  const { object, name } = iter.callee;
  if (kindOf(c, object) !== 'dict') return undefined;
  if (name.text === 'items') return entriesOf(c, object);
  if (name.text === 'values') return `Object.values(${expr(c, object)})`;
  return name.text === 'keys' ? keysOf(c, object) : undefined;
}

/** `for i in range(n)`: a counter. */
function countedLoop(c: Cx, s: ast.ForIn): string | undefined {
  const { iter, target } = s;
  if (s.async || iter.kind !== 'Call' || iter.callee.kind !== 'NameRef' || iter.callee.name !== 'range')
    return undefined;
  if (c.u.names.binding(iter.callee).sort !== 'builtin' || target.kind !== 'NameRef') return undefined;
  if (!isDeclaredBy(c, s, target)) return undefined;
  const args = iter.args.map(({ sort, value }) => (sort === 'positional' ? value : undefined));
  if (args.length === 0 || args.length > 2 || args.some((value) => value === undefined)) return undefined;
  const [first, second] = args;
  const limit = second ?? first!;
  const start = second === undefined ? '0' : expr(c, first!);
  const binding = c.u.names.binding(target);
  const name = bindingCode(c, binding);
  if (second === undefined && binding.sort === 'local' && !isChanged(c, target)) c.u.counters.add(binding);
  const isFixed = limit.kind === 'NumberLiteral';
  const end = isFixed ? expr(c, limit) : unique(c.u, 'end');
  const head = isFixed ? `let ${name} = ${start}` : `let ${name} = ${start}, ${end} = ${expr(c, limit)}`;
  return line(c, `${mark(c, s)}for (${head}; ${name} < ${end}; ${name} += 1) ${body(c, s.body)}`);
}

export function forCount(c: Cx, s: ast.ForCount): string {
  return loop(c, s.orElse, (inside) => {
    const [target] = s.init.targets;
    const isDeclared = target?.kind === 'NameRef' && isDeclaredBy(c, s, target);
    const value = s.init.value === undefined ? 'null' : expr(inside, s.init.value);
    const init = target === undefined ? '' : `${isDeclared ? 'let ' : ''}${assignTarget(inside, target, value)}`;
    const step =
      s.step.kind === 'AugAssign'
        ? augmented(inside, s.step)
        : s.step.kind === 'ExprStatement'
          ? expr(inside, s.step.expr)
          : assignTarget(inside, s.step.targets[0]!, s.step.value === undefined ? 'null' : expr(inside, s.step.value));
    return line(c, `${mark(c, s)}for (${init}; ${at(test(inside, s.test), P.comma)}; ${step}) ${body(inside, s.body)}`);
  });
}

/** `break`, `continue`, `skip`: in a slot `skip` ends it. */
export function jump(c: Cx, s: ast.CtrlStatement): string {
  if (s.word === 'skip') return line(c, c.slot === undefined ? 'return;' : `return ${c.slot};`);
  if (s.word === 'disengage') return line(c, 'return;');
  const last = c.loops.at(-1);
  const target = s.word === 'continue' ? c.loops.findLast(({ kind }) => kind === 'loop') : last;
  if (target === undefined) return '';
  const flag = s.word === 'break' && target.completed !== undefined ? `${target.completed} = false; ` : '';
  if (s.word === 'break') target.broken = true;
  // A loop around a `switch` is meant by its name.
  const isFar = target !== last;
  if (isFar) target.used = true;
  return line(c, `${mark(c, s)}${flag}${s.word}${isFar ? ` ${target.label}` : ''};`);
}
