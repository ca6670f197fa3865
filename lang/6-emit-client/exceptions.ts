/** `try`, `raise`, `with`. */
import type * as ast from '../1-parse/ast.ts';
import type { Binding } from '../2-resolve/names.ts';
import { type Cx, indented, lang, line, mark, unique } from './cx.ts';
import { expr } from './expressions.ts';
import { identifier } from './identifier.ts';
import { bindingCode } from './names.ts';
import { boundary } from './slots.ts';
import { block, isDeclaredBy, statements } from './statements.ts';
import { assignTarget } from './targets.ts';

export function tryStatement(c: Cx, s: ast.TryStatement): string {
  if (s.handlers.length === 0 && s.finally === undefined) return statements(c, s.body.statements);
  const around = c.slot === undefined ? undefined : boundary(c, s, s);
  if (around !== undefined) return line(c, `${mark(c, s)}${c.slot}.push(${around});`);
  const done = s.orElse === undefined ? undefined : unique(c.u, 'done');
  let text = done === undefined ? '' : line(c, `let ${done} = false;`);
  const inside = s.orElse === undefined || s.finally === undefined ? c : { ...c };
  const open = (): string => {
    let code = `${mark(c, s)}try ${done === undefined ? block(inside, s.body) : blockThen(inside, s.body, `${done} = true;`)}`;
    if (s.handlers.length > 0)
      code += ` catch ($error) {${indented(c, () => clauses(inside, s.handlers))}${line(c, '}')}`;
    return code;
  };
  if (s.orElse === undefined) {
    text += line(c, open());
    return s.finally === undefined ? text : `${text} finally ${block(c, s.finally)}`;
  }
  const orElse = (at: Cx) => line(at, `if (${done}) ${block(at, s.orElse!)}`);
  if (s.finally === undefined) return text + line(c, open()) + orElse(c);
  // The `else` is followed by the `finally`, too.
  const whole = indented(
    c,
    () => (s.handlers.length > 0 ? line(c, open()) : line(c, blockThen(c, s.body, `${done} = true;`))) + orElse(c),
  );
  return `${text}${line(c, 'try {')}${whole}${line(c, `} finally ${block(c, s.finally)}`)}`;
}

function blockThen(c: Cx, body: ast.Block, last: string): string {
  return `{${indented(c, () => statements(c, body.statements) + line(c, last))}${line(c, '}')}`;
}

export function clauses(c: Cx, handlers: readonly ast.ExceptClause[]): string {
  const inside: Cx = { ...c, caught: '$error' };
  let text = '';
  let isOpen = true;
  handlers.forEach((clause, i) => {
    const name = boundName(c, clause);
    const takesAll = clause.type === undefined || name.isType;
    const test = takesAll ? undefined : `${lang(c.u, 'matches')}($error, ${types(c, clause.type!)})`;
    const head = test === undefined ? (i === 0 ? undefined : ' else {') : `${i === 0 ? '' : ' else '}if (${test}) {`;
    const body = (at: Cx) =>
      (name.code === undefined ? '' : line(at, `${name.word}${name.code} = ${lang(c.u, 'caught')}($error);`)) +
      statements(at, clause.body.statements);
    if (head === undefined) {
      text += body(inside);
      isOpen = false;
    } else if (isOpen) {
      text += (i === 0 ? line(c, head) : head) + indented(c, () => body(inside)) + line(c, '}');
      isOpen = test !== undefined;
    }
  });
  return isOpen ? `${text} else throw $error;` : text;
}

interface Bound {
  readonly code: string | undefined;
  readonly word: 'const ' | '';
  /** `except e { }`: the lower-case name is the variable. */
  readonly isType: boolean;
}

function boundName(c: Cx, { name, type }: ast.ExceptClause & { readonly kind: 'ExceptClause' }): Bound {
  if (name !== undefined) {
    const binding = c.u.names.binding(name);
    return { code: bindingCode(c, binding), word: isDeclaredHere(c, binding) ? 'const ' : '', isType: false };
  }
  if (type?.kind === 'NameRef' && /^[a-z_]/.test(type.name)) {
    const binding = c.u.names.binding(type);
    if (binding.sort === 'unresolved') return { code: identifier(type.name), word: 'const ', isType: true };
    if (binding.sort === 'local' && binding.role === 'local')
      return { code: bindingCode(c, binding), word: isDeclaredHere(c, binding) ? 'const ' : '', isType: true };
  }
  return { code: undefined, word: '', isType: false };
}

function isDeclaredHere(c: Cx, binding: Binding): boolean {
  return (
    binding.sort === 'local' && [...(c.u.declaredAt.get(binding) ?? [])].some(({ kind }) => kind === 'ExceptClause')
  );
}

function types(c: Cx, type: ast.Expression): string {
  if (type.kind === 'TupleExpr' || type.kind === 'ListExpr')
    return `[${type.items.map((item) => expr(c, item)).join(', ')}]`;
  return expr(c, type);
}

export function raiseStatement(c: Cx, s: ast.RaiseStatement): string {
  if (s.value === undefined)
    return line(
      c,
      `${mark(c, s)}throw ${c.caught ?? `new ${lang(c.u, 'RuntimeError')}("No active exception to reraise")`};`,
    );
  const { value } = s;
  // A call of an exception class is one already.
  const isMade = value.kind === 'Call';
  const made = isMade ? expr(c, value) : `${lang(c.u, 'raised')}(${expr(c, value)})`;
  const thrown = s.from === undefined ? made : `${lang(c.u, 'raised')}(${expr(c, value)}, ${expr(c, s.from)})`;
  return line(c, `${mark(c, s)}throw ${thrown};`);
}

export function withStatement(c: Cx, s: ast.WithStatement, from = 0): string {
  const item = s.items[from];
  if (item === undefined) return statements(c, s.body.statements);
  const manager = unique(c.u, 'manager');
  const failed = unique(c.u, 'failed');
  const [enter, exit] = s.async ? (['asyncEnter', 'asyncExit'] as const) : (['enter', 'exit'] as const);
  const wait = s.async ? 'await ' : '';
  const entered = `${wait}${lang(c.u, enter)}(${manager})`;
  const { target } = item;
  const isOwn = target?.kind === 'NameRef' && isDeclaredBy(c, s, target);
  const bound = target === undefined ? entered : `${isOwn ? 'const ' : ''}${assignTarget(c, target, entered)}`;
  const inside = indented(c, () => withStatement(c, s, from + 1));
  return (
    line(c, `const ${manager} = ${expr(c, item.expr)};`) +
    line(c, `${bound};`) +
    line(c, `let ${failed};`) +
    line(
      c,
      `try {${inside}${line(c, '} catch ($error) {')}${indented(c, () => line(c, `${failed} = $error;`) + line(c, `if (!(${wait}${lang(c.u, exit)}(${manager}, $error))) throw $error;`))}`,
    ) +
    line(
      c,
      `} finally {${indented(c, () => line(c, `if (${failed} === undefined) ${wait}${lang(c.u, exit)}(${manager}, undefined);`))}`,
    ) +
    line(c, '}')
  );
}
