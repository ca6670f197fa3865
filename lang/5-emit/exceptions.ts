/** `try`, `raise` and `with` (docs/language/statements.md#exceptions, docs/language/statements.md#with). */
import type * as ast from '../1-parse/ast.ts';
import { assignTo } from './assignment.ts';
import { type Cx, indented, line, mark, standardModule, unique } from './context.ts';
import { guarded, notTaken, passing } from './debugging.ts';
import { awaitIfPromise, expr } from './expressions.ts';
import { takenBy } from './managers.ts';
import { nameValue } from './names.ts';
import { block } from './statements.ts';
import { typeValue } from './type-values.ts';

export function tryStatement(c: Cx, s: ast.TryStatement): string {
  if (s.finally !== undefined) {
    const inner = indented(c, () => (s.handlers.length === 0 ? plainBody(c, s) : handled(c, s)));
    const open = line(c, `${mark(c, s)}try {`) + inner;
    if (
      c.u.debugging === undefined &&
      !s.finally.statements.some((inner) => inner.kind === 'RaiseStatement' || mayRaise(inner))
    )
      return `${open}${line(c, '} finally {')}${block(c, s.finally)}${line(c, '}')}`;
    const raised = unique(c.u, 'e');
    return (
      line(c, `let ${raised};`) +
      open +
      line(c, `} catch (${raised}$) {`) +
      indented(c, () => passing(c, `${raised}$`) + line(c, `throw ${raised} = ${raised}$;`)) +
      line(c, '} finally {') +
      indented(c, () => inContext(c, s.finally!, `$.duringAny($x, ${raised})`)) +
      line(c, '}')
    );
  }
  return s.handlers.length === 0 ? line(c, '{') + indented(c, () => plainBody(c, s)) + line(c, '}') : handled(c, s);
}

/** Code of the types that clauses take; undefined where one takes all. */
function clauseTypes(c: Cx, handlers: readonly ast.ExceptClause[]): readonly (string | undefined)[] {
  return handlers.map((clause) => (catchesAll(c, clause) ? undefined : typeValue(c, clause.type!)));
}

function plainBody(c: Cx, s: ast.TryStatement): string {
  c.u.depth -= 1;
  const text = block(c, s.body) + (s.orElse === undefined ? '' : block(c, s.orElse));
  c.u.depth += 1;
  return text;
}

function handled(c: Cx, s: ast.TryStatement): string {
  const error = unique(c.u, 'e');
  const ok = s.orElse === undefined ? undefined : unique(c.u, 'ok');
  let text = ok === undefined ? '' : line(c, `let ${ok} = false;`);
  text +=
    line(c, `${mark(c, s)}try {`) +
    guarded(
      c,
      () => clauseTypes(c, s.handlers),
      () => block(c, s.body),
    );
  if (ok !== undefined) text += indented(c, () => line(c, `${ok} = true;`));
  text += line(c, `} catch (${error}$) {`) + indented(c, () => passing(c, `${error}$`));
  const around = c.caught.at(-1)?.code;
  const taken = around === undefined ? `$.caught(${error}$)` : `$.caught(${error}$, ${around})`;
  text += indented(
    c,
    () =>
      line(c, `const ${error} = ${taken};`) +
      whileHandling(c, error, () => (s.splitsGroups ? starClauses : clauses)(c, s.handlers, error)),
  );
  text += line(c, '}');
  if (s.orElse !== undefined) text += line(c, `if (${ok}) {`) + block(c, s.orElse) + line(c, '}');
  return text;
}

/**
 * Writes the lines of `write` so that the runtime knows the exception being handled, where a bare `raise` of some
 * function may ask for it.
 */
function whileHandling(c: Cx, error: string, write: () => string): string {
  if (!c.u.options.traits.tracksHandled) return write();
  const begin = line(c, `$.beginHandling(${error});`) + line(c, 'try {');
  return `${begin}${indented(c, write)}${line(c, `} finally { $.endHandling(${error}); }`)}`;
}

