import type * as ast from '../1-parse/ast.ts';
import { terminates } from '../2-resolve/reachability.ts';
import { believed, membersOf, none, typeText } from '../3-infer/classes/type-values.ts';
import type { Type } from '../3-infer/types.ts';
import { isCertain } from './attributes.ts';
import { type Misfit, misfit, suits, typeByText } from './known-values.ts';
import { neverReturns } from './never-returns.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0411: a value of the wrong built-in type is returned, or control runs off the end of a function that must give a value. */
export const resultRule: Rule = {
  name: 'results',
  half: 'both',
  visit: { FunctionDecl: visitFunction, ImplDecl: visitImpl, ReturnStatement: visitReturn, Block: visitBlock },
};

function visitFunction(node: ast.FunctionDecl, c: RuleContext): void {
  if (node.body.kind === 'Block') checkEnd(node, node.body, node.signature.result ?? node, c);
}

function visitImpl(node: ast.ImplDecl, c: RuleContext): void {
  const decl = c.names.declOf(node);
  if (decl?.kind !== 'FunctionDecl' || node.body.block === undefined) return;
  checkEnd(decl, node.body.block, node.target[node.target.length - 1] ?? node, c);
}

function checkEnd(decl: ast.FunctionDecl, block: ast.Block, span: ast.Span, c: RuleContext): void {
  const record = c.types.functionRecord(decl);
  const expected = record?.declaredResult;
  if (record === undefined || expected === undefined || record.info.generator || !mustGive(expected)) return;
  // An empty body is a placeholder, as is `...`, and one that ends in `match` may have covered every case.
  const last = block.statements[block.statements.length - 1];
  if (
    last === undefined ||
    block.tail !== undefined ||
    isPlaceholder(last) ||
    last.kind === 'MatchStatement' ||
    last.kind === 'SwitchStatement'
  )
    return;
  const trusted = { neverReturns: (e: ast.Expression) => neverReturns(e, c) };
  if (terminates(block, trusted) || c.module.reporterOf(c.source).isBroken(block)) return;
  reportResult(span, none, expected, c);
}

function isPlaceholder(statement: ast.Statement): boolean {
  if (statement.kind !== 'ExprStatement') return false;
  const { expr } = statement;
  return expr.kind === 'StringLiteral' || (expr.kind === 'Constant' && expr.value === 'ellipsis');
}

// A parameter, a variable or a call whose type follows from annotations: plain values only, a union may have been narrowed elsewhere.
function knownType(type: Type, expected: Type): Type | undefined {
  // A value that is a float in some of its branches may be an int in this one.
  if (type.t === 'float' && type.sure !== true && membersOf(expected).some(({ t }) => t === 'int')) return undefined;
  return plain.has(type.t) ? type : undefined;
}

const plain = new Set(['bool', 'int', 'float', 'str', 'bytes', 'list', 'dict', 'set', 'tuple', 'instance']);

/** Is None certainly not a value of this type? A component may show nothing. */
function mustGive(type: Type): boolean {
  return membersOf(type).every(
    (member) =>
      !['any', 'none', 'never', 'awaitable', 'iterator'].includes(member.t) &&
      !(member.t === 'instance' && member.cls.name === 'JsxElement'),
  );
}

function visitReturn(node: ast.ReturnStatement, c: RuleContext): void {
  const expected = c.fn?.declaredResult;
  if (expected === undefined || c.fn?.info.generator === true) return;
  if (node.value !== undefined) checkValue(expected, node.value, c);
  else if (mustGive(expected)) reportResult(node, none, expected, c);
}

/**
 * The tail expression of a function's body (docs/language/functions.md#results); where None is declared, a `;` may just
 * be left out.
 */
function visitBlock(node: ast.Block, c: RuleContext): void {
  const expected = c.fn?.declaredResult;
  const isBody = c.parent === c.fn?.node || c.parent.kind === 'ImplBody';
  if (node.tail === undefined || expected === undefined || !isBody || c.fn?.info.generator === true) return;
  if (expected.t !== 'none' && !isPlaceholder(node.tail)) checkValue(expected, node.tail.expr, c);
}

function checkValue(expected: Type, value: ast.Expression, c: RuleContext): void {
  if (value.kind === 'Conditional') {
    checkValue(expected, value.then, c);
    checkValue(expected, value.orElse, c);
    return;
  }
  const wrong = wrongValue(expected, value, c);
  if (wrong !== undefined) reportResult(wrong.at, wrong.actual, expected, c);
}

function reportResult(at: ast.Span, actual: Type, expected: Type, c: RuleContext): void {
  const said = { actual: typeText(actual), expected: typeText(expected) };
  const help = actual.t === 'none' ? `a result that may be missing is \`-> ${said.expected} | None\`` : undefined;
  c.report('E0411', at, said, { help });
}

function wrongValue(expected: Type, value: ast.Expression, c: RuleContext): Misfit | undefined {
  const type = c.typeOf(value);
  if (type.t === 'none' && isCertain(value, c)) return mustGive(expected) ? { at: value, actual: type } : undefined;
  if (typeByText(value, c) !== undefined) return misfit(expected, value, c);
  const actual = isOfRecord(value, c) ? undefined : knownType(believed(type), expected);
  return actual === undefined || suits(expected, actual, c) ? undefined : { at: value, actual };
}

/**
 * Tells whether a value is an item of a dict whose keys are known from where it was written: another name for the dict,
 * or a method, may have stored something else under the key.
 */
function isOfRecord(value: ast.Expression, c: RuleContext): boolean {
  if (value.kind !== 'Index') return false;
  const container = c.typeOf(value.object);
  return container.t === 'dict' && container.entries !== undefined;
}
