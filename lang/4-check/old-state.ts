import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild, walkInOrder } from '../2-resolve/children.ts';
import { opensFunction, setterOf } from '../2-resolve/components.ts';
import type { LocalBinding, ScopeNode } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';
import { cellsOf } from './state-cells.ts';

/**
 * W0646: a function reads a cell of state that it has assigned. It still has the value of the render that made the function (docs/language/client.md#state),
 * so what was assigned first is lost when the second assignment is made of it. So does what `setInterval` runs, each time.
 */
export const oldStateRule: Rule = {
  name: 'old-state',
  half: 'client',
  visit: {
    FunctionDecl: visitFunction,
    Lambda: visitFunction,
    Ability: (node, c) => {
      visitFunction(node, c);
      if (node.event.when === 'entry' && node.event.trigger === undefined) checkIntervals(node, c);
    },
    ImplDecl: visitFunction,
    Call: (node, c) => {
      const [effect, dependencies] = node.args;
      const isOnce = dependencies?.value.kind === 'ListExpr' && dependencies.value.items.length === 0;
      if (isOnce && node.callee.kind === 'NameRef' && node.callee.name === 'useEffect')
        checkIntervals(effect!.value, c);
    },
  },
};

/** Functions that an effect which is never renewed gives to `setInterval`: they never see a cell change. */
function checkIntervals(effect: ast.Node, c: RuleContext): void {
  const cells = cellsOf(c);
  if (cells.size === 0) return;
  const r: Reading = { c, isCell: (binding) => cells.has(binding), told: new Set() };
  walkInOrder(effect, (node) => {
    const isInterval = node.kind === 'Call' && node.callee.kind === 'NameRef' && node.callee.name === 'setInterval';
    const given = isInterval ? node.args[0]?.value : undefined;
    if (given?.kind === 'Lambda') walkInOrder(given, (one) => (checkGrowth(one, r), true));
    return given === undefined;
  });
}

/** `n = n + 1`, `n += 1` */
function checkGrowth(node: ast.Node, r: Reading): void {
  if (node.kind !== 'AssignStatement' && node.kind !== 'AugAssign') return;
  for (const target of node.kind === 'AugAssign' ? [node.target] : node.targets) {
    const cell = cellOf(target, r);
    if (cell === undefined) continue;
    const name = (target as ast.NameRef).name;
    const help = `each run sees the same value; \`${setterOf(name)}(lambda old: any -> any { return …; })\` is given the newest`;
    walkInOrder(node.kind === 'AugAssign' ? target : (node.value ?? target), (one) => {
      if (one.kind === 'NameRef' && r.c.names.binding(one) === cell) tell(one, new Set([cell]), r, help);
      return true;
    });
  }
}

type FunctionNode = Extract<ScopeNode, { kind: 'FunctionDecl' | 'Lambda' | 'Ability' | 'ImplDecl' }>;

interface Reading {
  readonly c: RuleContext;
  /** Tells whether a variable is a cell of state that a function around this one declares. */
  readonly isCell: (binding: LocalBinding) => boolean;
  /** Cells that this function was reported for: each once. */
  readonly told: Set<LocalBinding>;
}

function visitFunction(node: FunctionNode, c: RuleContext): void {
  const body = node.kind === 'ImplDecl' ? node.body.block : node.body;
  if (body?.kind !== 'Block' || cellsOf(c).size === 0) return;
  const own = c.names.scope(node);
  const isCell = (binding: LocalBinding) => binding.scope !== own && cellsOf(c).has(binding);
  follow(body, new Set(), { c, isCell, told: new Set() });
}

/** Follows the text in the order in which it runs. `assigned`: cells that have surely been assigned when control comes here. */
function follow(node: ast.Node, assigned: Set<LocalBinding>, r: Reading): void {
  if (opensFunction(node)) return;
  switch (node.kind) {
    case 'Block': {
      const inside = new Set(assigned);
      for (const statement of node.statements) follow(statement, inside, r);
      return;
    }
    case 'AssignStatement':
      if (node.value !== undefined) follow(node.value, assigned, r);
      for (const target of node.targets) assign(target, assigned, r);
      return;
    case 'AugAssign': {
      follow(node.target, assigned, r);
      follow(node.value, assigned, r);
      const cell = cellOf(node.target, r);
      if (cell !== undefined) assigned.add(cell);
      return;
    }
    case 'ForIn':
    case 'WhileStatement':
    case 'ForCount':
      followLoop(node, assigned, r);
      return;
    default:
      followParts(node, assigned, r);
  }
}

/** Assigns a target: a cell, or each of those that are taken apart. */
function assign(target: ast.Node, assigned: Set<LocalBinding>, r: Reading): void {
  const cell = cellOf(target, r);
  if (cell !== undefined) assigned.add(cell);
  else if (target.kind === 'TupleExpr' || target.kind === 'ListExpr')
    for (const item of target.items) assign(item, assigned, r);
  else follow(target, assigned, r);
}

function followParts(whole: ast.Node, assigned: Set<LocalBinding>, r: Reading): void {
  walkInOrder(whole, (node) => {
    if (node === whole || !(opensFunction(node) || statements.has(node.kind))) {
      if (node.kind === 'NameRef') tell(node, assigned, r);
      return true;
    }
    follow(node, assigned, r);
    return false;
  });
}

/** Kinds that `follow` knows by themselves. */
const statements: ReadonlySet<string> = new Set([
  'Block',
  'AssignStatement',
  'AugAssign',
  'ForIn',
  'WhileStatement',
  'ForCount',
]);

/** A second turn comes after the assignments of the first, unless a turn may be the last one. */
function followLoop(
  node: ast.ForIn | ast.WhileStatement | ast.ForCount,
  assigned: Set<LocalBinding>,
  r: Reading,
): void {
  const mayEnd = containsNode(
    node.body,
    (one) => one.kind === 'ReturnStatement' || (one.kind === 'CtrlStatement' && one.word === 'break'),
  );
  const inTurns = new Set(assigned);
  forEachChild(node, (child) => {
    if (child !== node.body) follow(child, assigned, r);
  });
  if (!mayEnd)
    for (const statement of node.body.statements) {
      const targets = statement.kind === 'AssignStatement' ? statement.targets : [];
      for (const target of statement.kind === 'AugAssign' ? [statement.target] : targets) {
        const cell = cellOf(target, r);
        if (cell !== undefined) inTurns.add(cell);
      }
    }
  follow(node.body, inTurns, r);
}

function cellOf(e: ast.Node, { c, isCell }: Reading): LocalBinding | undefined {
  const binding = e.kind === 'NameRef' ? c.names.binding(e) : undefined;
  return binding?.sort === 'local' && isCell(binding) ? binding : undefined;
}

function tell(
  node: ast.NameRef,
  assigned: ReadonlySet<LocalBinding>,
  { c, told }: Reading,
  help = `keep the new value in a variable: \`next = …; ${node.name} = next;\``,
): void {
  const binding = c.names.binding(node);
  if (binding.sort !== 'local' || !assigned.has(binding) || told.has(binding)) return;
  told.add(binding);
  c.report('W0646', node, { name: node.name }, { help });
}
