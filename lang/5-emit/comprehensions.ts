/**
 * Comprehensions and generator expressions (docs/language/expressions.md#comprehensions): push loops. One that is
 * evaluated first in its statement is written in front of it; elsewhere it is a function called in place.
 */
import type * as ast from '../1-parse/ast.ts';
import { namesOfTarget } from '../2-resolve/target-names.ts';
import { type Cx, indented, line, mark, nested, newline, tempList, unique } from './context.ts';
import { awaitIfPromise, expr, operatorKey, runtime, waited, withOperators } from './expressions.ts';
import { identifier } from './identifiers.ts';
import { declaresIt, iterate, targetName } from './loops.ts';
import { condition } from './truth.ts';

export function comprehension(c: Cx, e: ast.Comprehension): string {
  return e.sort === 'generator' ? generator(c, e) : immediate(c, e, (inner) => collected(inner, e, e.sort, '$r'), '$r');
}

/** A generator expression whose items are all wanted at once. */
export function asList(c: Cx, e: ast.Comprehension): string {
  return immediate(c, e, (inner) => collected(inner, e, 'list', '$r'), '$r');
}

/** `any(…)` and `all(…)`: a generator expression stops at the first decisive item. */
export function anyAll(c: Cx, e: ast.Expression, isAny: boolean): string | undefined {
  if (e.kind !== 'Comprehension' || e.sort !== 'generator') return undefined;
  return immediate(
    c,
    e,
    (inner) => {
      renameTargets(inner, e);
      return loops(inner, e, 0, () => {
        const test = condition(inner, e.value);
        return line(inner, `if (${isAny ? test : `!${test}`}) return ${isAny};`);
      });
    },
    isAny ? 'false' : 'true',
  );
}

/** Lines that leave the collection in the constant `name` of the surrounding function. */
export function inlined(c: Cx, e: ast.Comprehension, name: string): string {
  return collected(c, e, e.sort === 'generator' ? 'list' : e.sort, name);
}

// A function called on the spot. It waits when anything in it does: its first source too, which the analysis of functions counts to the one around.
function immediate(c: Cx, e: ast.Comprehension, write: (inner: Cx) => string, result: string): string {
  const inner = nested(c, c.isAsync, 'plain');
  const text = indented(inner, () => {
    const body = write(inner);
    const temps = tempList(inner);
    return `${temps.length > 0 ? line(inner, `let ${temps.join(', ')};`) : ''}${body}${line(inner, `return ${result};`)}`;
  });
  const isAsync = c.isAsync && (c.u.types.suspends(e) || /\bawait\b/.test(text));
  if (isAsync && (c.u.debugging !== undefined || c.u.options.isEvaluated === true)) {
    const at = text.lastIndexOf('return ') + 'return '.length;
    const kept = `try {${text.slice(0, at)}$k.value = ${text.slice(at)}${newline(c)}} catch ($x) { $k.thrown = [$x]; throw $x; }`;
    return awaitIfPromise(c, `$d.now(async ($k) => { ${kept} })`);
  }
  const code = `(${isAsync ? 'async ' : ''}() => {${text}${newline(c)}})()`;
  return isAsync ? `(await ${code})` : code;
}

function collected(c: Cx, e: ast.Comprehension, sort: 'list' | 'set' | 'dict' | 'generator', name: string): string {
  renameTargets(c, e);
  const start = sort === 'dict' ? withOperators('new $.Dict()', [operatorKey(e.key) ?? []].flat()) : '[]';
  const list = sort === 'set' ? unique(c.u, 's') : name;
  const text = loops(c, e, 0, () => {
    if (sort === 'dict') {
      const pair = `${expr(c, e.key!)}, ${expr(c, e.value)}`;
      const rt = runtime(c, e);
      return line(c, rt === '$' ? `${list}.set(${pair});` : `${waited(c, e, `${rt}.setitem(${list}, ${pair})`)};`);
    }
    return line(c, `${list}.push(${expr(c, e.value)});`);
  });
  const tail = sort === 'set' ? line(c, `const ${name} = ${waited(c, e, `${runtime(c, e)}.set(${list})`)};`) : '';
  return line(c, `${mark(c, e)}const ${list} = ${start};`) + text + tail;
}

