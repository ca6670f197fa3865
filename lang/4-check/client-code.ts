import type * as ast from '../1-parse/ast.ts';
import { leftOf } from '../1-parse/spines.ts';
import { forEachChild } from '../2-resolve/children.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * Mistakes in client code that its text alone shows (docs/language/lexical.md#reserved-words,
 * docs/language/client.md#components, docs/language/client.md#state, docs/language/client.md#slots,
 * docs/language/values.md#integers, docs/language/python.md#divergences).
 */
export const clientCodeRule: Rule = {
  name: 'client-code',
  module(c) {
    visitElements(c, c.module.tree.body);
  },
};

function visitElements(c: RuleContext, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'PlacedBlock') visitElements(c, element.body);
    else if (c.names.isClient(element) && !c.names.isServer(element)) {
      c.source = c.module.sourceOf(element);
      visit(c, element, outside);
    }
  }
}

/** Place of a node in a function. `isMethod`: `self` is an object; else `component` is the outermost function. */
interface Place {
  readonly at: 'top' | 'nested' | 'slot' | 'outside';
  readonly isMethod: boolean;
  readonly component?: ast.FunctionDecl;
  /** Is it an argument of `translate`, or looked up where it is written? */
  readonly isTable?: boolean;
}

const outside: Place = { at: 'outside', isMethod: false };

function visit(c: RuleContext, node: ast.Node, place: Place): void {
  report(c, node, place);
  if (node.kind === 'FunctionDecl' && node.body.kind === 'Block') visitFunction(c, node, node.body, place);
  else if (node.kind === 'Archetype') forEachChild(node, (child) => visit(c, child, { at: 'outside', isMethod: true }));
  else if (node.kind === 'Lambda') forEachChild(node, (child) => visit(c, child, { ...place, at: 'outside' }));
  // A number finds the text that it became: tables of `translate`, and `{1: "low"}[n]`, have numbers for keys on purpose.
  else if (
    (node.kind === 'Call' && node.callee.kind === 'Attribute' && node.callee.name.text === 'translate') ||
    (node.kind === 'Index' && node.object.kind === 'DictExpr')
  )
    visitParts(c, node, { ...place, isTable: true });
  else if (node.kind === 'MarkupSlot') forEachChild(node, (child) => visit(c, child, { ...place, at: 'slot' }));
  else {
    const inside = node.kind === 'Block' && place.at === 'top' ? { ...place, at: 'nested' as const } : place;
    visitParts(c, node, inside);
  }
}

/** The part a chain goes on with: the operand on the left, or the next `elif`. */
function nextOf(node: ast.Node): ast.Node | undefined {
  if (node.kind === 'IfStatement') return node.orElse?.kind === 'IfStatement' ? node.orElse : undefined;
  return leftOf(node as ast.Expression);
}

/** Chains that grow to the left, and those of `elif`, may be longer than the stack is deep. */
function visitParts(c: RuleContext, node: ast.Node, place: Place): void {
  let at = node;
  for (let next = nextOf(at); next !== undefined; next = nextOf(next)) {
    const skipped = next;
    forEachChild(at, (child) => {
      if (child !== skipped) visit(c, child, place);
    });
    at = next;
    if (nextOf(next) === undefined) visit(c, next, place);
    else report(c, next, place);
  }
  if (at === node) forEachChild(node, (child) => visit(c, child, place));
}

function visitFunction(c: RuleContext, node: ast.FunctionDecl, body: ast.Block, place: Place): void {
  forEachChild(node.signature, (child) => visit(c, child, { ...place, at: 'outside' }));
  const inside: Place = place.isMethod ? { ...place, at: 'outside' } : { component: node, ...place, at: 'top' };
  for (const statement of body.statements) visit(c, statement, inside);
  const last = body.statements.at(-1);
  if (last?.kind === 'ExprStatement' && last.semicolon && last.expr.kind === 'Markup') c.report('W0631', last.expr);
}

function report(c: RuleContext, node: ast.Node, { at, isMethod, component, isTable }: Place): void {
  switch (node.kind) {
    case 'HasDecl':
      if (at === 'nested') c.report('E0603', node, {}, { help: 'declare it at the top of the function' });
      if (at === 'slot') c.report('E0604', node, {}, { help: 'declare it at the top of the function' });
      return;
    case 'Ability':
      if (node.name === undefined && node.body.kind === 'NoBody')
        c.report('W0514', node, { what: 'can with' }, { help: noBody });
      return;
    case 'ReturnStatement':
      if (at === 'slot') c.report('E0605', node, {}, { help: '`skip;` ends the slot' });
      return;
    case 'ForIn':
    case 'ForCount':
    case 'WhileStatement':
      if (at === 'slot' && node.body.statements.some(isWithoutKey))
        c.report('W0634', { start: node.start, end: node.body.start });
      return;
    case 'MarkupSlot':
      if (node.expr !== undefined) reportList(c, node.expr);
      return;
    case 'NumberLiteral':
      if (typeof node.value === 'bigint') c.report('W0406', node);
      return;
    case 'DictExpr':
      if (isTable === true) return;
      for (const { key } of node.entries)
        if (key?.kind === 'NumberLiteral' || key?.kind === 'Constant') c.report('W0644', key);
      return;
    case 'NameRef': {
      const instead = constants.get(node.name);
      if (instead !== undefined && c.names.binding(node).sort === 'unresolved')
        c.report('W0133', node, { name: node.name, instead });
      return;
    }
    case 'Attribute':
      if (at !== 'outside' && !isMethod && node.object.kind === 'SpecialRef' && node.object.word === 'self')
        if (isKnown(c, node.name.text, component)) c.report('W0633', node, { name: node.name.text });
      return;
    default:
  }
}

/** Is it a name of the component or of the module? Others are members of the browser's `self`. */
function isKnown({ names }: RuleContext, name: string, component: ast.FunctionDecl | undefined): boolean {
  return names.bindings.has(name) || (component !== undefined && names.scope(component).locals.has(name));
}

const noBody = 'nothing can give it a body later: write `can with … { … }`';

const constants: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]);

/** A list of elements that is a child: `[<b/> for x in xs]`, `xs.map(lambda x { return <b/>; })`. */
function reportList(c: RuleContext, e: ast.Expression): void {
  if (e.kind === 'Logical') reportList(c, e.right);
  else if (e.kind === 'Conditional') for (const branch of [e.then, e.orElse]) reportList(c, branch);
  else if (e.kind === 'Comprehension' && e.sort !== 'dict') {
    if (isMarkupWithoutKey(e.value)) c.report('W0634', e.value);
  } else if (e.kind === 'Call' && e.callee.kind === 'Attribute' && e.callee.name.text === 'map') {
    const [first] = e.args;
    if (first?.value.kind !== 'Lambda') return;
    const { body } = first.value;
    const last = body.kind === 'Block' ? body.statements.at(-1) : undefined;
    const given = body.kind === 'Block' ? last?.kind === 'ReturnStatement' && last.value : body;
    if (given && isMarkupWithoutKey(given)) c.report('W0634', given);
  }
}

function isWithoutKey(statement: ast.Statement): boolean {
  return statement.kind === 'ExprStatement' && isMarkupWithoutKey(statement.expr);
}

function isMarkupWithoutKey(e: ast.Expression): boolean {
  return e.kind === 'Markup' && !e.attributes.some(({ name }) => name === 'key' || name === undefined);
}
