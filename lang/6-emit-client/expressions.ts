/** Expressions: one case for each kind of node. */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { mainType } from '../5-emit/kinds.ts';
import { unmarked } from '../5-emit/printer.ts';
import { call } from './calls.ts';
import { at, type Code, code, P } from './code.ts';
import { comprehension } from './comprehensions.ts';
import { type Cx, inner, lang, mark, temp, wire } from './cx.ts';
import { memberPart } from './enums.ts';
import { functionExpression, lambda } from './functions.ts';
import { identifier } from './identifier.ts';
import { kindOf, mayHaveItems } from './kinds.ts';
import { markup } from './markup.ts';
import { boundMethod, methodOfType } from './methods.ts';
import { reference } from './names.ts';
import { binary, compare, conditional, logical, unary } from './operators.ts';
import { propertyCode } from './properties.ts';
import { spawn } from './remote.ts';
import { assignTarget } from './targets.ts';
import { typedTextCall } from './typed-texts.ts';

/** The text of an expression where anything but a sequence may stand. */
export function expr(c: Cx, e: ast.Expression, min: number = P.assign): string {
  return at(gen(c, e), min);
}

/** An expression where no statement can stand before it, such as a default value: variables of the compiler's own come with it. */
export function apart(c: Cx, e: ast.Expression): string {
  const at = inner(c, {});
  const written = expr(at, e);
  return at.fn.hoisted.length === 0 ? written : `(() => { let ${at.fn.hoisted.join(', ')}; return ${written}; })()`;
}

export function gen(c: Cx, e: ast.Expression): Code {
  return inPieces(c, e, gen) ?? whole(c, e);
}

/**
 * Code of a long chain that `write` gives, and of a part of one: what is below is computed first, so that neither this phase nor the parsers of
 * JavaScript descend far. Undefined for every other expression.
 */
export function inPieces(c: Cx, e: ast.Expression, write: (c: Cx, e: ast.Expression) => Code): Code | undefined {
  const { computed, module } = c.u;
  const known = computed.get(e);
  if (known !== undefined) return code(known, P.primary);
  const below = module.tree.spines.get(e)?.filter((rest) => !computed.has(rest)) ?? [];
  if (below.length === 0) return undefined;
  const set = below.map((rest) => {
    const written = expr(c, rest);
    const name = temp(c);
    computed.set(rest, name);
    return `${name} = ${written}`;
  });
  const last = at(write(c, e), P.assign);
  for (const rest of below) computed.delete(rest);
  return code(`(${[...set, last].join(', ')})`, P.primary);
}

function whole(c: Cx, e: ast.Expression): Code {
  switch (e.kind) {
    case 'NumberLiteral':
      return code(String(Number(e.value)), P.number);
    case 'StringLiteral':
      return code(e.bytes ? bytes(e.value) : quote(textOf(c, e)), P.primary);
    case 'Joined':
      return joined(c, e);
    case 'Constant':
      return code(e.value === 'ellipsis' ? 'undefined' : String(e.value), P.primary);
    case 'NameRef':
      return code(mark(c, e, e.name) + reference(c, e), P.primary);
    case 'SpecialRef':
      return code(special(c, e), P.primary);
    case 'TupleExpr':
    case 'ListExpr':
      return code(`[${list(c, e.items)}]`, P.primary);
    case 'SetExpr':
      return code(`${setMaker(c, e.items)}([${list(c, e.items)}])`, P.primary);
    case 'DictExpr':
      return code(dict(c, e), P.primary);
    case 'Comprehension':
      return comprehension(c, e);
    case 'Lambda':
      return lambda(c, e);
    case 'FunctionExpr':
      return functionExpression(c, e.decl);
    case 'Conditional':
      return conditional(c, e);
    case 'Walrus':
      return code(assignTarget(c, e.name, expr(c, e.value)), P.assign);
    case 'Binary':
      return binary(c, e);
    case 'Logical':
      return logical(c, e);
    case 'Unary':
      return unary(c, e);
    case 'Compare':
      return compare(c, e);
    case 'Cast':
    case 'Borrow':
      return gen(c, e.expr);
    case 'Await':
      return awaited(c, e);
    case 'Flow':
      return e.word === 'wait' ? code(`await ${expr(c, e.expr, P.unary)}`, P.unary) : gen(c, e.expr);
    case 'By':
      return code(`${wire(c.u, 'absent')}("by")`, P.call);
    case 'Pipe':
      return pipe(c, e);
    case 'Connect':
    case 'Disconnect':
    case 'EdgeRef':
      return code(`${wire(c.u, 'absent')}("edges of the graph")`, P.call);
    case 'Spawn':
      return spawn(c, e);
    case 'Starred':
      return code(`...${lang(c.u, 'iter')}(${expr(c, e.expr)})`, P.comma);
    case 'Call':
      return call(c, e);
    case 'Attribute': {
      const method = methodOfType(c, e);
      return method === undefined
        ? (memberPart(c, e) ?? boundMethod(c, e) ?? propertyCode(c, e))
        : code(method, P.call);
    }
    case 'Index':
      return index(c, e);
    case 'Slice':
      return code(slice(c, e).join(', '), P.comma);
    case 'Filter':
      return filter(c, e);
    case 'AssignTrailer': {
      const fields = e.fields.map(({ name, value }) => `${property(name.text)}: ${expr(c, value)}`).join(', ');
      return code(`${lang(c.u, 'assignAll')}(${expr(c, e.object)}, { ${fields} })`, P.call);
    }
    case 'Yield':
      return yielded(c, e);
    case 'Markup':
      return markup(c, e);
    case 'Missing':
      return code('undefined', P.primary);
  }
}