function clauses(c: Cx, handlers: readonly ast.ExceptClause[], error: string): string {
  let text = '';
  let open = false;
  for (const clause of handlers) {
    const body = clauseBody(c, clause, error);
    if (catchesAll(c, clause)) {
      text += open ? line(c, '} else {') + body + line(c, '}') : line(c, '{') + body + line(c, '}');
      return text;
    }
    const test = `$.excMatch(${error}, ${typeValue(c, clause.type!)})`;
    text += line(c, `${open ? '} else if' : 'if'} (${mark(c, clause)}${test}) {`) + body;
    open = true;
  }
  return `${text}${line(c, `} else throw ${error};`)}`;
}

/** `except* T as e { … }`: every clause takes what is its of the group, whatever the others raise. */
function starClauses(c: Cx, handlers: readonly ast.ExceptClause[], error: string): string {
  const group = unique(c.u, 'g');
  let text = line(c, `const ${group} = ${standardModule(c.u, 'svclang.groups')}.split(${error});`);
  for (const clause of handlers) {
    const part = unique(c.u, 'e');
    text += line(c, `const ${part} = ${mark(c, clause)}${group}.take(${typeValue(c, clause.type!)});`);
    text += line(c, `if (${part} !== null) {`);
    if (clause.name !== undefined) text += indented(c, () => line(c, `${nameValue(c, clause.name!, true)} = ${part};`));
    c.caught.push({ code: part, group });
    text += indented(
      c,
      () =>
        line(c, 'try {') +
        whileHandling(c, part, () => block(c, clause.body)) +
        line(c, `} catch ($x) { ${group}.keep($x, ${part}); }`),
    );
    c.caught.pop();
    text += line(c, '}');
  }
  return text + line(c, `${group}.end();`);
}

// `except { }`, and `except e { }` with an unbound lower-case name, which is read as `except Exception as e`.
function catchesAll(c: Cx, clause: ast.ExceptClause): boolean {
  return clause.type === undefined || isImplicitName(c, clause.type);
}

function isImplicitName(c: Cx, e: ast.Expression): e is ast.NameRef {
  if (e.kind !== 'NameRef' || !/^[a-z_]/.test(e.name)) return false;
  const binding = c.u.names.binding(e);
  return binding.sort === 'unresolved' || (binding.sort === 'local' && binding.role === 'local');
}

function clauseBody(c: Cx, clause: ast.ExceptClause, error: string): string {
  const name = clause.name ?? (clause.type !== undefined && isImplicitName(c, clause.type) ? clause.type : undefined);
  const implicit = name?.kind === 'NameRef' && c.u.names.binding(name).sort === 'unresolved';
  const bind = (target: string) => indented(c, () => line(c, `${target} = ${error};`));
  const bound =
    name === undefined ? '' : implicit ? bind(`const ${(name as ast.NameRef).name}$`) : bind(nameValue(c, name, true));
  c.caught.push({ code: error, group: undefined });
  const body = bound + handling(c, clause.body, error);
  c.caught.pop();
  return body;
}

/** Writes the body of an `except` clause: an exception raised in it has the caught one as its context. */
function handling(c: Cx, body: ast.Block, error: string): string {
  return body.statements.some(mayRaise)
    ? indented(c, () => inContext(c, body, `$.during($x, ${error})`))
    : block(c, body);
}

function inContext(c: Cx, body: ast.Block, raised: string): string {
  return `${line(c, 'try {')}${block(c, body)}${line(c, `} catch ($x) { throw ${raised}; }`)}`;
}

