import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { isComponent, opensFunction } from '../2-resolve/components.ts';
import { runtimeMember } from '../2-resolve/deferred-calls.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0635: a hook of React (`use…`, a cell of state, an effect) that is not called in each render of its component in the same
 * order. React tells hooks apart by nothing else.
 */
export const hookRule: Rule = {
  name: 'hooks',
  half: 'client',
  visit: { FunctionDecl: (node, c) => checkBody(node, node.body, c), ImplDecl: visitImpl },
};

function visitImpl(node: ast.ImplDecl, c: RuleContext): void {
  const decl = c.names.declOf(node);
  if (decl?.kind === 'FunctionDecl' && node.body.block !== undefined) checkBody(decl, node.body.block, c);
}

function checkBody(decl: ast.FunctionDecl, body: ast.Node, c: RuleContext): void {
  if (body.kind !== 'Block' || c.owner !== undefined || !mayCallHooks(decl)) return;
  let returned = false;
  for (const statement of body.statements) {
    visit(statement, returned ? 'after an early `return`' : undefined, c);
    returned ||= containsReturn(statement);
  }
}

/** A component, or a hook of the program. */
function mayCallHooks(decl: ast.FunctionDecl): boolean {
  return isComponent(decl) || isHookName(decl.name?.text ?? '');
}

function isHookName(name: string): boolean {
  return /^use[A-Z0-9]/.test(name);
}

/** A node, and the words for a place that not every render comes to. */
type Visit = readonly [node: ast.Node, where: string | undefined];

function visit(statement: ast.Node, place: string | undefined, c: RuleContext): void {
  const waiting: Visit[] = [[statement, place]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, where] = next;
    tell(node, where, c);
    forEachChild(node, (child) => {
      const one = visitOf(child, node, where);
      if (one !== undefined) waiting.push(one);
    });
  }
}

function tell(node: ast.Node, where: string | undefined, c: RuleContext): void {
  const hook = where === undefined ? undefined : hookOf(node, c);
  // State in a nested block is E0603.
  if (hook === undefined || (node.kind === 'HasDecl' && (where === inCondition || where === inLoop))) return;
  const help = 'call it at the top of the component, before anything that may not run';
  c.report('W0635', node.kind === 'Call' ? node.callee : node, { h: hook, where: where! }, { help });
}

const inCondition = 'in a condition';
const inLoop = 'in a loop';
const inFunction = 'in a nested function';

function visitOf(child: ast.Node, node: ast.Node, where: string | undefined): Visit | undefined {
  switch (node.kind) {
    // Effects and classes have bodies of their own; a component or hook inside of another is looked at by itself.
    case 'Ability':
    case 'Archetype':
      return undefined;
    case 'FunctionDecl':
      return mayCallHooks(node) ? undefined : [child, inFunction];
    case 'Lambda':
      return [child, inFunction];
    case 'IfStatement':
    case 'Conditional':
    case 'Logical':
    case 'MatchStatement':
    case 'SwitchStatement':
      return [child, child === alwaysRun(node) ? where : (where ?? inCondition)];
    case 'ForIn':
    case 'CompClause':
      return [child, child === node.iter ? where : (where ?? inLoop)];
    case 'ForCount':
    case 'WhileStatement':
      return [child, where ?? inLoop];
    case 'Comprehension':
      return [child, child === node.clauses[0] ? where : (where ?? inLoop)];
    default:
      return [child, where];
  }
}

/** The part that runs whatever it gives. */
function alwaysRun(node: ast.Node): ast.Node | undefined {
  switch (node.kind) {
    case 'IfStatement':
    case 'Conditional':
      return node.test;
    case 'Logical':
      return node.left;
    case 'MatchStatement':
    case 'SwitchStatement':
      return node.subject;
    default:
      return undefined;
  }
}

function hookOf(node: ast.Node, c: RuleContext): string | undefined {
  if (node.kind === 'Ability') return 'effect';
  if (node.kind === 'HasDecl') return node.items[0]?.name.text;
  if (node.kind !== 'Call') return undefined;
  const { callee } = node;
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '';
  return isHookName(name) || runtimeMember(c.names, callee) === 'live' ? name : undefined;
}

function containsReturn(node: ast.Node): boolean {
  if (node.kind === 'ReturnStatement') return true;
  // An expression has no statements but those of functions in it.
  if (opensFunction(node) || 'semicolon' in node || node.kind === 'AssignStatement') return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= containsReturn(child);
  });
  return found;
}