function special(c: Cx, e: ast.SpecialRef): string {
  const parameter = c.u.names.special(e);
  if (parameter !== undefined) return c.u.renamed.get(parameter) ?? identifier(parameter.name);
  switch (e.word) {
    case 'self':
      return c.self ?? 'self';
    case 'props':
      return c.fn.component?.props ?? 'props';
    case 'root':
      return wire(c.u, 'root');
    case 'super':
      return 'super';
    default:
      return `${wire(c.u, 'absent')}(${quote(e.word)})`;
  }
}

/** Maker of a set: that of JavaScript tells tuples, and objects that say what they equal, apart by what they are. */
export function setMaker(c: Cx, items: readonly ast.Expression[]): string {
  const isByValue = (e: ast.Expression) => {
    const type = c.u.types.of(e);
    return kindOf(c, e) === 'list' || (type.t === 'instance' && type.cls.methods.has('__eq__'));
  };
  return items.some(isByValue) ? lang(c.u, 'setOf') : 'new Set';
}

export function list(c: Cx, items: readonly ast.Expression[]): string {
  return items.map((item) => (item.kind === 'Starred' ? `...${iterated(c, item.expr)}` : expr(c, item))).join(', ');
}

/** Code of the things that a loop or a spread goes through: lists as they are, keys of dicts, anything else that can be iterated. */
export function iterated(c: Cx, e: ast.Expression, min: number = P.assign): string {
  const kind = kindOf(c, e);
  if (kind === 'list' || kind === 'set' || kind === 'str') return expr(c, e, min);
  if (kind === 'dict') return keysOf(c, e);
  return `${lang(c.u, 'iter')}(${expr(c, e)})`;
}

/** Code of the list of a dict's keys; those that are numbers by the type of the dict, which an object of JavaScript has as texts, are numbers. */
export function keysOf(c: Cx, e: ast.Expression): string {
  return `Object.keys(${expr(c, e)})${hasNumbers(c, e) ? '.map(Number)' : ''}`;
}

/** The same of keys with values. */
export function entriesOf(c: Cx, e: ast.Expression): string {
  const entries = `Object.entries(${expr(c, e)})`;
  return hasNumbers(c, e) ? `${entries}.map(([key, value]) => [Number(key), value])` : entries;
}

/** Is it a dict whose keys are numbers by its type? */
export function hasNumbers(c: Cx, e: ast.Expression): boolean {
  const type = mainType(c.u.types.of(e));
  return type.t === 'dict' && (type.key.t === 'int' || type.key.t === 'float');
}

/** The text of a literal; in a `className` with the classes of the module's own sheet. */
function textOf({ u }: Cx, e: ast.StringLiteral): string {
  return u.scopedTexts.get(e) ?? e.value;
}

function bytes(value: string): string {
  return `new Uint8Array([${[...value].map((char) => char.charCodeAt(0)).join(', ')}])`;
}

// ---------------------------------------------------------------- text

/** A template; for a single value what gives its text alone. */
function joined(c: Cx, e: ast.Joined): Code {
  const [only] = e.parts;
  const isAlone = e.parts.length === 1 && only?.kind === 'FormatPart' && only.debugText === undefined;
  const call = isAlone ? textCall(c, only) : undefined;
  return call === undefined ? code(template(c, e), P.primary) : code(call, P.call);
}

function template(c: Cx, e: ast.Joined): string {
  const parts = e.parts.map((part) =>
    part.kind === 'StringLiteral' ? templateText(textOf(c, part)) : formatted(c, part),
  );
  return `\`${parts.join('')}\``;
}

