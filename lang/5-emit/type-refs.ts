/** Types as run-time records (library/classes/spec.ts). */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import type { Binding, ImportTarget } from '../2-resolve/names.ts';
import { parseTypeText, type TypeTree } from '../3-infer/classes/type-text.ts';
import type { Cx, Home } from './context.ts';
import { expr } from './expressions.ts';
import { quote } from './identifiers.ts';
import { bindingCode, liveMember, localCode } from './names.ts';
import { anyRef, builtinRef, ellipsis, formRef, noneRef, standardRef, unionRef } from './type-forms.ts';

/** Place in which a type is read: an alias of another module has the names of that module. */
interface Place {
  readonly c: Cx;
  readonly home: Home;
  readonly depth: number;
}

/** Code of the `TypeRef` for an annotation. */
export function typeRef(c: Cx, e: ast.Expression | undefined): string {
  return e === undefined ? anyRef : read({ c, home: c.u, depth: 0 }, e);
}

function read({ c, home, depth }: Place, e: ast.Expression): string {
  const p: Place = { c, home, depth: depth + 1 };
  if (p.depth > 12) return anyRef;
  switch (e.kind) {
    case 'Constant':
      return e.value === null ? noneRef : e.value === 'ellipsis' ? ellipsis : anyRef;
    case 'StringLiteral':
      return treeRef(p, parseTypeText(e.value)) ?? unknown(e.value);
    case 'NameRef':
      if (e.escaped && e.name === 'root') return rootRef;
      return bindingRef(p, p.home.names.binding(e)) ?? unknown(e.name);
    case 'SpecialRef':
      return e.word === 'root' ? rootRef : anyRef;
    case 'Attribute':
      return attributeRef(p, e);
    case 'Binary':
      return e.op === '|' ? unionRef([...unionParts(e)].map((part) => read(p, part))) : unknown(describe(e));
    case 'Index':
      return generic(p, e);
    case 'Borrow':
      return read(p, e.expr);
    default:
      return unknown(describe(e));
  }
}

/** The members of `A | B | C`. */
export function unionParts(e: ast.Expression): readonly ast.Expression[] {
  const parts: ast.Expression[] = [];
  let left = e;
  for (; left.kind === 'Binary' && left.op === '|'; left = left.left) parts.unshift(...unionParts(left.right));
  return [left, ...parts];
}

const rootRef = '{ t: "ref", name: "Root", get: () => $.Root }';

function unknown(text: string): string {
  return `{ t: "unknown", text: ${quote(text)} }`;
}

function describe(e: ast.Expression): string {
  switch (e.kind) {
    case 'NameRef':
      return e.name;
    case 'Attribute':
      return `${describe(e.object)}.${e.name.text}`;
    case 'Index':
      return `${describe(e.object)}[…]`;
    case 'Call':
      return `${describe(e.callee)}(…)`;
    default:
      return e.kind;
  }
}

export const ambientClasses = new Set(['Root', 'Node', 'Edge', 'Walker', 'Archetype', 'GenericEdge']);

/** Tells whether a binding is a class that a function declares. Only code in the function can name it. */
function isLocalType(binding: Binding): boolean {
  if (binding.sort !== 'local' || binding.scope.kind !== 'function') return false;
  const kind = (binding.decl as ast.Node | undefined)?.kind;
  return kind === 'Archetype' || kind === 'EnumDecl';
}

/** Does the signature name a class that a function declares? */
export function namesLocalType(c: Cx, { params, result }: ast.Signature): boolean {
  const isLocal = (node: ast.Node) => node.kind === 'NameRef' && isLocalType(c.u.names.binding(node));
  return [...params.map(({ type }) => type), result].some((type) => type !== undefined && containsNode(type, isLocal));
}

function reference(name: string, code: string): string {
  return `{ t: "ref", name: ${quote(name)}, get: () => ${code} }`;
}

/** Undefined for what is no type that a record can name. */
function bindingRef(p: Place, binding: Binding): string | undefined {
  const { c } = p;
  switch (binding.sort) {
    case 'builtin':
      if (binding.name === 'Self' && c.cls !== undefined) return reference(c.cls.name, c.cls.code);
      if (ambientClasses.has(binding.name)) return reference(binding.name, `$.${binding.name}`);
      if (binding.name === 'AccessLevel') return reference(binding.name, '$.b.AccessLevel');
      return builtinRef(binding.name);
    case 'module':
      if (binding.decl?.kind === 'TypeAlias') return aliasRef(p, binding.module, binding.decl);
      if (binding.role === 'archetype' || binding.role === 'enum')
        return reference(binding.name, bindingCode(c, binding));
      return binding.import === undefined ? undefined : importRef(p, binding.import);
    case 'local':
      if (binding.import !== undefined) return importRef(p, binding.import);
      if (isLocalType(binding)) return reference(binding.name, localCode(c.u, binding));
      return (binding.decl as ast.Node | undefined)?.kind === 'TypeParam' ? anyRef : undefined;
    default:
      return binding.name === 'None' ? noneRef : undefined;
  }
}

