import type * as ast from '../1-parse/ast.ts';
import { believed, membersOf } from '../3-infer/classes/type-values.ts';
import { calledFunction } from '../3-infer/foreign/claims.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0311 and W0312: `asyncio.run` in an `async def`, which runs in a loop already, and functions that wait given to JavaScript, which gets a
 * promise of them (D-18, decisions/0291); threads, which are cooperative (D-19).
 */
export const blockingRule: Rule = { name: 'blocking', visit: { Call: visit } };

function visit(node: ast.Call, c: RuleContext): void {
  const plan = c.types.callPlan(node);
  if (plan.how === 'dynamic') visitArguments(node, c);
  if (plan.how !== 'std') return;
  if (plan.module === 'threading' && plan.name === 'Thread') c.report('W0312', node.callee);
  if (plan.module === 'asyncio' && plan.name === 'run' && c.fn?.info.async === true)
    c.report('W0311', node.callee, { f: 'asyncio.run' }, { help: 'write `await`' });
}

const help = 'JavaScript gets a promise of it, not its result: call it before and give what it gave, or write a loop';

function visitArguments(node: ast.Call, c: RuleContext): void {
  for (const [at, { sort, value }] of node.args.entries()) {
    if (sort !== 'positional') return;
    if (waitsWhenCalled(value, c) && wantsResult(node.callee, at, c))
      c.report('W0311', value, { f: nameOf(value, c) }, { help });
  }
}

/** A function of the program whose author wrote a plain one, and something in it waits. */
function waitsWhenCalled(value: ast.Expression, c: RuleContext): boolean {
  if (
    value.kind !== 'Lambda' &&
    value.kind !== 'FunctionExpr' &&
    value.kind !== 'NameRef' &&
    value.kind !== 'Attribute'
  )
    return false;
  const type = c.typeOf(value);
  const decl = type.t === 'function' || type.t === 'method' ? type.fn.decl : undefined;
  const record = decl === undefined ? undefined : c.types.functionRecord(decl);
  return record?.point.suspends === true && !record.info.async && !record.info.generator;
}

/**
 * Does the callee, a function of JavaScript, use the result of a function that is given at this place? One without
 * declarations is taken to, unless the program awaits its result: a callee that gives a promise can wait for its
 * callbacks too.
 */
function wantsResult(callee: ast.Expression, at: number, c: RuleContext): boolean {
  const type = believed(c.typeOf(callee));
  const called = calledFunction(type);
  if (called === undefined) return type.t === 'any' && c.parent.kind !== 'Await' && isUndeclared(callee, c);
  const wanted = called.parametersAt(at).flatMap(membersOf);
  const callbacks = wanted.flatMap((one) => calledFunction(one) ?? []);
  return callbacks.length > 0 && wanted.every(({ t }) => t !== 'any') && callbacks.every((one) => one.givesNoPromise);
}

/** Modules of Node that take callbacks, by the names they may have without `node:`. They only tell those something, and hand on nothing. */
const nodeModules = new Set(
  'child_process cluster crypto dgram dns events fs http http2 https net process readline stream timers tls worker_threads zlib'.split(
    ' ',
  ),
);

/** An import of JavaScript without declarations, or a member of one. */
function isUndeclared(callee: ast.Expression, c: RuleContext): boolean {
  const name = callee.kind === 'Attribute' ? callee.object : callee;
  if (name.kind !== 'NameRef') return false;
  const binding = c.names.binding(name);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  return target?.of === 'js' && !/^node:/.test(target.specifier) && !nodeModules.has(target.specifier);
}

function nameOf(value: ast.Expression, c: RuleContext): string {
  return value.kind === 'NameRef' || value.kind === 'Attribute'
    ? c.source.text.slice(value.start, value.end)
    : 'lambda';
}
