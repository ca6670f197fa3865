import type * as ast from '../1-parse/ast.ts';
import { forEachChild } from '../2-resolve/children.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0635: a hook of React (`use…`, a cell of state, an effect) that is not called in each render of its component in the same
 * order. React tells hooks apart by nothing else.
 */
export const hookRule: Rule = {
  name: 'hooks',
  half: 'client',
  checkOnly: true,
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

function visit(node: ast.Node, where: string | undefined, c: RuleContext): void {
  const hook = hookOf(node);
  if (hook !== undefined && where !== undefined && !isToldOtherwise(node, where)) {
    const help = 'call it at the top of the component, before anything that may not run';
    c.report('W0635', node.kind === 'Call' ? node.callee : node, { h: hook, where }, { help });
  }
  // Effects and other functions have bodies of their own.
  if (node.kind === 'Ability') return;
  if (node.kind === 'FunctionDecl') {
    // A component or hook inside of another is looked at by itself.
    if (!mayCallHooks(node)) visitParts(node, 'in a nested function', c);
    return;
  }
  switch (node.kind) {
    case 'Lambda':
      // `map(lambda x { return <Row/>; })` is a loop, and anything else runs later.
      visitParts(node, 'in a nested function', c);
      return;
    case 'Archetype':
      return;
    case 'IfStatement':
    case 'Conditional':
    case 'Logical':
    case 'MatchStatement':
    case 'SwitchStatement': {
      const always = alwaysRun(node);
      forEachChild(node, (child) => visit(child, child === always ? where : (where ?? 'in a condition'), c));
      return;
    }
    case 'ForIn':
    case 'ForCount':
    case 'WhileStatement':
    case 'Comprehension': {
      const always = node.kind === 'ForIn' ? node.iter : node.kind === 'Comprehension' ? node.clauses[0]?.iter : undefined;
      const inLoop = (child: ast.Node): void => {
        if (child === always) visit(child, where, c);
        else if (child.kind === 'CompClause') forEachChild(child, inLoop);
        else visit(child, where ?? 'in a loop', c);
      };
      forEachChild(node, inLoop);
      return;
    }
    default:
      visitParts(node, where, c);
  }
}

/** State in a nested block is E0603. */
function isToldOtherwise(node: ast.Node, where: string): boolean {
  return node.kind === 'HasDecl' && (where === 'in a condition' || where === 'in a loop');
}

function visitParts(node: ast.Node, where: string | undefined, c: RuleContext): void {
  forEachChild(node, (child) => visit(child, where, c));
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

function hookOf(node: ast.Node): string | undefined {
  if (node.kind === 'Ability') return 'effect';
  if (node.kind === 'HasDecl') return node.items[0]?.name.text;
  if (node.kind !== 'Call') return undefined;
  const { callee } = node;
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '';
  return isHookName(name) ? name : undefined;
}

function containsReturn(node: ast.Node): boolean {
  if (node.kind === 'ReturnStatement') return true;
  if (['FunctionDecl', 'Lambda', 'Ability', 'Archetype', 'FunctionExpr', 'MarkupSlot'].includes(node.kind)) return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= containsReturn(child);
  });
  return found;
}
