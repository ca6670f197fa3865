/**
 * Graph operations: edge references, connect, spawn, visit, report, filters (docs/language/walkers.md,
 * docs/language/expressions.md, docs/language/graph.md).
 */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { type Cx, line, mark, unique } from './context.ts';
import { expr, inOrder, waited } from './expressions.ts';
import { objectKey, property, quote } from './identifiers.ts';
import { isSimple, mainTypeOf, typeOf } from './kinds.ts';
import { both, typeTest } from './operators.ts';
import { block } from './statements.ts';
import { typeList } from './type-values.ts';

// ---------------------------------------------------------------- edge references

export function edgeReference(c: Cx, e: ast.EdgeRef, path: readonly ast.Hop[] = e.hops, page?: Page): string {
  const held: Held[] = [];
  const origin = e.origin === undefined ? implicitOrigin(c) : expr(c, e.origin);
  const hops = path.map((hop, i) => hopCode(c, hop, held, i === path.length - 1 ? page : undefined));
  const list = hops.length === 1 && hops[0] === bareOut ? '$.out' : `[${hops.join(', ')}]`;
  const code = holding(held, (from) => `$.hops(${from ?? origin}, "${e.want}", ${list})`, origin);
  return waited(c, e, mark(c, e) + code);
}

// The hop of `[-->]`; the runtime holds it as `$.out`.
const bareOut = '{ dir: "out" }';

function isBareOut(e: ast.Expression): e is ast.EdgeRef {
  if (e.kind !== 'EdgeRef' || e.want !== 'node' || e.hops.length !== 1) return false;
  const { op, filter, only } = e.hops[0]!;
  const plain = op.direction === 'out' && op.type === undefined && op.conditions.length === 0;
  return plain && filter === undefined && only === undefined;
}

/** The part of a result that is asked for. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** `[…-->…][:10]`, `[-->][?:T][5:10]`: the store reads no more than that. Undefined when the bounds are not plain numbers. */
export function pageOfReference(c: Cx, object: ast.Expression, part: ast.Slice): string | undefined {
  const [offset, end] = [bound(part.lower, 0), bound(part.upper, undefined)];
  if (offset === undefined || end === undefined || part.step !== undefined || c.u.computed.has(object))
    return undefined;
  const page = { offset, limit: Math.max(0, end - offset) };
  if (object.kind === 'EdgeRef') return edgeReference(c, object, object.hops, page);
  const path =
    object.kind === 'Filter' && object.object.kind === 'EdgeRef' && !c.u.computed.has(object.object)
      ? filteredPath(object, object.object)
      : undefined;
  return path === undefined ? undefined : edgeReference(c, (object as ast.Filter).object as ast.EdgeRef, path, page);
}

function bound(e: ast.Expression | undefined, fallback: number | undefined): number | undefined {
  if (e === undefined) return fallback;
  return e.kind === 'NumberLiteral' && Number.isSafeInteger(e.value) && !e.float ? Number(e.value) : undefined;
}

/** Gives the code of the start of an edge reference without origin (docs/language/graph.md#origin). */
function implicitOrigin(c: Cx): string {
  if (c.ability === 'walker' && c.here !== undefined) return c.here;
  if (c.ability === 'location' && c.self !== undefined) return c.self;
  if (c.cls?.kind === 'node' && c.self === 'this') return 'this';
  return '$.root()';
}

/** A condition's right side, evaluated once in front of the filter. */
interface Held {
  readonly name: string;
  readonly code: string;
}

// Held values become parameters of a function around the operation; the origin is evaluated before them.
function holding(held: readonly Held[], write: (origin: string | undefined) => string, origin: string): string {
  if (held.length === 0) return write(undefined);
  const names = held.map((one) => one.name);
  return `(($from, ${names.join(', ')}) => ${write('$from')})(${[origin, ...held.map((one) => one.code)].join(', ')})`;
}

