/**
 * Integers that stay small, so that arithmetic on them needs neither guard nor overflow check (performance.md 12.13): `interval` tells
 * between which numbers an expression lies, `findSmallIntegers` which local variables of a function qualify. A variable does when every
 * assignment to it is a bounded value or adds a bounded amount to itself; what is added is multiplied by how often the statement can run:
 * the product of the lengths of the loops around it, or a number of steps that no program takes.
 */
import type * as ast from '../1-parse/ast.ts';
import type { LocalBinding } from '../2-resolve/names.ts';
import type { Cx } from './context.ts';
import { combine, counterInterval, type Interval, largest, within } from './intervals.ts';

const longestContainer = 2 ** 32;

// An hour and a half of the tightest loop there is.
const mostSteps = 2 ** 44;

/** Gives the bounds of a small integer; undefined when the value may be something else. */
export function interval(c: Cx, e: ast.Expression): Interval | undefined {
  if (c.u.spines.has(e)) return undefined;
  switch (e.kind) {
    case 'NumberLiteral':
      return typeof e.value === 'number' && !e.float ? { low: e.value, high: e.value } : undefined;
    case 'NameRef': {
      const binding = c.u.names.binding(e);
      return binding.sort === 'local' ? c.u.counters.get(binding) : undefined;
    }
    case 'Call': {
      const plan = c.u.types.callPlan(e);
      if (plan.how !== 'builtin' || e.args.length !== 1) return undefined;
      return plan.name === 'len' || plan.name === 'ord' ? { low: 0, high: longestContainer } : undefined;
    }
    case 'Unary': {
      const inner = e.op === '-' ? interval(c, e.operand) : undefined;
      return inner && { low: -inner.high, high: -inner.low };
    }
    case 'Binary':
      return binaryInterval(c, e);
    default:
      return undefined;
  }
}

function binaryInterval(c: Cx, e: ast.Binary): Interval | undefined {
  if (e.op !== '+' && e.op !== '-' && e.op !== '*' && e.op !== '%') return undefined;
  const left = interval(c, e.left);
  if (left === undefined) return undefined;
  const right = interval(c, e.right);
  if (right === undefined) return undefined;
  if (e.op === '%') return right.low > 0 ? { low: 0, high: right.high - 1 } : undefined;
  return within(combine(e.op, left, right));
}

interface Assigned {
  /** Values the variable is set to. */
  readonly values: ast.Expression[];
  /** Amounts added (or, with `minus`, taken away), and how often. */
  readonly steps: { readonly amount: ast.Expression; readonly minus: boolean; readonly times: number }[];
  /** Ranges it runs over as a loop variable. */
  readonly loops: Interval[];
  /** True when something else is assigned. */
  wild: boolean;
}

/** Adds the bounded variables of a body to the counters of the module being written. */
export function findSmallIntegers(
  c: Cx,
  statements: readonly ast.Statement[],
  isCandidate: (binding: LocalBinding) => boolean,
): void {
  const found = new Map<LocalBinding, Assigned>();
  const search: Search = { c, found, isCandidate };
  collect(search, statements, 1);
  if (found.size === 0) return;
  let open = [...found].filter(([, one]) => !one.wild);
  // A variable may depend on others: repeat while something new is known.
  for (let before = -1; open.length !== before; ) {
    before = open.length;
    open = open.filter(([binding, one]) => {
      const bounds = boundsOf(c, one);
      if (bounds !== undefined) c.u.counters.set(binding, bounds);
      return bounds === undefined;
    });
  }
}

interface Search {
  readonly c: Cx;
  readonly found: Map<LocalBinding, Assigned>;
  readonly isCandidate: (binding: LocalBinding) => boolean;
}

function boundsOf(c: Cx, one: Assigned): Interval | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (const value of one.values) {
    const bounds = interval(c, value);
    if (bounds === undefined) return undefined;
    low = Math.min(low, bounds.low);
    high = Math.max(high, bounds.high);
  }
  for (const bounds of one.loops) {
    low = Math.min(low, bounds.low);
    high = Math.max(high, bounds.high);
  }
  if (low > high) return undefined;
  let [down, up] = [0, 0];
  for (const { amount, minus, times } of one.steps) {
    const bounds = interval(c, amount);
    if (bounds === undefined) return undefined;
    const [least, most] = minus ? [-bounds.high, -bounds.low] : [bounds.low, bounds.high];
    if (least < 0) down += least * times;
    if (most > 0) up += most * times;
  }
  return low + down >= -largest && high + up <= largest ? { low: low + down, high: high + up } : undefined;
}

function record(s: Search, e: ast.Expression): Assigned | undefined {
  return e.kind === 'NameRef' ? recordName(s, e) : undefined;
}

function recordName(s: Search, name: ast.NameRef | ast.Name): Assigned | undefined {
  const binding = s.c.u.names.binding(name);
  if (binding.sort !== 'local' || !s.isCandidate(binding)) return undefined;
  let one = s.found.get(binding);
  if (one === undefined) s.found.set(binding, (one = { values: [], steps: [], loops: [], wild: false }));
  return one;
}

function spoil(s: Search, e: ast.Expression): void {
  switch (e.kind) {
    case 'NameRef': {
      const one = record(s, e);
      if (one !== undefined) one.wild = true;
      return;
    }
    case 'TupleExpr':
    case 'ListExpr':
      for (const item of e.items) spoil(s, item);
      return;
    case 'Starred':
      spoil(s, e.expr);
      return;
    default:
  }
}

function collect(s: Search, list: readonly ast.Statement[], times: number): void {
  for (const one of list) collectStatement(s, one, times);
}

