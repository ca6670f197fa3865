/** Targets of assignments: variables, state cells, members, items, and patterns of them. */
import type * as ast from '../1-parse/ast.ts';
import type { Binding, LocalBinding } from '../2-resolve/names.ts';
import { at, type Code, code, P } from './code.ts';
import { type Cx, inner, lang, line, mark, temp } from './cx.ts';
import { expr, gen, slice } from './expressions.ts';
import { kindOf, mayHaveItems, mayHaveOperators } from './kinds.ts';
import { bindingCode } from './names.ts';
import { binaryOf, changingMethod } from './operators.ts';
import { ownOfComponent } from './properties.ts';

/** An assignment as an expression. `value` is code that binds no looser than an assignment. */
export function assignTarget(c: Cx, target: ast.Expression | ast.Name, value: string): string {
  switch (target.kind) {
    case 'Name':
    case 'NameRef':
      return assignVariable(c, target, c.u.names.binding(target), value);
    case 'Attribute': {
      const cell = stateOfSelf(c, target);
      if (cell !== undefined) return setCell(c, cell, value);
      return `${ownOfComponent(c, target) ?? `${expr(c, target.object, P.call)}.${mark(c, target.name)}${target.name.text}`} = ${value}`;
    }
    case 'Index': {
      const { object, index } = target;
      if (index.kind === 'Slice') {
        const [lower, upper = 'null', step = 'null'] = slice(c, index);
        return `${lang(c.u, 'setSlice')}(${expr(c, object)}, ${lower}, ${upper}, ${step}, ${value})`;
      }
      if (isPlainPlace(c, target)) return `${expr(c, object, P.call)}[${expr(c, index)}] = ${value}`;
      return `${lang(c.u, 'setIndex')}(${expr(c, object)}, ${expr(c, index)}, ${value})`;
    }
    case 'TupleExpr':
    case 'ListExpr':
      return assignPattern(c, target.items, value);
    default:
      return `${expr(c, target)} = ${value}`;
  }
}

/** `d["name"] = v` and `d[key] = v` of a dict, `xs[0] = v`: what JavaScript does is what is meant. */
function isPlainPlace(c: Cx, { object, index }: ast.Index): boolean {
  const [owner, key] = [kindOf(c, object), kindOf(c, index)];
  if (mayHaveItems(c, owner)) return false;
  if (key === 'str') return owner !== 'object';
  return index.kind === 'NumberLiteral' || (owner === 'dict' && key === 'number');
}

function assignVariable(c: Cx, node: ast.Name | ast.NameRef, binding: Binding, value: string): string {
  if (binding.sort === 'local' && c.u.setters.has(binding)) return setCell(c, binding, value);
  return `${mark(c, node)}${bindingCode(c, binding)} = ${value}`;
}

function stateOfSelf(c: Cx, { object, name }: ast.Attribute): LocalBinding | undefined {
  if (object.kind !== 'SpecialRef' || object.word !== 'self' || c.self !== undefined) return undefined;
  const node = c.fn.component?.node;
  const local = node === undefined ? undefined : c.u.names.scope(node).locals.get(name.text);
  return local !== undefined && c.u.setters.has(local) ? local : undefined;
}

function setCell(c: Cx, cell: LocalBinding, value: string): string {
  return `${c.u.setters.get(cell)}(${value})`;
}

/** Several targets at once: taken apart by JavaScript where all are variables, one after the other where state or members are among them. */
function assignPattern(c: Cx, items: readonly ast.Expression[], value: string): string {
  const plain = pattern(c, items);
  if (plain !== undefined) return `[${plain.join(', ')}] = ${value}`;
  const name = temp(c);
  const star = items.findIndex((item) => item.kind === 'Starred');
  const assigned = items.map((item, i) => {
    if (item.kind === 'Starred') {
      const after = items.length - i - 1;
      return assignTarget(c, item.expr, `${name}.slice(${i}${after === 0 ? '' : `, ${name}.length - ${after}`})`);
    }
    const place = star >= 0 && i > star ? `${name}[${name}.length - ${items.length - i}]` : `${name}[${i}]`;
    return assignTarget(c, item, place);
  });
  return `(${name} = ${lang(c.u, 'array')}(${value}), ${assigned.join(', ')})`;
}

