/**
 * Sums in loops: `for x in xs { total += x; }` where nothing is known of `x` (decisions/0341). While the loop runs, such a variable is kept on two paths: as the
 * value that it is, or, once it is a float, as a bare number beside it, so that no box and no heap number is made in each round. Behind the loop
 * the variable has its value again. That nobody sees the difference is asked of the tree: in the loop the variable stands only left of
 * `+=`, `-=` and `*=`, no closure has it, and no `try` or `with` of the function could read it after a failure.
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import { type Cx, line, mark, temp, unique } from './context.ts';
import { interval } from './integers.ts';
import { holdsBare, isBareFloat, mainTypeOf } from './kinds.ts';
import { localCode } from './names.ts';
import { operands } from './operators.ts';

/** Variables of a sum: whether it is on the bare path, and its number there. */
export interface SumPath {
  readonly isBare: string;
  readonly number: string;
}

const helpers: Readonly<Record<string, string>> = { '+': 'iadd', '-': 'isub', '*': 'imul' };

/** Emits a loop; the variables that it sums up are on two paths in it. */
export function withSums(c: Cx, loop: ast.ForIn | ast.WhileStatement, emit: () => string): string {
  const { sums } = c.u;
  const own = sumsOf(c, loop);
  for (const binding of own) sums.set(binding, { isBare: unique(c.u, 'k'), number: unique(c.u, 'd') });
  const paths = own.map((binding) => ({ code: localCode(c.u, binding), ...sums.get(binding)! }));
  const text = emit();
  for (const binding of own) sums.delete(binding);
  const head = paths.map(({ isBare, number }) => line(c, `let ${isBare} = false, ${number} = 0;`));
  const tail = paths.map(({ isBare, number, code }) => line(c, `if (${isBare}) ${code} = $.f(${number});`));
  return head.join('') + text + tail.join('');
}

/** Emits `total += x` on both paths; undefined for a variable that is on none. */
export function sumStatement(c: Cx, s: ast.AugAssign): string | undefined {
  if (c.u.sums.size === 0 || s.target.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(s.target);
  const path = binding.sort === 'local' ? c.u.sums.get(binding) : undefined;
  if (path === undefined) return undefined;
  const { isBare, number } = path;
  const { before, left, right } = operands(c, s.target, s.value);
  const [result, given] = [temp(c), temp(c)];
  const areInts = `typeof ${left} === "number" && typeof ${right} === "number" && ((${result} = ${left} ${s.op} ${right}) | 0) === ${result}`;
  const areWords = `(${left} | 0) === ${left} && (${right} | 0) === ${right}`;
  const isNumber = `${isBare} && typeof (${given} = typeof ${right} === "number" ? ${right} : $.bare(${right})) === "number"`;
  const slow = `${left} = ${mark(c, s)}$.${helpers[s.op]}(${isBare} ? $.f(${number}) : ${left}, ${right});`;
  return (
    (before === '' ? '' : line(c, `${mark(c, s)}${before.slice(0, -2)};`)) +
    line(c, `if (!${isBare} && ${areInts} && ${areWords}) ${left} = ${result};`) +
    line(c, `else if (${isNumber}) ${number} ${s.op}= ${given};`) +
    line(c, `else { ${slow} if ((${isBare} = $.isOwnFloat(${left}))) ${number} = $.bare(${left}); }`)
  );
}

/** The variables that a loop does nothing with but summing up values of unknown kind. */
function sumsOf(c: Cx, loop: ast.ForIn | ast.WhileStatement): readonly LocalBinding[] {
  const found = new Set<LocalBinding>();
  const others = new Set<string>();
  const waiting: ast.Node[] = [loop];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const binding = node.kind === 'AugAssign' ? summed(c, node) : undefined;
    if (binding !== undefined) {
      found.add(binding);
      waiting.push((node as ast.AugAssign).value);
      continue;
    }
    if (node.kind === 'NameRef') others.add(node.name);
    else if (node.kind === 'Name') others.add(node.text);
    forEachChild(node, (child) => waiting.push(child));
  }
  const isSeen = (name: string) => others.has(name) || others.has('locals') || others.has('vars') || others.has('eval');
  return [...found].filter((binding) => !isSeen(binding.name));
}

/** The variable of `total += x`, when it may be on two paths. */
function summed(c: Cx, s: ast.AugAssign): LocalBinding | undefined {
  if (helpers[s.op] === undefined || s.target.kind !== 'NameRef' || c.scope === undefined) return undefined;
  const binding = c.u.names.binding(s.target);
  if (binding.sort !== 'local' || binding.role !== 'local' || binding.scope !== c.scope) return undefined;
  if (binding.captured || binding.mayBeUnbound || holdsBare(c, binding) || c.u.sums.has(binding)) return undefined;
  if (!isOpen(c, s.target) || !isOpen(c, s.value) || isBareFloat(c, s.value)) return undefined;
  if (isInt(c, s.target) && isInt(c, s.value)) return undefined;
  return c.u.types.waits(s) || hasHandlers(c.scope.node as ast.Node) ? undefined : binding;
}

const openKinds = new Set(['any', 'int', 'float', 'bool', 'union', 'none']);

/** May it be a float, as far as its type goes? */
const isOpen = (c: Cx, e: ast.Expression): boolean => openKinds.has(mainTypeOf(c, e).t);

const isInt = (c: Cx, e: ast.Expression): boolean => interval(c, e) !== undefined || mainTypeOf(c, e).t === 'int';

const hasHandlers = (node: ast.Node): boolean =>
  containsNode(node, ({ kind }) => kind === 'TryStatement' || kind === 'WithStatement');
