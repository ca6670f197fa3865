/**
 * Code for a debugger (decisions/0610): a module that is compiled for it tells the debugger's part in the process
 * (`cli/debug/inside/`) where each statement begins, and which function is entered and left. Other modules hold nothing of it.
 *
 * `$d` is that part as this module knows it, `$df` the running call of a function: a closure of it reads and sets variables by name.
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { type Cx, indented, line, type Unit } from './context.ts';
import {
  changingMethods,
  type DebugFunction,
  type Debugging,
  type DebugStatement,
  type DebugTables,
  type LeftOut,
} from './debug-tables.ts';
import { quote } from './identifiers.ts';
import { unmarked } from './printer.ts';

export interface DebuggedCall extends Pick<DebugFunction, 'name' | 'kind' | 'names'> {
  /** Offset at which its text begins. */
  readonly start: number;
  readonly node: ast.Node;
}

export function beginDebugging(tree: ast.Module): Debugging {
  const asks = { ...(asksTasks(tree) ? { asksTasks: true } : {}) };
  const module: DebugFunction = { name: '<module>', kind: 'module', file: 0, line: 1, names: [], ...asks };
  const tables: DebugTables = { functions: [module], statements: [], tries: [], names: [], leftOut: [] };
  return { tables, known: new Map(), tries: [], current: 0 };
}

/** Notes an element whose code the module does not hold, so that a breakpoint in it can say so. */
export function noteLeftOut(u: Unit, element: ast.Node, as: LeftOut['as']): void {
  if (u.debugging === undefined) return;
  const file = u.fileOf(element);
  const [{ line: first }, { line: last }] = [u.position(file, element.start), u.position(file, element.end)];
  u.debugging.tables.leftOut.push({ file, first, last, as });
}

/** Head of a module: its handle, and the call that its own statements belong to. */
export function debugHead(u: Unit): string {
  if (u.debugging === undefined) return '';
  return `\nconst $d = globalThis[Symbol.for("svc.debug")].module(${quote(u.id)});\nconst $df = $d.enter(0, ($s) => eval($s));`;
}

/** Ends the call that the statements of the module belong to. */
export function debugEnd(u: Unit): string {
  return u.debugging === undefined ? '' : '\n  $d.leave($df);';
}

/** Code at the start of a `catch`: what was raised goes through a call that the debugger knows. */
export function passing(c: Cx, error: string): string {
  return c.u.debugging === undefined ? '' : line(c, raised(c, error));
}

/** Code for what a `with` statement's managers did not take: it goes on from the statement itself. */
export function notTaken(c: Cx, s: ast.WithStatement, error: string): string {
  if (c.u.debugging === undefined) return `throw ${error};`;
  return `{ $df.statement = ${statementNumber(c, s)}; ${raised(c, error)} throw ${error}; }`;
}

/** A value that a function returns; of one that can wait it is kept, for `keptCall`. */
export function answer(c: Cx, code: string): string {
  return c.u.debugging !== undefined && c.isAsync ? `$df.value = ${code}` : code;
}

/**
 * A function whose code waits for what a store may answer later, and that is no coroutine: what it returns or raises before it has waited is
 * there at once, as it is without a debugger.
 */
export function keptCall(body: string): string {
  return `$d.kept(async () => ${body})`;
}

/** The body of a module, from which what is raised goes to whoever loads it. */
export function debuggedModule(u: Unit, body: string): string {
  return u.debugging === undefined ? body : `\n  try {${body}\n  } catch ($x) { throw $d.passing($df, $x); }`;
}

/** The line that tells of a statement; nothing where nobody debugs. `codeOf` writes an expression. */
export function statementLine(c: Cx, s: ast.Statement, codeOf: (c: Cx, e: ast.Expression) => string): string {
  if (c.u.debugging === undefined || !isStep(s)) return '';
  return line(
    c,
    `${told(
      c,
      statementNumber(c, s, () => fieldsWritten(c, s, codeOf)),
    )};`,
  );
}