function templateText(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\"/g, '"')
    .replace(/`|\$(?=\{)/g, '\\$&')
    .replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function formatted(c: Cx, part: ast.FormatPart): string {
  const head = part.debugText === undefined ? '' : templateText(part.debugText);
  return `${head}\${${textCall(c, part) ?? expr(c, part.expr)}}`;
}

/** Call that gives the text of a value; undefined where a template of JavaScript writes it in the same way. */
function textCall(c: Cx, part: ast.FormatPart): string | undefined {
  const { conversion = part.debugText !== undefined && part.spec === undefined ? 'r' : undefined, spec } = part;
  const written = expr(c, part.expr);
  const isRepr = conversion === 'r' || conversion === 'a';
  const texts = isRepr ? 'repr' : conversion === 's' && spec !== undefined ? 'str' : undefined;
  if (spec === undefined || texts !== undefined) {
    const text = typedTextCall(c, part.expr, written) ?? untypedText(c, part, texts, written);
    if (spec === undefined) return text;
    return `${lang(c.u, 'format')}(${text}, ${formCode(c, spec)})`;
  }
  const digits = spec.kind === 'StringLiteral' ? fixedForm(spec.value) : undefined;
  if (digits !== undefined) return `${lang(c.u, 'fixed')}(${written}, ${digits})`;
  const mark = mainType(c.u.types.of(part.expr)).t === 'float' ? ', true' : '';
  return `${lang(c.u, 'format')}(${written}, ${formCode(c, spec)}${mark})`;
}

function untypedText(c: Cx, part: ast.FormatPart, texts: 'repr' | 'str' | undefined, written: string) {
  if (texts !== undefined) return `${lang(c.u, texts)}(${written})`;
  const kind = kindOf(c, part.expr);
  if (kind === 'str' || kind === 'number') return undefined;
  const isFormatted = part.conversion !== 's' && c.u.link.plan.hasFormats && (kind === 'object' || kind === 'unknown');
  return `${lang(c.u, isFormatted ? 'format' : 'str')}(${written})`;
}

function formCode(c: Cx, spec: NonNullable<ast.FormatPart['spec']>): string {
  return spec.kind === 'Joined' ? template(c, spec) : quote(spec.value);
}

/** `.2f` and `,.2f`: what the helper for them takes. */
function fixedForm(spec: string): string | undefined {
  const found = /^([,_]?)\.(\d+)f$/.exec(spec);
  if (found === null) return undefined;
  return found[1] === '' ? found[2]! : `${found[2]}, ${quote(found[1]!)}`;
}

// ---------------------------------------------------------------- dicts

/**
 * A bare key that is a variable in scope is its value, any other is the text (client reference, dict literals). So is
 * that of a function, which no key can be (`{scrollTo: lambda y: int: scrollTo(y)}`), and one whose value is the same
 * variable: `{open: open}` is JavaScript's.
 */
function dict(c: Cx, e: ast.DictExpr): string {
  if (e.entries.length === 0) return '{}';
  const entries = e.entries.map(({ key, value }) => {
    if (key === undefined) return `...${expr(c, value)}`;
    const written = expr(c, value);
    if (key.kind === 'StringLiteral') return member(textOf(c, key), written);
    if (key.kind === 'NumberLiteral') return `${String(key.value)}: ${written}`;
    if (key.kind === 'NameRef') {
      const { sort } = c.u.names.binding(key);
      const isOwn = value.kind === 'NameRef' && value.name === key.name;
      if (isOwn || sort === 'unresolved' || sort === 'builtin' || c.u.types.of(key).t === 'function')
        return member(key.name, written);
    }
    const isPlain = kindOf(c, key) === 'str' || kindOf(c, key) === 'number';
    if ((key.kind === 'Attribute' || key.kind === 'NameRef') && !isPlain)
      return `[${lang(c.u, 'key')}(${expr(c, key)})]: ${written}`;
    return `[${expr(c, key)}]: ${written}`;
  });
  return `{ ${entries.join(', ')} }`;
}

/** `name: value`, or the name alone where the variable is called so. */
export function member(name: string, written: string): string {
  return unmarked(written) === name ? written : `${property(name)}: ${written}`;
}

/** A name in an object literal. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__'
    ? name
    : name === '__proto__'
      ? '["__proto__"]'
      : quote(name);
}

// ---------------------------------------------------------------- places

function index(c: Cx, e: ast.Index): Code {
  const { object, index: key } = e;
  const receiver = gen(c, object);
  const dot = e.safe ? '?.' : '';
  if (key.kind === 'Slice') return helperOn(c, 'slice', object, receiver, slice(c, key), e.safe);
  const owner = at(receiver, P.call);
  const kind = kindOf(c, object);
  const isOwn = mayHaveItems(c, kind);
  if (key.kind === 'StringLiteral' && kind !== 'str' && !isOwn) {
    const name = key.value;
    const isName = /^[A-Za-z_$][\w$]*$/.test(name);
    return code(isName ? `${owner}${e.safe ? '?.' : '.'}${name}` : `${owner}${dot}[${quote(name)}]`, P.call);
  }
  if (key.kind === 'NumberLiteral' && kind !== 'dict' && kind !== 'str' && kind !== 'object' && !isOwn)
    return code(`${owner}${dot}[${String(key.value)}]`, P.call);
  if (kind === 'list' && key.kind === 'Unary' && key.op === '-' && key.operand.kind === 'NumberLiteral')
    return code(`${owner}${dot}.at(-${String(key.operand.value)})`, P.call);
  const keyKind = kindOf(c, key);
  if (kind === 'list' && isCounter(c, key)) return code(`${owner}${dot}[${expr(c, key)}]`, P.call);
  if (kind === 'list' && keyKind === 'number') return code(`${owner}${e.safe ? '?.' : '.'}at(${expr(c, key)})`, P.call);
  if (kind === 'dict' && (keyKind === 'str' || keyKind === 'number'))
    return code(`${owner}${dot}[${expr(c, key)}]`, P.call);
  return helperOn(c, 'index', object, receiver, [expr(c, key)], e.safe);
}

/** A helper of the language on a receiver. Where the chain before it may be None (`user?.tags[i]`, `tags?[i]`), it is left out with all that follows it. */
export function helperOn(
  c: Cx,
  name: string,
  object: ast.Expression,
  receiver: Code,
  rest: readonly string[],
  isSafe: boolean,
): Code {
  const on = at(receiver, P.assign);
  const helper = lang(c.u, name);
  if (!isSafe && !mayEnd(object)) return code(`${helper}(${[on, ...rest].join(', ')})`, P.call);
  return code(`${lang(c.u, 'present')}(${on})?.apply(${[helper, ...rest].join(', ')})`, P.call);
}

/** Does a chain have a link that ends it at None? */
export function mayEnd(chain: ast.Expression): boolean {
  for (let e = chain; ; ) {
    if (e.kind === 'Call') e = e.callee;
    else if (e.kind !== 'Attribute' && e.kind !== 'Index') return false;
    else if (e.safe) return true;
    else e = e.object;
  }
}

function isCounter(c: Cx, e: ast.Expression): boolean {
  if (e.kind !== 'NameRef') return false;
  const binding = c.u.names.binding(e);
  return binding.sort === 'local' && c.u.counters.has(binding);
}

export function slice(c: Cx, { lower, upper, step }: ast.Slice): string[] {
  const parts = [lower, upper, step].map((part) => (part === undefined ? 'null' : expr(c, part)));
  while (parts.length > 1 && parts.at(-1) === 'null') parts.pop();
  return parts;
}

// ---------------------------------------------------------------- the rest

function awaited(c: Cx, e: ast.Await): Code {
  // A walk is awaited as it is; a second `await` says nothing more.
  if (e.expr.kind === 'Spawn') return gen(c, e.expr);
  return code(`await ${expr(c, e.expr, P.unary)}`, P.unary);
}

function pipe(c: Cx, e: ast.Pipe): Code {
  const forward = e.op === '|>' || e.op === ':>';
  const [value, target] = forward ? [e.left, e.right] : [e.right, e.left];
  const callee = target === undefined ? undefined : expr(c, target, P.call);
  if (callee === undefined || value === undefined) return gen(c, e.right);
  const args = value.kind === 'TupleExpr' ? list(c, value.items) : expr(c, value);
  return code(`${callee}(${args})`, P.call);
}

function filter(c: Cx, { object, filter: spec }: ast.Filter): Code {
  const tests = spec.conditions.map(({ field, op, value }) => {
    const left = `item.${field.text}`;
    const right = expr(c, value);
    switch (op) {
      case 'in':
        return `${lang(c.u, 'contains')}(${left}, ${right})`;
      case 'not in':
        return `!${lang(c.u, 'contains')}(${left}, ${right})`;
      case '==':
      case 'is':
        return `${lang(c.u, 'eq')}(${left}, ${right})`;
      case '!=':
      case 'is not':
        return `${lang(c.u, 'ne')}(${left}, ${right})`;
      default:
        return `${left} ${op} ${right}`;
    }
  });
  if (spec.type !== undefined) tests.unshift(`${lang(c.u, 'isinstance')}(item, ${expr(c, spec.type)})`);
  const condition = tests.length === 0 ? 'true' : tests.join(' && ');
  return code(`${lang(c.u, 'array')}(${expr(c, object)}).filter((item) => ${condition})`, P.call);
}

function yielded(c: Cx, e: ast.Yield): Code {
  const value = e.value === undefined ? '' : ` ${e.from ? iterated(c, e.value) : expr(c, e.value)}`;
  return code(`yield${e.from ? '*' : ''}${value}`, P.assign);
}
