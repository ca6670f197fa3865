import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { isComponent, opensFunction } from '../2-resolve/components.ts';
import { deferring } from '../2-resolve/deferred-calls.ts';
import type { Rule, RuleContext } from './rule.ts';
import { cellsOf } from './state-cells.ts';

/** E0606: a component that waits; W0643: what an asynchronous function gives is used as if it were there. */
export const clientWaitingRule: Rule = {
  name: 'client-waiting',
  half: 'client',
  visit: { FunctionDecl: visitFunction, ImplDecl: visitImpl, Call: visitCall },
};

function visitFunction(node: ast.FunctionDecl, c: RuleContext): void {
  if (c.owner === undefined && node.body.kind === 'Block' && isComponent(node)) checkComponent(node, node.body, c);
}

function visitImpl(node: ast.ImplDecl, c: RuleContext): void {
  const decl = c.names.declOf(node);
  if (decl?.kind === 'FunctionDecl' && node.body.block !== undefined && isComponent(decl))
    checkComponent(decl, node.body.block, c);
}

function checkComponent(decl: ast.FunctionDecl, body: ast.Block, c: RuleContext): void {
  const at = waitIn(body, c) ?? (decl.mods.async ? (decl.name ?? decl) : undefined);
  const help = 'wait in `async can with entry { … }`, and keep what comes in the state';
  if (at !== undefined) c.report('E0606', at, {}, { help });
}

/** The first thing that a body itself waits for. */
function waitIn(body: ast.Node, c: RuleContext): ast.Node | undefined {
  const waiting: ast.Node[] = childrenOf(body);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'Await' || (node.kind === 'Spawn' && isAsked(node, c))) return node;
    if ((node.kind === 'ForIn' || node.kind === 'WithStatement' || node.kind === 'CompClause') && node.async)
      return node;
    if (node.kind === 'Call' && deferring(c.names, node) !== undefined) waiting.push(...node.args.slice(1));
    else if (node.kind === 'MarkupSlot' || !opensFunction(node))
      for (const child of childrenOf(node)) waiting.push(child);
  }
  return undefined;
}

/** Children, the first of them last. */
function childrenOf(node: ast.Node): ast.Node[] {
  const children: ast.Node[] = [];
  forEachChild(node, (child) => children.push(child));
  return children.reverse();
}

/** Is the walk one of the server? */
function isAsked({ left, right }: ast.Spawn, c: RuleContext): boolean {
  return [left, right].every((side) => {
    const type = side && c.typeOf(side);
    return !(
      (type?.t === 'instance' || type?.t === 'class') &&
      type.cls.kind === 'walker' &&
      isOfClient(type.cls.decl, c)
    );
  });
}

function isOfClient(decl: ast.Node | undefined, c: RuleContext): boolean {
  return decl !== undefined && c.client?.plan.isHere(decl) === true;
}

function visitCall(node: ast.Call, c: RuleContext): void {
  const f = isUsedAtOnce(node, c) ? answeringLater(node, c) : undefined;
  if (f !== undefined) c.report('W0643', node.callee, { f }, { help: `write \`await ${f}(…)\`` });
}

/** Gives the name of the function that is called, where the call gives a promise. */
export function answeringLater({ callee }: ast.Call, c: RuleContext): string | undefined {
  const decl = callee.kind === 'NameRef' ? functionOf(callee, c) : undefined;
  return callee.kind === 'NameRef' && decl !== undefined && answersLater(decl, c) ? callee.name : undefined;
}

function functionOf(callee: ast.NameRef, c: RuleContext): ast.FunctionDecl | undefined {
  const binding = c.names.binding(callee);
  if (binding.sort === 'local') {
    if (binding.role !== 'def' || binding.reassigned) return undefined;
    return binding.decl?.kind === 'FunctionDecl' ? binding.decl : undefined;
  }
  if (binding.sort !== 'module') return undefined;
  const declared = binding.role === 'import' ? c.projectNames.follow(binding) : binding;
  return declared?.decl?.kind === 'FunctionDecl' && !declared.reassigned ? declared.decl : undefined;
}

/** A function of the server, or one of the browser that waits itself. */
function answersLater(decl: ast.FunctionDecl, c: RuleContext): boolean {
  if (
    decl.decorators.some(
      (one) => one.kind !== 'Call' || one.callee.kind !== 'NameRef' || one.callee.name !== 'restspec',
    )
  )
    return false;
  const isNested = decl.name !== undefined && c.names.binding(decl.name).sort === 'local';
  if (!isNested && !isOfClient(decl, c)) return true;
  if (decl.mods.async) return true;
  const body = c.names.implOf(decl)?.body ?? decl.body;
  return waitIn(body, c) !== undefined;
}

/** Members of a promise. */
const promised: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

function isUsedAtOnce(node: ast.Call, c: RuleContext): boolean {
  const { parent } = c;
  switch (parent.kind) {
    case 'Binary':
    case 'Compare':
    case 'FormatPart':
      return true;
    case 'MarkupSlot':
      return parent.expr === node;
    case 'Attribute':
      return parent.object === node && !promised.has(parent.name.text);
    case 'Index':
      return parent.object === node;
    case 'IfStatement':
    case 'Conditional':
      return parent.test === node;
    case 'ForIn':
      return parent.iter === node && !parent.async;
    case 'AssignStatement':
      return parent.targets.some((target) => isCell(target, c));
    default:
      return false;
  }
}

function isCell(target: ast.Expression, c: RuleContext): boolean {
  const binding = target.kind === 'NameRef' ? c.names.binding(target) : undefined;
  return binding?.sort === 'local' && cellsOf(c).has(binding);
}
