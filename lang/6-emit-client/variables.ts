/**
 * Places where variables of a function are declared. JavaScript declares them in blocks, the language in functions: a variable whose uses all lie
 * in one block and that an assignment there begins with is declared by that assignment, any other at the head of the function.
 */
import type * as ast from '../1-parse/ast.ts';
import { leftOf } from '../1-parse/spines.ts';
import { forEachChild, walkInOrder } from '../2-resolve/children.ts';
import type { LocalBinding, Names, Scope } from '../2-resolve/names.ts';
import { targetNames } from './targets.ts';

export interface Variables {
  /** Variables to declare at the head. */
  readonly hoisted: readonly LocalBinding[];
  /** Statements (assignments, loops, `except` clauses) that declare a variable, by variable. */
  readonly declaredAt: ReadonlyMap<LocalBinding, ReadonlySet<ast.Node>>;
  /** Variables that more than one place gives a value. */
  readonly changed: ReadonlySet<LocalBinding>;
}

/** A body is a list of statements, or the statement around it where its head can declare. */
type Body = readonly ast.Node[] | ast.Node;

/** A place that names a variable. `by`: the statement that gives it a value there and may declare it in `home`. */
interface Occurrence {
  readonly path: readonly Body[];
  readonly by: ast.Node | undefined;
  readonly home: Body | undefined;
}

/** Finds the place of every variable that belongs to `scope`, in the statements of its function. `cells`: its items of `has` that are state of React. */
export function placeVariables(
  names: Names,
  scope: Scope,
  body: readonly ast.Node[],
  cells: ReadonlySet<ast.Node> = new Set(),
): Variables {
  const isVariable = ({ role, decl }: LocalBinding) => role === 'local' && (decl === undefined || !cells.has(decl));
  const own = new Set<LocalBinding>([...scope.locals.values()].filter(isVariable));
  if (own.size === 0) return { hoisted: [], declaredAt: new Map(), changed: new Set() };
  const s: Search = { names, own, seen: new Map(), given: new Map() };
  visitAll(s, body, [body]);
  const hoisted: LocalBinding[] = [];
  const declaredAt = new Map<LocalBinding, ReadonlySet<ast.Node>>();
  const changed = new Set<LocalBinding>();
  for (const [binding, occurrences] of s.seen) {
    const declaring = binding.mayBeUnbound ? undefined : declarations(occurrences);
    if (declaring === undefined) hoisted.push(binding);
    else declaredAt.set(binding, declaring);
    if ((s.given.get(binding) ?? 0) > (declaring?.size ?? 0)) changed.add(binding);
  }
  return { hoisted, declaredAt, changed };
}

/** Statements that can declare a variable: each occurrence lies in the body of the last of them. Undefined where one does not. */
function declarations(occurrences: readonly Occurrence[]): ReadonlySet<ast.Node> | undefined {
  const found = new Set<ast.Node>();
  let home: Body | undefined;
  for (const one of occurrences) {
    if (home !== undefined && one.path.includes(home)) continue;
    if (one.by === undefined || one.home === undefined) return undefined;
    found.add(one.by);
    home = one.home;
  }
  return found;
}

interface Search {
  readonly names: Names;
  readonly own: ReadonlySet<LocalBinding>;
  readonly seen: Map<LocalBinding, Occurrence[]>;
  /** Number of places that give a variable its value. */
  readonly given: Map<LocalBinding, number>;
}

function give(s: Search, node: ast.NameRef | ast.Name): void {
  const binding = s.names.binding(node);
  if (binding.sort === 'local') s.given.set(binding, (s.given.get(binding) ?? 0) + 1);
}

function visitAll(s: Search, list: readonly ast.Node[], path: readonly Body[]): void {
  for (const node of list) visit(s, node, path);
}