/** A function that can wait does so where the debugger's evaluations wait: the program then stands without keeping the event loop. */
function told(c: Cx, statement: number): string {
  return c.isAsync ? `$d.reach($df, ${statement}) && await $d.held()` : `$d.at($df, ${statement})`;
}

function raised(c: Cx, error: string): string {
  return c.isAsync ? `$d.raised($df, ${error}) && await $d.held();` : `$d.passing($df, ${error});`;
}

/** A condition that is a step each time it is looked at. */
export function stepBefore(c: Cx, s: ast.Node, code: string): string {
  return c.u.debugging === undefined ? code : `(${tell(c, s)}, ${code})`;
}

/** Items of a `for` loop, of which each further look for one is a step. */
export function steppedItems(c: Cx, s: ast.ForIn, code: string, waits: boolean): string {
  if (c.u.debugging === undefined) return code;
  return `$d.${waits ? 'eachLater' : 'each'}($df, ${statementNumber(c, s)}, ${code})`;
}

export function tell(c: Cx, s: ast.Node): string {
  return told(c, statementNumber(c, s));
}

/** Writes a function's statements as one call that the debugger knows. `names`: those that the function adds. */
export function debuggedCall(c: Cx, describe: () => DebuggedCall, write: () => string): string {
  const { debugging } = c.u;
  if (debugging === undefined) return write();
  const { name, kind, start, names, node } = describe();
  const { current, tries } = debugging;
  const number = debugging.tables.functions.length;
  const at = c.u.position(c.u.file, start);
  debugging.tables.functions.push({
    name,
    kind,
    file: c.u.file,
    line: at.line,
    names,
    outer: current,
    ...(asksTasks(node) ? { asksTasks: true } : {}),
    ...(c.ability !== undefined ? { around: c.ability } : c.self === 'this' ? { around: 'self' as const } : {}),
  });
  debugging.current = number;
  debugging.tries = [];
  const body = indented(c, write);
  debugging.current = current;
  debugging.tries = tries;
  const objects = `${c.self ?? 'undefined'}, ${c.walk ?? 'undefined'}`;
  return `${line(c, `const $df = $d.enter(${number}, ($s) => eval($s), ${objects});`)}${line(c, 'try {')}${body}${line(c, `} catch ($x) { ${raised(c, '$x')} $df.thrown = [$x]; throw $x; } finally { $d.leave($df); }`)}`;
}

/** Writes what a `try` with handlers guards. `typesOf`: code of each clause's type; undefined catches all. */
export function guarded(c: Cx, typesOf: () => readonly (string | undefined)[], write: () => string): string {
  const { debugging } = c.u;
  if (debugging === undefined) return write();
  const number = debugging.tables.tries.length;
  const { temps } = c;
  const types = typesOf();
  c.temps = temps;
  debugging.tables.tries.push(types.some((type) => type === undefined) ? null : types.map((type) => unmarked(type!)));
  debugging.tries.push(number);
  const text = write();
  debugging.tries.pop();
  return text;
}

function statementNumber(c: Cx, s: ast.Node, writesOf?: () => DebugStatement['writes']): number {
  const debugging = c.u.debugging!;
  const key = `${c.u.file}:${s.start}`;
  let number = debugging.known.get(key);
  if (number !== undefined) return number;
  number = debugging.tables.statements.length;
  debugging.known.set(key, number);
  const { line, column } = c.u.position(c.u.file, s.start);
  const writes = writesOf?.() ?? [];
  const changes = fieldChanged(s);
  const tries = gathersErrors(s) ? [...debugging.tries, debugging.tables.tries.push(null) - 1] : [...debugging.tries];
  debugging.tables.statements.push({
    fn: debugging.current,
    file: c.u.file,
    line,
    column,
    ...(tries.length === 0 ? {} : { tries }),
    ...(writes.length === 0 ? {} : { writes }),
    ...(changes === undefined ? {} : { changes }),
  });
  return number;
}