function collectIf(s: Search, first: ast.IfStatement, times: number): void {
  let at: ast.Block | ast.IfStatement | undefined = first;
  for (; at?.kind === 'IfStatement'; at = at.orElse) collect(s, at.body.statements, times);
  if (at !== undefined) collect(s, at.statements, times);
}

function collectStatement(s: Search, one: ast.Statement, times: number): void {
  switch (one.kind) {
    case 'AssignStatement':
      assign(s, one, times);
      return;
    case 'HasDecl':
      for (const item of one.items) {
        if (item.value === undefined) spoilName(s, item.name);
        else recordName(s, item.name)?.values.push(item.value);
      }
      return;
    case 'AugAssign':
      augment(s, one.target, one.op, one.value, times);
      return;
    case 'IfStatement':
      collectIf(s, one, times);
      return;
    case 'WhileStatement':
      collect(s, one.body.statements, mostSteps);
      if (one.orElse !== undefined) collect(s, one.orElse.statements, times);
      return;
    case 'ForIn':
      loop(s, one, times);
      return;
    case 'ForCount':
      assign(s, one.init, times);
      if (one.step.kind !== 'ExprStatement') collectStatement(s, one.step, mostSteps);
      collect(s, one.body.statements, mostSteps);
      if (one.orElse !== undefined) collect(s, one.orElse.statements, times);
      return;
    case 'TryStatement':
      for (const block of [one.body, one.orElse, one.finally])
        if (block !== undefined) collect(s, block.statements, times);
      for (const handler of one.handlers) {
        if (handler.name !== undefined) spoilName(s, handler.name);
        collect(s, handler.body.statements, times);
      }
      return;
    case 'WithStatement':
      for (const item of one.items) if (item.target !== undefined) spoil(s, item.target);
      collect(s, one.body.statements, times);
      return;
    case 'MatchStatement':
      for (const each of one.cases) collect(s, each.body.statements, times);
      return;
    case 'SwitchStatement':
      for (const each of one.cases) collect(s, each.body.statements, times);
      return;
    case 'VisitStatement':
      if (one.orElse !== undefined) collect(s, one.orElse.statements, times);
      return;
    case 'TypedContext':
    case 'Region':
      collect(s, one.body.statements, times);
      return;
    case 'Block':
      collect(s, one.statements, times);
      return;
    case 'DeleteStatement':
      for (const target of one.targets) spoil(s, target);
      return;
    default:
  }
}

function spoilName(s: Search, name: ast.Name): void {
  const one = recordName(s, name);
  if (one !== undefined) one.wild = true;
}

function assign(s: Search, one: ast.AssignStatement, times: number): void {
  for (const target of one.targets) {
    if (target.kind !== 'NameRef' || one.value === undefined) {
      spoil(s, target);
      continue;
    }
    const known = record(s, target);
    if (known === undefined) continue;
    if (!accumulates(s, known, target, one.value, times)) known.values.push(one.value);
  }
}

// `x = x + a - b`
function accumulates(s: Search, known: Assigned, target: ast.NameRef, value: ast.Expression, times: number): boolean {
  const terms: { readonly amount: ast.Expression; readonly minus: boolean }[] = [];
  let at = value;
  while (at.kind === 'Binary' && (at.op === '+' || at.op === '-')) {
    terms.push({ amount: at.right, minus: at.op === '-' });
    at = at.left;
  }
  if (terms.length === 0 || at.kind !== 'NameRef' || s.c.u.names.binding(at) !== s.c.u.names.binding(target))
    return false;
  for (const term of terms) known.steps.push({ ...term, times });
  return true;
}

function augment(s: Search, target: ast.Expression, op: string, amount: ast.Expression, times: number): void {
  const known = record(s, target);
  if (known === undefined) return;
  if (op === '+' || op === '-') known.steps.push({ amount, minus: op === '-', times });
  else known.wild = true;
}

function loop(s: Search, one: ast.ForIn, times: number): void {
  const range = rangeOf(s.c, one.iter);
  const known = record(s, one.target);
  if (known === undefined) spoil(s, one.target);
  else if (range === undefined) known.wild = true;
  else known.loops.push(range.values);
  const inner = range?.length === undefined ? mostSteps : Math.min(times * range.length, mostSteps);
  collect(s, one.body.statements, inner);
  if (one.orElse !== undefined) collect(s, one.orElse.statements, times);
}

// `range(…)` with a literal step: what its values lie between, and the most there can be.
function rangeOf(c: Cx, e: ast.Expression): { values: Interval; length: number | undefined } | undefined {
  if (e.kind !== 'Call' || e.args.some((arg) => arg.sort !== 'positional')) return undefined;
  const plan = c.u.types.callPlan(e);
  if (plan.how !== 'builtin' || plan.name !== 'range' || e.args.length === 0 || e.args.length > 3) return undefined;
  const args = e.args.map((arg) => arg.value);
  const step = args[2] === undefined ? 1 : interval(c, args[2])?.low;
  if (step === undefined || step === 0 || (args[2] !== undefined && interval(c, args[2])!.high !== step))
    return undefined;
  const start = args.length === 1 ? { low: 0, high: 0 } : interval(c, args[0]!);
  const stop = interval(c, args.length === 1 ? args[0]! : args[1]!);
  const values = counterInterval(start, stop, step);
  const known = start !== undefined && stop !== undefined;
  const span = known ? (step > 0 ? stop.high - start.low : start.high - stop.low) : undefined;
  return { values, length: span === undefined ? undefined : Math.max(0, Math.ceil(span / Math.abs(step))) };
}
