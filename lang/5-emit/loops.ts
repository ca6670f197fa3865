/**
 * Going through things: `for` statements and comprehension clauses share `iterate`. `range` becomes a counting loop, a list that is certainly
 * one an indexed loop, everything else a native `for…of`.
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import { assignTo } from './assignment.ts';
import { isOrdering } from './comparisons.ts';
import { type Cx, indented, type Jump, line, mark, unique } from './context.ts';
import { stepBefore, steppedItems } from './debugging.ts';
import { expr } from './expressions.ts';
import { interval } from './integers.ts';
import { counterInterval, type Interval, largest } from './intervals.ts';
import { isListCode, isNumber, isNumeric, isSimple, isSure, mainTypeOf } from './kinds.ts';
import { lookInside, lookLine } from './looks.ts';
import { bindingCode, localCode } from './names.ts';
import { typeTest } from './operators.ts';
import { block, simpleInline, statement } from './statements.ts';
import { condition } from './truth.ts';

export interface Iteration {
  readonly node: ast.ForIn | ast.CompClause;
  /** Label in front of the loop. */
  readonly label: string;
  /** The body as lines one level deeper. */
  readonly body: () => string;
  /** Nodes in which assignments to the target are looked for. */
  readonly bodyNodes: readonly ast.Node[];
  /** Names of targets that the loop declares itself (comprehensions). */
  readonly declares: boolean;
}