function aliasRef(p: Place, module: string, decl: ast.TypeAlias): string {
  return read({ ...p, home: p.c.u.options.home?.(module) ?? p.home }, decl.type);
}

function importRef(p: Place, target: ImportTarget): string | undefined {
  if (target.of === 'member') {
    const { options } = p.c.u;
    const live = liveMember(p.c.u, target.module, target.member);
    if (live !== undefined) return reference(target.member, live);
    const found = options.member?.(target.module, target.member);
    if (found?.decl?.kind === 'TypeAlias') return aliasRef(p, found.module, found.decl);
    const origin = found === undefined ? options.origin?.(target) : undefined;
    return origin === undefined || origin.of === 'member' ? undefined : importRef(p, origin);
  }
  if (target.of !== 'builtin' && target.of !== 'erased') return undefined;
  return (
    standardRef(target.module, target.member) ?? (target.member === undefined ? undefined : builtinRef(target.member))
  );
}

function attributeRef(p: Place, e: ast.Attribute): string {
  const owner = p.home.types.of(e.object);
  if (owner.t !== 'module') return unknown(describe(e));
  const member = e.name.text;
  if (owner.std) return standardRef(owner.module, member) ?? builtinRef(member) ?? unknown(describe(e));
  const known = importRef(p, { of: 'member', module: owner.module, member });
  return known ?? (p.home === p.c.u ? reference(member, expr(p.c, e)) : unknown(describe(e)));
}

/** A type written as text. Undefined when the text is no type, or its name unknown. */
function treeRef(p: Place, tree: TypeTree | undefined): string | undefined {
  switch (tree?.kind) {
    case 'none':
      return noneRef;
    case 'ellipsis':
      return ellipsis;
    case 'union':
      return unionRef(tree.of.map((one) => treeRef(p, one) ?? unknown('…')));
    case 'name': {
      if (tree.name.includes('.')) return dottedRef(p, tree.name);
      const binding = p.home.names.lookup(tree.name, p.home.names.module);
      const args = tree.args.map((arg) => treeRef(p, arg) ?? anyRef);
      const form = args.length === 0 ? undefined : formName(p.c, binding);
      return (form === undefined ? undefined : formRef(form, args)) ?? bindingRef(p, binding);
    }
    default:
      return undefined;
  }
}

/** `"shapes.Point"`, `"datetime.date"` */
function dottedRef(p: Place, text: string): string | undefined {
  const dot = text.lastIndexOf('.');
  const binding = p.home.names.lookup(text.slice(0, dot), p.home.names.module);
  if (binding.sort === 'builtin' || binding.sort === 'unresolved') return undefined;
  const member = text.slice(dot + 1);
  switch (binding.import?.of) {
    case 'module':
      return importRef(p, { of: 'member', module: binding.import.module, member });
    case 'builtin':
      return importRef(p, { ...binding.import, member });
    default:
      return undefined;
  }
}

function generic(p: Place, e: ast.Index): string {
  const args = e.index.kind === 'TupleExpr' ? e.index.items : [e.index];
  const name = nameOfForm(p.c, p.home, e.object);
  if (name === 'Literal') return literalRef(p, args);
  const records = name === undefined ? [] : args.map((arg) => read(p, arg));
  return (name === undefined ? undefined : formRef(name, records)) ?? read(p, e.object);
}

function literalRef(p: Place, values: readonly ast.Expression[]): string {
  // The names of another module mean nothing here.
  if (p.home !== p.c.u && !values.every(isConstant)) return unknown('Literal[…]');
  return `{ t: "literal", values: [${values.map((value) => expr(p.c, value)).join(', ')}] }`;
}

function isConstant({ kind }: ast.Expression): boolean {
  return kind === 'StringLiteral' || kind === 'NumberLiteral' || kind === 'Constant';
}

/** The name of a form or built-in type, whatever a module calls it. */
export function genericName(c: Cx, e: ast.Expression): string | undefined {
  return nameOfForm(c, c.u, e);
}

function nameOfForm(c: Cx, home: Home, e: ast.Expression): string | undefined {
  if (e.kind === 'Attribute') return e.name.text;
  return e.kind === 'NameRef' ? formName(c, home.names.binding(e)) : undefined;
}

function formName(c: Cx, binding: Binding): string | undefined {
  if (binding.sort === 'builtin' || binding.sort === 'unresolved') return binding.name;
  const target = binding.import?.of === 'member' ? c.u.options.origin?.(binding.import) : binding.import;
  return target?.of === 'erased' || target?.of === 'builtin' ? target.member : undefined;
}
