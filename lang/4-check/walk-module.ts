/** One walk over a module for all rules together. */
import type * as ast from '../1-parse/ast.ts';
import type { ClassRecord, FunctionNode } from '../3-infer/program.ts';
import { childrenOf, type Walker } from './children-of.ts';
import type { RuleContext } from './rule.ts';
import type { VisitorTable } from './visitor-table.ts';

/** Visits every node of the elements of a half, outer before inner. What both halves use is visited with the server's. */
export function walkModule(c: RuleContext, visitors: VisitorTable): void {
  let depth = 0;
  const postponed: (() => void)[] = [];
  const walk = (node: ast.Node): void => {
    if (depth < maxDepth) {
      depth++;
      walkNode(node);
      depth--;
      return;
    }
    const { parent, fn, owner, source } = c;
    postponed.push(() => {
      Object.assign(c, { parent, fn, owner, source });
      walk(node);
    });
  };
  const walkNode = (node: ast.Node): void => {
    const { kind } = node;
    const visit = visitors.get(kind);
    if (visit !== undefined) for (let i = 0; i < visit.length; i++) visit[i]!(node as never, c);
    const go = childrenOf.get(kind);
    if (go === undefined) return;
    const { parent } = c;
    if (scopeKinds.has(kind)) {
      const { fn, owner } = c;
      enter(c, node);
      c.parent = node;
      go(node as never, walker);
      c.fn = fn;
      c.owner = owner;
    } else {
      c.parent = node;
      go(node as never, walker);
    }
    c.parent = parent;
  };
  const walker: Walker = {
    one: walk,
    maybe(node) {
      if (node !== undefined) walk(node);
    },
    all(nodes) {
      for (let i = 0; i < nodes.length; i++) walk(nodes[i]!);
    },
  };
  walkElements(c, walk, c.module.tree.body);
  for (let next = postponed.pop(); next !== undefined; next = postponed.pop()) next();
}

function walkElements(c: RuleContext, walk: (node: ast.Node) => void, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'PlacedBlock') walkElements(c, walk, element.body);
    else if (isOfHalf(element, c)) {
      c.source = c.module.sourceOf(element);
      c.parent = c.module.tree;
      walk(element);
    }
  }
}

function isOfHalf(element: ast.Element, { names, half, client }: RuleContext): boolean {
  const decl = element.kind === 'ImplDecl' ? (names.declOf(element) ?? element) : element;
  const isClient =
    client !== undefined && (names.isServer(element) ? client.plan.isOnlyHere(decl) : client.plan.isHere(element));
  return half === 'client' ? isClient : names.isServer(element) && !isClient;
}

// Depth below which nodes (of long chains, mostly) are visited afterwards, with the stack empty again.
const maxDepth = 300;

const scopeKinds = new Set([
  'FunctionDecl',
  'Ability',
  'Accessor',
  'TestBlock',
  'Lambda',
  'ImplDecl',
  'Archetype',
  'EnumDecl',
]);

/** Functions and classes change where the walk is. */
function enter(c: RuleContext, node: ast.Node): void {
  switch (node.kind) {
    case 'FunctionDecl':
    case 'Ability':
    case 'Accessor':
    case 'TestBlock':
    case 'Lambda':
      enterFunction(c, node);
      return;
    case 'ImplDecl': {
      const decl = c.names.declOf(node);
      if (decl?.kind === 'Archetype') c.owner = c.types.classRecord(decl);
      else if (decl !== undefined) enterFunction(c, decl as FunctionNode);
      return;
    }
    case 'Archetype':
    case 'EnumDecl':
      c.owner = c.types.classRecord(node);
      c.fn = undefined;
      return;
    default:
  }
}

function enterFunction(c: RuleContext, node: FunctionNode): void {
  const record = c.types.functionRecord(node);
  if (record === undefined) return;
  c.fn = record;
  if (record.owner !== undefined) c.owner = record.owner as ClassRecord;
}