function hopCode(c: Cx, hop: ast.Hop, held: Held[], page: Page | undefined): string {
  const parts = edgeParts(c, hop.op, held);
  if (page !== undefined) parts.push(`limit: ${page.limit}`, ...(page.offset > 0 ? [`offset: ${page.offset}`] : []));
  if (hop.filter !== undefined) {
    const { type, conditions } = hop.filter;
    const classes = type === undefined ? [] : typeList(c, type);
    if (classes.length > 0) parts.push(`nodeType: ${listCode(classes)}`);
    const cls = type === undefined ? undefined : knownClass(c, type);
    const tests = conditions.map((condition) => conditionParts(c, condition, cls, held));
    if (tests.length > 0) {
      parts.push(`nodeWhere: ($o) => ${conjunction(c, tests)}`);
      const where = tests.map((test) => test.where).filter((one) => one !== undefined);
      if (where.length > 0) parts.push(`where: [${where.join(', ')}]`);
    }
  }
  if (hop.only !== undefined && typeOf(c, hop.only).t === 'class') {
    parts.push(`nodeType: ${listCode(typeList(c, hop.only))}`); // docs/language/graph.md#edge-references
  } else if (hop.only !== undefined) {
    const name = unique(c.u, 'v');
    if (isSimple(c, hop.only)) parts.push(`only: ${expr(c, hop.only)}`);
    else {
      held.push({ name, code: expr(c, hop.only) });
      parts.push(`only: ${name}`);
    }
  }
  return `{ ${parts.join(', ')} }`;
}

function edgeParts(c: Cx, op: ast.EdgeOp, held: Held[]): string[] {
  const parts = [`dir: "${op.direction}"`];
  if (op.type !== undefined) parts.push(`type: ${listCode(typeList(c, op.type))}`);
  if (op.conditions.length > 0) {
    const cls = op.type === undefined ? undefined : knownClass(c, op.type);
    const tests = op.conditions.map((condition) => conditionParts(c, condition, cls, held));
    parts.push(`edgeWhere: ($o) => ${conjunction(c, tests)}`);
  }
  return parts;
}

function listCode(classes: readonly string[]): string {
  return classes.length === 1 ? classes[0]! : `[${classes.join(', ')}]`;
}

function knownClass(c: Cx, type: ast.Expression): ClassInfo | undefined {
  const known = typeOf(c, type);
  if (known.t === 'class') return known.cls;
  const annotated = type.kind === 'NameRef' ? c.u.types.annotation(type) : undefined;
  return annotated?.t === 'instance' ? annotated.cls : undefined;
}

// ---------------------------------------------------------------- conditions

interface Test {
  readonly code: string;
  /** Condition for the store, when it can use it. */
  readonly where: string | undefined;
  /** The field is read through this declaration first, because the item may lack it. */
  readonly guard: string | undefined;
}

function conjunction(_c: Cx, tests: readonly Test[]): string {
  const locals = tests.flatMap((test) => (test.guard === undefined ? [] : [test.guard]));
  const code = tests.map((test) => test.code).join(' && ');
  return locals.length === 0 ? `(${code})` : `{ let ${locals.join(', ')}; return ${code}; }`;
}

// An item that lacks the field is dropped (docs/language/expressions.md#filters): the namespace object stands for
// "missing".
function conditionParts(c: Cx, condition: ast.FilterCondition, cls: ClassInfo | undefined, held: Held[]): Test {
  const name = condition.field.text;
  const literal = isLiteral(condition.value);
  let value: string;
  if (literal) value = expr(c, condition.value);
  else {
    value = unique(c.u, 'v');
    held.push({ name: value, code: expr(c, condition.value) });
  }
  const field = cls?.fields.get(name);
  const where = pushDown(c, condition, name, value);
  if (field !== undefined && cls?.kind !== 'runtime' && !field.static) {
    return { code: comparisonCode(condition, `$o.${property(name)}`, value), where, guard: undefined };
  }
  const local = unique(c.u, 'a');
  const found = `(${local} = $.getattrOr($o, ${quote(name)}, $)) !== $`;
  return { code: `${found} && ${comparisonCode(condition, local, value)}`, where, guard: local };
}

function isLiteral(e: ast.Expression): boolean {
  return e.kind === 'NumberLiteral' || e.kind === 'Constant' || (e.kind === 'StringLiteral' && !e.bytes);
}