// The loops of the clauses from number `i` on, around `innermost`. Each target is declared once, in front of the first loop that has it.
function loops(c: Cx, e: ast.Comprehension, i: number, innermost: () => string): string {
  const clause = e.clauses[i];
  if (clause === undefined) return innermost();
  const body = () =>
    indented(c, () => {
      const tests = clause.conditions.map((test) => condition(c, test));
      const within = () => loops(c, e, i + 1, innermost);
      if (tests.length === 0) return within();
      return line(c, `if (${tests.join(' && ')}) {`) + indented(c, within) + line(c, '}');
    });
  const name = targetName(c, clause.target);
  const declares = !isTargetAgain(c, e, i);
  const declared = name !== undefined && declaresIt({ declares }, name) ? '' : declareTargets(c, e, i);
  const bodyNodes: ast.Node[] = [
    e.value,
    ...(e.key === undefined ? [] : [e.key]),
    ...e.clauses.slice(i + 1),
    ...clause.conditions,
  ];
  return declared + iterate(c, { node: clause, label: '', body, bodyNodes, declares });
}

function declareTargets(c: Cx, e: ast.Comprehension, i: number): string {
  const names = namesOf(c, e.clauses[i]!.target);
  for (const earlier of e.clauses.slice(0, i)) for (const name of namesOf(c, earlier.target)) names.delete(name);
  return names.size === 0 ? '' : line(c, `let ${[...names].join(', ')};`);
}

// Is a target of clause `i` one of another clause as well?
function isTargetAgain(c: Cx, e: ast.Comprehension, i: number): boolean {
  if (e.clauses.length === 1) return false;
  const names = namesOf(c, e.clauses[i]!.target);
  return e.clauses.some((other, k) => k !== i && [...namesOf(c, other.target)].some((name) => names.has(name)));
}

function namesOf(c: Cx, target: ast.Expression): Set<string> {
  const names = new Set<string>();
  for (const e of namesOfTarget(target)) {
    const binding = c.u.names.binding(e);
    if (binding.sort === 'local') names.add(c.u.renamed.get(binding) ?? identifier(binding.name));
  }
  return names;
}

// Targets get names of their own: the source of the first clause is written in the same function as they are.
function renameTargets(c: Cx, e: ast.Comprehension): void {
  for (const binding of c.u.names.scope(e).locals.values()) {
    c.u.serial += 1;
    c.u.renamed.set(binding, `${binding.name}$${c.u.serial}`);
  }
}

// The first source is evaluated at once, the rest when the generator runs.
function generator(c: Cx, e: ast.Comprehension): string {
  const isAsync = c.u.types.suspends(e);
  const first = e.clauses[0]!;
  const source = expr(c, first.iter);
  const inner = nested(c, isAsync, 'plain', { canSuper: false });
  c.u.computed.set(first.iter, '$it');
  const text = indented(inner, () => {
    renameTargets(inner, e);
    const body = loops(inner, e, 0, () => line(inner, `yield ${expr(inner, e.value)};`));
    const temps = tempList(inner);
    return (temps.length > 0 ? line(inner, `let ${temps.join(', ')};`) : '') + body;
  });
  c.u.computed.delete(first.iter);
  const receiver = c.self === 'this' ? 'this' : 'null';
  return `${mark(c, e)}$.${isAsync ? 'agen' : 'gen'}((${isAsync ? 'async ' : ''}function* ($it) {${text}${newline(c)}}).call(${receiver}, $.${
    isAsync ? 'aiter' : 'iter'
  }(${source})))`;
}