/** The loop as text, each line starting with a line break. */
export function iterate(c: Cx, it: Iteration): string {
  const { node } = it;
  const waits = c.isAsync && (node.async || c.u.types.waits(node));
  if (!waits && !isStepped(c, node)) {
    const counting = countingLoop(c, it);
    if (counting !== undefined) return counting;
    if (isSure(c, node.iter, 'list') && !c.u.computed.has(node.iter)) return indexedLoop(c, it);
  }
  const items = `$.${waits ? 'aiter' : 'iter'}(${expr(c, node.iter)})`;
  const source = node.kind === 'ForIn' ? steppedItems(c, node, items, waits) : items;
  const { head, bind } = target(c, it);
  if (!waits && !isStepped(c, node) && mainTypeOf(c, node.iter).t === 'list' && !c.u.computed.has(node.iter))
    return likelyList(c, it, source, head, bind);
  const look = lookInside(c, node);
  return `${line(c, `${it.label}${mark(c, node.iter)}for ${waits ? 'await ' : ''}(${head} of ${source}) {`)}${look}${bind()}${it.body()}${line(c, '}')}`;
}

/** A loop that a debugger follows asks for its items one by one. */
function isStepped(c: Cx, node: ast.Node): boolean {
  return c.u.debugging !== undefined && node.kind === 'ForIn';
}

// The variable in the loop head, and the lines that bind the target from it.
function target(c: Cx, it: Iteration): { head: string; bind: () => string } {
  const name = targetName(c, it.node.target);
  if (name !== undefined) {
    return { head: (declaresIt(it, name) ? 'const ' : '') + bindingCode(c, name), bind: () => '' };
  }
  const item = unique(c.u, 'e');
  return { head: `const ${item}`, bind: () => indented(c, () => assignTo(c, it.node.target, item)) };
}

export function targetName(c: Cx, e: ast.Expression): LocalBinding | undefined {
  if (e.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e);
  return binding.sort === 'local' && binding.scope.kind !== 'class' ? binding : undefined;
}

function setTarget(c: Cx, it: Iteration, value: string): string {
  const name = targetName(c, it.node.target);
  if (name !== undefined && declaresIt(it, name))
    return indented(c, () => line(c, `const ${bindingCode(c, name)} = ${value};`));
  return indented(c, () => assignTo(c, it.node.target, value));
}

/** Closures of a comprehension share one variable, so a captured target is declared in front of the loop. */
export function declaresIt(it: { readonly declares: boolean }, name: LocalBinding): boolean {
  return it.declares && !name.captured && !name.assignedInside;
}

function indexedLoop(c: Cx, it: Iteration): string {
  const [list, i] = [unique(c.u, 'l'), unique(c.u, 'i')];
  const head = `for (let ${i} = 0, ${list} = ${expr(c, it.node.iter)}; ${i} < ${list}.length; ${i}++) {`;
  const look = lookInside(c, it.node);
  return `${line(c, `${it.label}${mark(c, it.node.iter)}${head}`)}${look}${setTarget(c, it, `${list}[${i}]`)}${it.body()}${line(c, '}')}`;
}

// Most probably a list: a small body is written twice, so that a list is gone through by index.
function likelyList(c: Cx, it: Iteration, source: string, head: string, bind: () => string): string {
  const at = mark(c, it.node.iter);
  const look = lookInside(c, it.node);
  const body = it.body();
  if (body.length > 400 || body.includes('=>'))
    return `${line(c, `${it.label}${at}for (${head} of ${source}) {`)}${look}${bind()}${body}${line(c, '}')}`;
  const [list, i] = [unique(c.u, 'l'), unique(c.u, 'i')];
  return [
    line(c, `const ${list} = ${at}${source};`),
    line(c, `if (${isListCode(c, list)}) ${it.label}for (let ${i} = 0; ${i} < ${list}.length; ${i}++) {`),
    look,
    setTarget(c, it, `${list}[${i}]`),
    body,
    line(c, `} else ${it.label}for (${head} of ${list}) {`),
    look,
    bind(),
    body,
    line(c, '}'),
  ].join('');
}

// `for i in range(a, b, step)` with a literal step.
function countingLoop(c: Cx, it: Iteration): string | undefined {
  const call = it.node.iter;
  if (call.kind !== 'Call' || c.u.computed.has(call)) return undefined;
  const plan = c.u.types.callPlan(call);
  if (plan.how !== 'builtin' || plan.name !== 'range' || call.args.some((arg) => arg.sort !== 'positional'))
    return undefined;
  const args = call.args.map((arg) => arg.value);
  if (args.length === 0 || args.length > 3) return undefined;
  const step = args[2] === undefined ? 1 : (literalStep(args[2]) ?? args[2]);
  const sign = stepSign(c, step);
  if (sign === 0) return undefined;
  const [startNode, stopNode] = args.length === 1 ? [undefined, args[0]!] : [args[0]!, args[1]!];
  const [i, stop] = [unique(c.u, 'i'), unique(c.u, 'n')];
  const lines: string[] = [];
  const low = startNode === undefined ? '0' : bound(c, startNode, lines, mark(c, call));
  const high = bound(c, stopNode, lines, mark(c, call));
  const head = `let ${i} = ${low}, ${stop} = ${high}`;
  const advance =
    step === 1
      ? `${i}++`
      : step === -1
        ? `${i}--`
        : `${i} += ${typeof step === 'number' ? step : held(c, step, lines)}`;
  const before = lines.join('');
  const from = startNode === undefined ? { low: 0, high: 0 } : interval(c, startNode);
  const to = interval(c, stopNode);
  const bounds = typeof step === 'number' ? counterInterval(from, to, step) : between(from, to, sign);
  const body = lookInside(c, it.node) + withCounter(c, it, bounds, () => setTarget(c, it, i) + it.body());
  return `${before}${line(c, `${it.label}${mark(c, call)}for (${head}; ${i} ${sign > 0 ? '<' : '>'} ${stop}; ${advance}) {`)}${body}${line(c, '}')}`;
}

// With a step of unknown size only the ends bound the variable.
function between(from: Interval | undefined, to: Interval | undefined, sign: number): Interval {
  if (sign > 0) return { low: from?.low ?? -largest, high: to === undefined ? largest - 1 : to.high - 1 };
  return { low: to === undefined ? 1 - largest : to.low + 1, high: from?.high ?? largest };
}

/** Direction of a step: 1, -1, or 0 when it is not known. */
function stepSign(c: Cx, step: number | ast.Expression): number {
  if (typeof step === 'number') return Math.sign(step);
  const bounds = interval(c, step);
  return bounds === undefined ? 0 : bounds.low > 0 ? 1 : bounds.high < 0 ? -1 : 0;
}

function held(c: Cx, e: ast.Expression, lines: string[]): string {
  const name = unique(c.u, 's');
  lines.push(line(c, `const ${name} = ${expr(c, e)};`));
  return name;
}

// A bound as a plain number: `range` itself converts or refuses what is none.
function bound(c: Cx, e: ast.Expression, lines: string[], at: string): string {
  if (interval(c, e) !== undefined) return expr(c, e);
  let code = expr(c, e);
  if (!isSimple(c, e)) {
    const held = unique(c.u, 'b');
    lines.push(line(c, `const ${held} = ${code};`));
    code = held;
  }
  // A value that is an int by its type needs no more than a look at the kind: the test then leaves no trace for the
  // optimiser to wait for.
  const test = mainTypeOf(c, e).t === 'int' ? `typeof ${code} === "number"` : `Number.isSafeInteger(${code})`;
  return `${test} ? ${code} : Number(${at}$.range(${code}).stop)`;
}

function literalStep(e: ast.Expression): number | undefined {
  if (e.kind === 'NumberLiteral') return typeof e.value === 'number' && !e.float ? e.value : undefined;
  if (e.kind === 'Unary' && e.op === '-') {
    const inner = literalStep(e.operand);
    return inner === undefined ? undefined : -inner;
  }
  return undefined;
}

// While the body is written, the target is known to be a small integer, unless the body assigns it.
function withCounter(c: Cx, it: Iteration, bounds: { low: number; high: number }, write: () => string): string {
  const name = targetName(c, it.node.target);
  if (name === undefined || name.captured || name.assignedInside) return write();
  if (it.bodyNodes.some((node) => containsNode(node, (inner) => assigns(c, inner, name)))) return write();
  const before = c.u.counters.get(name);
  c.u.counters.set(
    name,
    before === undefined ? bounds : { low: Math.max(before.low, bounds.low), high: Math.min(before.high, bounds.high) },
  );
  const text = write();
  if (before === undefined) c.u.counters.delete(name);
  else c.u.counters.set(name, before);
  return text;
}

function assigns(c: Cx, node: ast.Node, name: LocalBinding): boolean {
  switch (node.kind) {
    case 'AssignStatement':
      return node.targets.some((one) => names(c, one, name));
    case 'AugAssign':
    case 'ForIn':
      return names(c, node.target, name);
    case 'DeleteStatement':
      return node.targets.some((one) => names(c, one, name));
    case 'Walrus':
      return node.name.text === name.name;
    case 'CapturePattern':
    case 'AsPattern':
      return node.name.text === name.name;
    case 'StarPattern':
      return node.name?.text === name.name;
    case 'MappingPattern':
      return node.rest?.text === name.name;
    case 'ExceptClause':
      return node.name?.text === name.name;
    case 'WithStatement':
      return node.items.some((item) => item.target !== undefined && names(c, item.target, name));
    case 'FunctionDecl':
    case 'Archetype':
    case 'EnumDecl':
    case 'GlobItem':
    case 'HasItem':
      return node.name?.text === name.name;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      return true;
    default:
      return false;
  }
}

function names(c: Cx, target: ast.Expression, name: LocalBinding): boolean {
  switch (target.kind) {
    case 'NameRef':
      return target.name === name.name;
    case 'TupleExpr':
    case 'ListExpr':
      return target.items.some((item) => names(c, item, name));
    case 'Starred':
      return names(c, target.expr, name);
    default:
      return false;
  }
}

// ---------------------------------------------------------------- statements

/** Writes a loop whose `else` runs unless it was left by `break`. */
export function forIn(c: Cx, s: ast.ForIn): string {
  return withElse(c, s.orElse, (jump) => {
    c.jumps.push(jump);
    const text = iterate(c, { node: s, label: '', body: () => block(c, s.body), bodyNodes: [s.body], declares: false });
    c.jumps.pop();
    return text;
  });
}

export function whileLoop(c: Cx, s: ast.WhileStatement): string {
  return withElse(c, s.orElse, (jump) => {
    c.jumps.push(jump);
    const test = s.test === undefined ? undefined : loopTest(c, s.test, s);
    const head = test === undefined ? 'for (;;) {' : `while (${test.code}) {`;
    const text = (test?.before ?? '') + line(c, mark(c, s) + head) + lookInside(c, s) + block(c, s.body) + line(c, '}');
    c.jumps.pop();
    return text;
  });
}

/** The test of a loop. Parameters that are limits in it are looked at once, in front of the loop: `n` of `while i < n`. */
function loopTest(c: Cx, e: ast.Expression, loop: ast.Node): { before: string; code: string } {
  const { limits } = c.u;
  let before = '';
  for (const binding of limitsIn(c, e)) {
    if (limits.has(binding)) continue;
    const [held, value] = [unique(c.u, 'n'), localCode(c.u, binding)];
    limits.set(binding, held);
    before += line(c, `const ${held} = ${typeTest(value, 'number')} ? ${value} : NaN;`);
  }
  const code = stepBefore(c, loop, condition(c, e));
  limits.clear();
  return { before, code };
}

/** Parameters that are never assigned and that the test compares with what certainly is a JavaScript number. */
function limitsIn(c: Cx, e: ast.Expression): readonly LocalBinding[] {
  if (e.kind === 'Logical') return [...limitsIn(c, e.left), ...limitsIn(c, e.right)];
  const [left, right, third] = e.kind === 'Compare' && isOrdering(e.ops[0]!) ? e.operands : [];
  if (left === undefined || right === undefined || third !== undefined) return [];
  const one = isNumber(c, left) ? right : isNumber(c, right) ? left : undefined;
  if (one?.kind !== 'NameRef' || isNumeric(c, one)) return [];
  const binding = c.u.names.binding(one);
  const isSteady = binding.sort === 'local' && binding.role === 'param' && !binding.reassigned && !binding.mayBeUnbound;
  return isSteady ? [binding] : [];
}

/** `for i = 0 to i < n by i += 1`: `continue` runs the step. */
export function forCount(c: Cx, s: ast.ForCount): string {
  return statement(c, s.init) + withElse(c, s.orElse, (jump) => countedBody(c, s, jump));
}

function countedBody(c: Cx, s: ast.ForCount, jump: Jump): string {
  const counter = steady(c, s);
  const before = counter === undefined ? undefined : c.u.counters.get(counter.name);
  if (counter !== undefined) c.u.counters.set(counter.name, counter.bounds);
  const { before: limits, code: test } = loopTest(c, s.test, s);
  const step = simpleInline(c, s.step);
  let text: string;
  if (step !== undefined) {
    c.jumps.push(jump);
    const head = line(c, `${mark(c, s)}for (; ${test}; ${step}) {`);
    text = head + lookInside(c, s) + block(c, s.body) + line(c, '}');
  } else {
    const label = unique(c.u, 'step');
    c.jumps.push({ ...jump, breakLabel: jump.breakLabel ?? unique(c.u, 'loop'), continueLabel: label });
    const outer = c.jumps.at(-1)!.breakLabel!;
    const body = indented(
      c,
      () => lookLine(c, s) + line(c, `${label}: {`) + block(c, s.body) + line(c, '}') + statement(c, s.step),
    );
    const prefix = jump.breakLabel === undefined ? `${outer}: ` : '';
    text = line(c, `${prefix}${mark(c, s)}while (${test}) {`) + body + line(c, '}');
  }
  c.jumps.pop();
  if (counter !== undefined) {
    if (before === undefined) c.u.counters.delete(counter.name);
    else c.u.counters.set(counter.name, before);
  }
  return limits + text;
}

// `i = 0 … i += 1` where only the step changes `i`: it counts up from a small integer.
function steady(c: Cx, s: ast.ForCount): { name: LocalBinding; bounds: { low: number; high: number } } | undefined {
  const [targetNode] = s.init.targets;
  if (s.init.targets.length !== 1 || targetNode === undefined || s.init.value === undefined) return undefined;
  const name = targetName(c, targetNode);
  const start = interval(c, s.init.value);
  if (name === undefined || name.captured || name.assignedInside || start === undefined) return undefined;
  const { step } = s;
  if (step.kind !== 'AugAssign' || (step.op !== '+' && step.op !== '-') || !names(c, step.target, name))
    return undefined;
  const by = literalStep(step.value);
  if (by === undefined || by <= 0) return undefined;
  if (
    containsNode(s.body, (inner) => assigns(c, inner, name)) ||
    containsNode(s.test, (inner) => assigns(c, inner, name))
  )
    return undefined;
  const bounds = counterInterval(start, undefined, step.op === '+' ? by : -by);
  return { name, bounds };
}

function withElse(c: Cx, orElse: ast.Block | undefined, loop: (jump: Jump) => string): string {
  if (orElse === undefined) return loop({ of: 'loop', breakLabel: undefined, continueLabel: undefined });
  const label = unique(c.u, 'else');
  const body = indented(c, () => loop({ of: 'loop', breakLabel: label, continueLabel: undefined }));
  return `${line(c, `${label}: {`)}${body}${block(c, orElse)}${line(c, '}')}`;
}