function comparisonCode(condition: ast.FilterCondition, left: string, right: string): string {
  const { op, value } = condition;
  const none = value.kind === 'Constant' && value.value === null;
  switch (op) {
    case '==':
    case '!=': {
      const not = op === '==' ? '' : '!';
      if (value.kind === 'StringLiteral')
        return `${not}(${left} === ${right} || typeof ${left} !== "string" && $.eq(${left}, ${right}))`;
      if (value.kind === 'NumberLiteral')
        return `${not}(${left} === ${right} || typeof ${left} !== "number" && $.eq(${left}, ${right}))`;
      if (value.kind === 'Constant' && typeof value.value === 'boolean') {
        return `${not}(${left} === ${right} || typeof ${left} !== "boolean" && $.eq(${left}, ${right}))`;
      }
      return `${not}$.eq(${left}, ${right})`;
    }
    case 'is':
      return none ? `${left} == null` : `$.is(${left}, ${right})`;
    case 'is not':
      return none ? `${left} != null` : `!$.is(${left}, ${right})`;
    case 'in':
      return `$.contains(${right}, ${left})`;
    case 'not in':
      return `!$.contains(${right}, ${left})`;
    default: {
      const helper = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' }[op];
      const slow = `$.${helper}(${left}, ${right})`;
      if (value.kind === 'StringLiteral' || value.kind === 'Constant') return slow;
      const isNumber = value.kind === 'NumberLiteral' && typeof value.value === 'number';
      const test = both(typeTest(left, 'number'), isNumber ? '' : typeTest(right, 'number'));
      return `(${test} ? ${left} ${op} ${right} : ${slow})`;
    }
  }
}

const storable: Readonly<Record<string, string>> = { str: 'string', int: 'number', float: 'number', bool: 'boolean' };

// A condition the store may check itself: a comparison with a plain value.
function pushDown(c: Cx, condition: ast.FilterCondition, name: string, value: string): string | undefined {
  if (condition.op === 'in' || condition.op === 'not in' || condition.op === 'is' || condition.op === 'is not')
    return undefined;
  const type = typeOf(c, condition.value);
  const entry = `{ field: ${quote(name)}, op: "${condition.op}", value: ${value} }`;
  if (isLiteral(condition.value))
    return condition.value.kind === 'NumberLiteral' && typeof condition.value.value === 'bigint' ? undefined : entry;
  const js = storable[type.t];
  return js === undefined ? undefined : `...(typeof ${value} === "${js}" ? [${entry}] : [])`;
}

// ---------------------------------------------------------------- trailers

export function filterTrailer(c: Cx, e: ast.Filter): string {
  const { object: source } = e;
  if (source.kind === 'EdgeRef' && !c.u.computed.has(source)) {
    const path = filteredPath(e, source);
    if (path !== undefined) return edgeReference(c, source, path);
  }
  const held: Held[] = [];
  const { type, conditions } = e.filter;
  const object = expr(c, e.object);
  const classes = type === undefined ? undefined : listCode(typeList(c, type));
  const cls = type === undefined ? undefined : knownClass(c, type);
  const tests = conditions.map((condition) => conditionParts(c, condition, cls, held));
  const rest =
    tests.length > 0
      ? `, ${classes ?? 'undefined'}, ($o) => ${conjunction(c, tests)}`
      : classes === undefined
        ? ''
        : `, ${classes}`;
  return waited(c, e, mark(c, e) + holding(held, (from) => `$.filter(${from ?? object}${rest})`, object));
}

// `[-->][?:T]` is `[-->[?:T]]`: the store sees the filter.
function filteredPath(e: ast.Filter, source: ast.EdgeRef): readonly ast.Hop[] | undefined {
  const last = source.want === 'node' ? source.hops.at(-1) : undefined;
  if (last === undefined || last.filter !== undefined || last.only !== undefined) return undefined;
  return [...source.hops.slice(0, -1), { ...last, filter: e.filter }];
}

/** `xs(=a=1)` */
export function assignTrailer(c: Cx, e: ast.AssignTrailer): string {
  const pairs = e.fields.map(({ name, value }) => `[${quote(name.text)}, ${expr(c, value)}]`);
  return waited(c, e, `${mark(c, e)}$.assign(${expr(c, e.object)}, [${pairs.join(', ')}])`);
}