/** Does a statement take what coroutines raise as their results, with `gather(…, return_exceptions=True)`? */
function gathersErrors(s: ast.Node): boolean {
  if (s.kind !== 'ExprStatement' && s.kind !== 'AssignStatement' && s.kind !== 'ReturnStatement') return false;
  return containsNode(
    s,
    (node) =>
      node.kind === 'Argument' &&
      node.name?.text === 'return_exceptions' &&
      node.value.kind === 'Constant' &&
      node.value.value === true,
  );
}

/** Does a function ask a task for its exception, instead of being raised it? */
function asksTasks(fn: ast.Node): boolean {
  return containsNode(
    fn,
    (node) =>
      node.kind === 'Call' &&
      node.args.length === 0 &&
      node.callee.kind === 'Attribute' &&
      node.callee.name.text === 'exception',
    (node) => node === fn || (node.kind !== 'FunctionDecl' && node.kind !== 'Ability' && node.kind !== 'Lambda'),
  );
}

/** Is a statement's start a step? Loops tell it of their conditions; what only groups or describes is none. */
function isStep(s: ast.Statement): boolean {
  switch (s.kind) {
    case 'TryStatement':
    case 'Block':
    case 'ScopeStatement':
    case 'TypeAlias':
    case 'ImplDecl':
    case 'Ability':
    case 'ForCount':
      return false;
    case 'WhileStatement':
      return s.test === undefined;
    case 'HasDecl':
      return s.items.some((item) => item.value !== undefined);
    case 'ExprStatement':
      return !['StringLiteral', 'NumberLiteral', 'Constant', 'Missing'].includes(s.expr.kind);
    default:
      return true;
  }
}

/** Fields that a statement writes, each with the code of its object, where asking for that changes nothing. */
function fieldsWritten(
  c: Cx,
  s: ast.Node,
  codeOf: (c: Cx, e: ast.Expression) => string,
): (readonly [string, string])[] {
  const targets =
    s.kind === 'AssignStatement' || s.kind === 'DeleteStatement' ? s.targets : s.kind === 'AugAssign' ? [s.target] : [];
  return targets.flatMap(spread).flatMap((target) => {
    if (target.kind !== 'Attribute' || !isQuiet(target.object)) return [];
    const { temps } = c;
    const code = unmarked(codeOf(c, target.object));
    c.temps = temps;
    return [[target.name.text, code] as const];
  });
}

/** Field whose container a statement changes: `self.items.append(x)`, `self.items[k] = v`. */
function fieldChanged(s: ast.Node): string | undefined {
  let found: string | undefined;
  const note = (e: ast.Expression) => {
    if (e.kind === 'Attribute' && isQuiet(e)) found ??= e.name.text;
  };
  const targets =
    s.kind === 'AssignStatement' || s.kind === 'DeleteStatement' ? s.targets : s.kind === 'AugAssign' ? [s.target] : [];
  for (const target of targets.flatMap(spread)) if (target.kind === 'Index') note(target.object);
  const value =
    s.kind === 'ExprStatement'
      ? s.expr
      : s.kind === 'AssignStatement' || s.kind === 'ReturnStatement'
        ? s.value
        : undefined;
  if (value?.kind === 'Call' && value.callee.kind === 'Attribute' && changingMethods.has(value.callee.name.text))
    note(value.callee.object);
  return found;
}

function spread(target: ast.Expression): readonly ast.Expression[] {
  return target.kind === 'TupleExpr' || target.kind === 'ListExpr' ? target.items.flatMap(spread) : [target];
}

function isQuiet(e: ast.Expression): boolean {
  if (e.kind === 'Attribute') return isQuiet(e.object);
  return e.kind === 'NameRef' || e.kind === 'SpecialRef';
}