/** The items of a destructuring pattern; undefined where JavaScript has none for them. */
export function pattern(c: Cx, items: readonly ast.Expression[]): string[] | undefined {
  const parts: string[] = [];
  for (const [i, item] of items.entries()) {
    if (item.kind === 'NameRef') {
      const binding = c.u.names.binding(item);
      if (binding.sort === 'local' && c.u.setters.has(binding)) return undefined;
      parts.push(item.name === '_' && binding.sort !== 'local' ? '' : bindingCode(c, binding));
    } else if (item.kind === 'Starred') {
      if (i < items.length - 1) return undefined;
      const rest = pattern(c, [item.expr]);
      if (rest === undefined) return undefined;
      parts.push(`...${rest[0]}`);
    } else if (item.kind === 'TupleExpr' || item.kind === 'ListExpr') {
      const nested = pattern(c, item.items);
      if (nested === undefined) return undefined;
      parts.push(`[${nested.join(', ')}]`);
    } else if (item.kind === 'Attribute' && stateOfSelf(c, item) === undefined) parts.push(expr(c, item));
    else return undefined;
  }
  return parts;
}

/** `x += 1` as an expression. */
export function augmented(c: Cx, s: ast.AugAssign): string {
  const { target } = s;
  const op = s.op as ast.Binary['op'];
  const [l, r] = [kindOf(c, target), kindOf(c, s.value)];
  const value = gen(c, s.value);
  const changing = changingMethod(c, op, target);
  /** The new value, where the old one is `left`. */
  const changed = (left: Code) =>
    changing === undefined
      ? binaryOf(c, op, left, l, value, r)
      : code(`${at(left, P.call)}.${changing}(${at(value, P.assign)})`, P.call);
  if (target.kind === 'NameRef') {
    const binding = c.u.names.binding(target);
    const isState = binding.sort === 'local' && c.u.setters.has(binding);
    const isPlain =
      isNumeric(op) &&
      !mayHaveOperators(c, l) &&
      !mayHaveOperators(c, r) &&
      (l === 'number' || r === 'number' || (op === '+' && (l === 'str' || r === 'str'))) &&
      (op !== '*' || l === r);
    if (!isState && isPlain) return `${bindingCode(c, binding)} ${op}= ${at(value, P.assign)}`;
    if (!isState && op === '+' && l === 'list')
      return `${bindingCode(c, binding)}.push(...${lang(c.u, 'iter')}(${at(value, P.assign)}))`;
    const left = code(bindingCode(c, binding), P.primary);
    if (!isState && op === '+' && l === 'unknown' && r === 'list')
      return assignTarget(c, target, `${lang(c.u, 'extended')}(${left.text}, ${at(value, P.assign)})`);
    return assignTarget(c, target, at(changed(left), P.assign));
  }
  if (target.kind === 'Attribute' || target.kind === 'Index') {
    const object = held(c, target.object);
    const place: ast.Attribute | ast.Index =
      target.kind === 'Attribute'
        ? { ...target, object: object.node }
        : { ...target, object: object.node, index: target.index };
    return object.wrap(() => {
      return assignTarget(c, place, at(changed(gen(c, place)), P.assign));
    });
  }
  return `${expr(c, target)} ${op}= ${at(value, P.assign)}`;
}

function isNumeric(op: string): boolean {
  return op === '+' || op === '-' || op === '*' || op === '/';
}

/** The owner of a place that is read and written: evaluated once. */
function held(c: Cx, e: ast.Expression): { readonly node: ast.Expression; wrap(write: () => string): string } {
  if (e.kind === 'NameRef' || e.kind === 'SpecialRef' || e.kind === 'Attribute')
    return { node: e, wrap: (write) => write() };
  const name = temp(c);
  const stand: ast.NameRef = { kind: 'NameRef', name, escaped: false, start: e.start, end: e.end };
  return { node: stand, wrap: (write) => `(${name} = ${expr(c, e)}, ${write()})` };
}

/** The target of a loop: a declaration in its head where nothing outside of the loop sees the variables, else an assignment. */
export function loopTarget(
  c: Cx,
  target: ast.Expression,
  isDeclared: boolean,
): { readonly head: string; readonly first: string } {
  const names =
    target.kind === 'TupleExpr' || target.kind === 'ListExpr' ? pattern(c, target.items) : pattern(c, [target]);
  if (names !== undefined) {
    const text = target.kind === 'TupleExpr' || target.kind === 'ListExpr' ? `[${names.join(', ')}]` : names[0]!;
    return { head: isDeclared ? `const ${text}` : text, first: '' };
  }
  const at = inner(c, {});
  c.u.serial += 1;
  const item = `$item${c.u.serial}`;
  const first = assignTarget({ ...at, fn: c.fn }, target, item);
  return { head: `const ${item}`, first: line(c, `  ${first};`) };
}

/** Variables a target binds. */
export function targetNames(target: ast.Expression): ast.NameRef[] {
  if (target.kind === 'NameRef') return [target];
  if (target.kind === 'Starred') return targetNames(target.expr);
  if (target.kind === 'TupleExpr' || target.kind === 'ListExpr') return target.items.flatMap(targetNames);
  return [];
}