/** `&x`: the object with that id for a string that may be one, else the value itself. */
export function borrow(c: Cx, e: ast.Borrow): string {
  if (e.word !== '&') return expr(c, e.expr);
  const type = mainTypeOf(c, e.expr);
  if (type.t === 'instance' || type.t === 'list' || type.t === 'dict') return expr(c, e.expr);
  return waited(c, e, `${mark(c, e)}$.borrow(${expr(c, e.expr)})`);
}

// ---------------------------------------------------------------- connect, spawn

export function connect(c: Cx, e: ast.Connect): string {
  const args = [expr(c, e.left), expr(c, e.right), `"${e.direction}"`];
  if (e.edge !== undefined || e.fields.length > 0) args.push(e.edge === undefined ? 'undefined' : expr(c, e.edge));
  if (e.fields.length > 0) {
    args.push(`{ ${e.fields.map(({ name, value }) => `${objectKey(name.text)}: ${expr(c, value)}`).join(', ')} }`);
  }
  return waited(c, e, `${mark(c, e)}$.connect(${args.join(', ')})`);
}

export function disconnect(c: Cx, e: ast.Disconnect): string {
  const held: Held[] = [];
  const { before, codes } = inOrder(c, [e.left, e.right]);
  const hop = `{ ${edgeParts(c, e.op, held).join(', ')} }`;
  const code = holding(held, (from) => `$.disconnect(${from ?? codes[0]}, ${codes[1]}, ${hop})`, codes[0]!);
  return waited(c, e, before === '' ? mark(c, e) + code : `(${before}${mark(c, e)}${code})`);
}

export function spawn(c: Cx, e: ast.Spawn): string {
  const waitsHere = c.u.types.isUnusedSpawn(e) && c.isAsync && c.u.types.waits(e);
  const walk = waitsHere ? `, ${c.walk ?? 'undefined'}, $.now` : c.walk === undefined ? '' : `, ${c.walk}`;
  // `X spawn |> W()` is read as `X spawn W()`.
  const right =
    e.right.kind === 'Pipe' && e.right.left === undefined && e.right.right.kind === 'Call' ? e.right.right : e.right;
  const from = c.u.options.checksSpawns === true ? `From(${quote(c.u.id)}, ` : '(';
  if (e.left === undefined) return waited(c, e, `${mark(c, e)}$.spawnPrefix${from}${expr(c, right)}${walk})`);
  return waited(c, e, `${mark(c, e)}$.spawn${from}${expr(c, e.left)}, ${expr(c, right)}${walk})`);
}

// ---------------------------------------------------------------- statements

export function reportStatement(c: Cx, s: ast.ReportStatement): string {
  return line(c, `${mark(c, s)}$.report(${c.walk ?? 'undefined'}, ${expr(c, s.value)});`);
}

export function visitStatement(c: Cx, s: ast.VisitStatement): string {
  const index = s.index === undefined ? '' : `, ${expr(c, s.index)}`;
  const code = mark(c, s) + visitCode(c, s.what, index);
  if (s.orElse === undefined) return line(c, `${code};`);
  return line(c, `if (!${code}) {`) + block(c, s.orElse) + line(c, '}');
}

function visitCode(c: Cx, what: ast.Expression, index: string): string {
  const walk = c.walk ?? 'undefined';
  if (index === '' && isBareOut(what) && !c.u.computed.has(what)) {
    const origin = what.origin === undefined ? implicitOrigin(c) : expr(c, what.origin);
    return waited(c, what, `$.visitOut(${walk}, ${origin})`);
  }
  const helper = what.kind === 'EdgeRef' && what.want === 'edge' ? 'visitEdges' : 'visit';
  return `$.${helper}(${walk}, ${expr(c, what)}${index})`;
}

/** `->T { … }`: runs when the location (for a node's ability the visitor) is a `T`. */
export function typedContext(c: Cx, s: ast.TypedContext): string {
  if (s.type === undefined) return line(c, '{') + block(c, s.body) + line(c, '}');
  const subject = c.ability === 'location' ? (c.visitor ?? '$.visitor()') : (c.here ?? '$.here()');
  const classes = typeList(c, s.type);
  const type = classes.length === 1 ? classes[0]! : `$.tuple(${classes.join(', ')})`;
  return line(c, `${mark(c, s)}if ($.b.isinstance(${subject}, ${type})) {`) + block(c, s.body) + line(c, '}');
}