/** `raise` says itself what is handled; what hardly ever raises needs no more text. */
function mayRaise(s: ast.Statement): boolean {
  switch (s.kind) {
    case 'RaiseStatement':
    case 'CtrlStatement':
      return false;
    case 'ReturnStatement':
      return s.value !== undefined && !isPlainValue(s.value);
    case 'ExprStatement':
      return !(s.expr.kind === 'Call' && s.expr.callee.kind === 'NameRef' && s.expr.callee.name === 'print');
    case 'AssignStatement':
      return !(s.value === undefined || isPlainValue(s.value)) || s.targets.some((target) => target.kind !== 'NameRef');
    default:
      return true;
  }
}

function isPlainValue(e: ast.Expression): boolean {
  return ['NameRef', 'Constant', 'NumberLiteral', 'StringLiteral'].includes(e.kind);
}

export function raiseStatement(c: Cx, s: ast.RaiseStatement): string {
  const { code: current, group } = c.caught.at(-1) ?? {};
  if (s.value === undefined) {
    if (current === undefined) return line(c, `${mark(c, s)}$.raiseHandled();`);
    return line(c, `${mark(c, s)}throw ${group === undefined ? current : `${group}.again(${current})`};`);
  }
  const value = expr(c, s.value);
  const cause = s.from === undefined ? (current === undefined ? '' : ', undefined') : `, ${expr(c, s.from)}`;
  const context = current === undefined ? '' : `, ${current}`;
  return line(c, `${mark(c, s)}throw $.raised(${value}${cause}${context});`);
}

// ---------------------------------------------------------------- with

export function withStatement(c: Cx, s: ast.WithStatement): string {
  return withItem(c, s, 0);
}

/** Exceptions that a manager takes are caught. */
function managedBody(c: Cx, s: ast.WithStatement): string {
  const write = () => block(c, s.body);
  if (c.u.debugging === undefined) return write();
  const taken = s.items.flatMap(({ expr: e }): readonly ('all' | ast.ExceptClause)[] => {
    const found = takenBy(c, e) ?? [];
    return found === 'all' ? [found] : found;
  });
  return taken.length === 0
    ? write()
    : guarded(c, () => taken.flatMap((one) => (one === 'all' ? [undefined] : clauseTypes(c, [one]))), write);
}

function withItem(c: Cx, s: ast.WithStatement, i: number): string {
  const item = s.items[i];
  if (item === undefined) return `${line(c, '{')}${block(c, s.body)}${line(c, '}')}`;
  const [manager, ok, error] = [unique(c.u, 'w'), unique(c.u, 'ok'), unique(c.u, 'e')];
  const [enter, exit] = s.async ? ['aenter', 'aexit'] : ['enter', 'exit'];
  const wait = (code: string) =>
    s.async && c.isAsync ? `(await ${code})` : c.isAsync && c.u.types.waits(s) ? awaitIfPromise(c, code) : code;
  const entered = wait(`$.${enter}(${manager})`);
  let text = line(c, `${mark(c, item.expr)}const ${manager} = ${expr(c, item.expr)};`);
  text +=
    item.target === undefined
      ? line(c, `${mark(c, item.expr)}${entered};`)
      : assignTo(c, item.target, entered, item.expr);
  text += line(c, `let ${ok} = true;`) + line(c, 'try {');
  text += i + 1 < s.items.length ? indented(c, () => withItem(c, s, i + 1)) : managedBody(c, s);
  text += line(c, `} catch (${error}$) {`) + indented(c, () => passing(c, `${error}$`));
  const leave = wait(`$.${exit}(${manager}, ${error})`);
  text += indented(
    c,
    () =>
      line(c, `${ok} = false;`) +
      line(c, `const ${error} = $.caught(${error}$);`) +
      whileHandling(c, error, () => line(c, `${mark(c, item.expr)}if (!${leave}) ${notTaken(c, s, error)}`)),
  );
  text += line(c, '} finally {');
  const done = wait(`$.${exit}(${manager})`);
  text += indented(c, () => line(c, `${mark(c, item.expr)}if (${ok}) ${done};`));
  return text + line(c, '}');
}