function visit(s: Search, node: ast.Node, path: readonly Body[]): void {
  switch (node.kind) {
    case 'NameRef':
    case 'Name':
      note(s, node, path, undefined, undefined);
      return;
    case 'Block':
      visitAll(s, node.statements, [...path, node.statements]);
      return;
    case 'AssignStatement': {
      if (node.value !== undefined) visit(s, node.value, path);
      const [target] = node.targets;
      const isPlain = node.targets.length === 1 && target !== undefined;
      for (const one of node.targets) {
        for (const name of targetNames(one)) give(s, name);
        const bound = isPlain && allNames(one) ? targetNames(one) : [];
        for (const name of bound) note(s, name, path, node, path.at(-1));
        if (bound.length === 0) visit(s, one, path);
      }
      return;
    }
    case 'ForIn': {
      visit(s, node.iter, path);
      const inside: readonly Body[] = [...path, node];
      for (const name of targetNames(node.target)) give(s, name);
      if (allNames(node.target)) for (const name of targetNames(node.target)) note(s, name, inside, node, node);
      else visit(s, node.target, path);
      visitAll(s, node.body.statements, [...inside, node.body.statements]);
      if (node.orElse !== undefined) visit(s, node.orElse, path);
      return;
    }
    case 'ForCount': {
      const inside: readonly Body[] = [...path, node];
      if (node.init.value !== undefined) visit(s, node.init.value, inside);
      for (const one of node.init.targets) {
        for (const name of targetNames(one)) give(s, name);
        if (one.kind === 'NameRef') note(s, one, inside, node, node);
        else visit(s, one, inside);
      }
      visit(s, node.test, inside);
      visit(s, node.step, inside);
      visit(s, node.body, inside);
      if (node.orElse !== undefined) visit(s, node.orElse, path);
      return;
    }
    case 'ExceptClause': {
      const inside: readonly Body[] = [...path, node];
      // `except e { }`: the name is the variable.
      if (node.name === undefined && node.type?.kind === 'NameRef') note(s, node.type, inside, node, node);
      else if (node.type !== undefined) visit(s, node.type, path);
      if (node.name !== undefined) note(s, node.name, inside, node, node);
      visitAll(s, node.body.statements, [...inside, node.body.statements]);
      return;
    }
    case 'AugAssign':
      if (node.target.kind === 'NameRef') give(s, node.target);
      visit(s, node.target, path);
      visit(s, node.value, path);
      return;
    case 'Walrus':
      give(s, node.name);
      visit(s, node.value, path);
      note(s, node.name, path, undefined, undefined);
      return;
    case 'MarkupSlot':
      if (node.expr !== undefined) visit(s, node.expr, path);
      if (node.statements !== undefined) visitAll(s, node.statements, [...path, node.statements]);
      return;
    case 'SwitchCase':
    case 'MatchCase':
      // Their bodies share one scope of JavaScript, or test before they bind.
      forEachChild(node, (child) => visit(s, child, path));
      return;
    case 'IfStatement': {
      let other: ast.IfStatement['orElse'] = node;
      for (; other?.kind === 'IfStatement'; other = other.orElse) {
        visit(s, other.test, path);
        visit(s, other.body, path);
      }
      if (other !== undefined) visit(s, other, path);
      return;
    }
    default:
      walkInOrder(node, (part) => {
        if (part === node || leftOf(part as ast.Expression) !== undefined) return true;
        visit(s, part, path);
        return false;
      });
  }
}

/** Can JavaScript take it apart in a declaration? A rest stands at the end there. */
function allNames(target: ast.Expression): boolean {
  if (target.kind === 'NameRef') return true;
  if (target.kind !== 'TupleExpr' && target.kind !== 'ListExpr') return false;
  return target.items.every((item, i) =>
    item.kind === 'Starred' ? i === target.items.length - 1 && allNames(item.expr) : allNames(item),
  );
}

function note(
  s: Search,
  node: ast.NameRef | ast.Name,
  path: readonly Body[],
  by: ast.Node | undefined,
  home: Body | undefined,
): void {
  const binding = s.names.binding(node);
  if (binding.sort !== 'local' || !s.own.has(binding)) return;
  const found = s.seen.get(binding);
  if (found === undefined) s.seen.set(binding, [{ path, by, home }]);
  else found.push({ path, by, home });
}
