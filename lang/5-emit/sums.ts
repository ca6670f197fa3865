/**
 * Sums in loops: `for x in xs { total += x; }` where nothing is known of `x` (decisions/0341). While the loop runs, such a variable is kept on two paths: as the
 * value that it is, or, once it is a float, as a bare number beside it, so that no box and no heap number is made in each round. Behind the loop
 * the variable has its value again. That nobody sees the difference is asked of the tree: in the loop the variable stands only left of
 * `+=`, `-=` and `*=`, no closure has it, and no `try` or `with` of the function could read it after a failure.
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import { type Cx, line, unique } from './context.ts';
import { interval } from './integers.ts';
import { holdsBare, isBareFloat, mainTypeOf } from './kinds.ts';

/** Emits a loop; the variables that it sums up are on two paths in it. `augmented.ts` writes their `+=`. */
export function withSums(
  c: Cx,
  loop: ast.ForIn | ast.WhileStatement,
  codeOf: (binding: LocalBinding) => string,
  emit: () => string,
): string {
  const { sums } = c.u;
  const own = sumsOf(c, loop);
  for (const binding of own) sums.set(binding, { isBare: unique(c.u, 'k'), number: unique(c.u, 'd') });
  const paths = own.map((binding) => ({ code: codeOf(binding), ...sums.get(binding)! }));
  const text = emit();
  for (const binding of own) sums.delete(binding);
  const head = paths.map(({ isBare, number }) => line(c, `let ${isBare} = false, ${number} = 0;`));
  const tail = paths.map(({ isBare, number, code }) => line(c, `if (${isBare}) ${code} = $.f(${number});`));
  return head.join('') + text + tail.join('');
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
  if (!'+-*'.includes(s.op) || s.target.kind !== 'NameRef' || c.scope === undefined) return undefined;
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
