/** Types as run-time records (core/archetypes/spec.ts) and as values for `isinstance`, triggers and filters. */
import type * as ast from '../1-parse/ast.ts';
import type { Binding } from '../2-resolve/names.ts';
import type { Type } from '../3-infer/types.ts';
import type { Cx } from './context.ts';
import { expr } from './expressions.ts';
import { quote } from './identifiers.ts';
import { bindingCode, liveMember } from './names.ts';
import { classCode } from './type-values.ts';

const any = '{ t: "any" }';

/** Code of the `TypeRef` for an annotation. */
export function typeRef(c: Cx, e: ast.Expression | undefined, depth = 0): string {
  if (e === undefined || depth > 12) return any;
  switch (e.kind) {
    case 'Constant':
      return e.value === null ? '{ t: "none" }' : any;
    case 'StringLiteral':
      return stringAnnotation(c, e);
    case 'NameRef':
      return nameRef(c, e, c.u.names.binding(e), depth);
    case 'SpecialRef':
      return e.word === 'root' ? '{ t: "ref", name: "Root", get: () => $.Root }' : any;
    case 'Attribute':
      return attributeRef(c, e);
    case 'Binary':
      return e.op === '|' ? union([...unionParts(e)].map((part) => typeRef(c, part, depth + 1))) : unknown(c, e);
    case 'Index':
      return generic(c, e, depth);
    case 'Borrow':
      return typeRef(c, e.expr, depth + 1);
    default:
      return unknown(c, e);
  }
}

/** The members of `A | B | C`. */
export function unionParts(e: ast.Expression): readonly ast.Expression[] {
  const parts: ast.Expression[] = [];
  let left = e;
  for (; left.kind === 'Binary' && left.op === '|'; left = left.left) parts.unshift(...unionParts(left.right));
  return [left, ...parts];
}

function union(parts: readonly string[], named = ''): string {
  return parts.length === 1 ? parts[0]! : `{ t: "union", of: [${parts.join(', ')}]${named} }`;
}

const named = ', named: true';

function unknown(c: Cx, e: ast.Expression): string {
  return `{ t: "unknown", text: ${quote(describe(c, e))} }`;
}

function describe(c: Cx, e: ast.Expression): string {
  switch (e.kind) {
    case 'NameRef':
      return e.name;
    case 'Attribute':
      return `${describe(c, e.object)}.${e.name.text}`;
    case 'Index':
      return `${describe(c, e.object)}[…]`;
    case 'Call':
      return `${describe(c, e.callee)}(…)`;
    default:
      return e.kind;
  }
}

const primitives: Readonly<Record<string, string>> = {
  str: 'str',
  int: 'int',
  float: 'float',
  bool: 'bool',
  bytes: 'bytes',
  object: 'object',
};

function builtinRef(name: string): string | undefined {
  const primitive =
    primitives[name] ?? (/^[iu]\d+$/.test(name) ? 'int' : /^f(32|64)$/.test(name) ? 'float' : undefined);
  if (primitive !== undefined) return `{ t: "${primitive}" }`;
  switch (name) {
    case 'any':
    case 'Any':
      return any;
    case 'list':
    case 'List':
    case 'Sequence':
    case 'MutableSequence':
    case 'Iterable':
      return `{ t: "list", of: ${any} }`;
    case 'set':
    case 'Set':
      return `{ t: "set", of: ${any} }`;
    case 'frozenset':
      return `{ t: "frozenset", of: ${any} }`;
    case 'dict':
    case 'Dict':
    case 'Mapping':
    case 'MutableMapping':
      return `{ t: "dict", key: ${any}, value: ${any} }`;
    case 'tuple':
    case 'Tuple':
      return '{ t: "tuple", items: undefined, of: undefined }';
    case 'Iterator':
    case 'Generator':
      return `{ t: "iterator", of: ${any} }`;
    default:
      return undefined;
  }
}

export const ambientClasses = new Set(['Root', 'Node', 'Edge', 'Walker', 'Archetype', 'GenericEdge']);
// Standard types with a place of their own in a TypeRef, by module.
const standardTypes: Readonly<Record<string, string>> = {
  'datetime.datetime': 'datetime',
  'datetime.date': 'date',
  'datetime.time': 'time',
  'datetime.timedelta': 'timedelta',
  'uuid.UUID': 'uuid',
  'http.UploadFile': 'UploadFile',
  'fastapi.UploadFile': 'UploadFile',
};

function nameRef(c: Cx, e: ast.NameRef, binding: Binding, depth: number): string {
  if (e.escaped && e.name === 'root') return '{ t: "ref", name: "Root", get: () => $.Root }';
  switch (binding.sort) {
    case 'builtin': {
      const known = builtinRef(binding.name);
      if (known !== undefined) return known;
      if (binding.name === 'Self' && c.cls !== undefined) return reference(c.cls.name, c.cls.code);
      if (ambientClasses.has(binding.name)) return reference(binding.name, `$.${binding.name}`);
      return `{ t: "unknown", text: ${quote(binding.name)} }`;
    }
    case 'module': {
      if (binding.role === 'alias' && binding.decl?.kind === 'TypeAlias')
        return typeRef(c, binding.decl.type, depth + 1);
      if (binding.role === 'archetype' || binding.role === 'enum')
        return reference(binding.name, bindingCode(c, binding));
      if (binding.role === 'import' && binding.import !== undefined) return importRef(c, e, binding.name, binding);
      return unknown(c, e);
    }
    case 'local': {
      if (binding.import?.of === 'builtin')
        return standardRef(binding.import.module, binding.import.member) ?? unknown(c, e);
      return typeParameter(binding) ? any : unknown(c, e);
    }
    default:
      return e.name === 'None' ? '{ t: "none" }' : unknown(c, e);
  }
}

function typeParameter(binding: Binding): boolean {
  return binding.sort === 'local' && (binding.decl as ast.Node | undefined)?.kind === 'TypeParam';
}

function reference(name: string, code: string): string {
  return `{ t: "ref", name: ${quote(name)}, get: () => ${code} }`;
}

function importRef(c: Cx, e: ast.NameRef, name: string, binding: Binding & { sort: 'module' }): string {
  const target = binding.import!;
  switch (target.of) {
    case 'builtin':
    case 'erased':
      return (
        standardRef(target.module, target.member) ??
        (target.member === undefined ? undefined : builtinRef(target.member)) ??
        `{ t: "unknown", text: ${quote(name)} }`
      );
    case 'member': {
      const live = liveMember(c.u, target.module, target.member);
      return live === undefined ? typeRecord(c, c.u.types.annotation(e)) : reference(target.member, live);
    }
    default:
      return `{ t: "unknown", text: ${quote(name)} }`;
  }
}

/** From what inference says, where the text of the type is out of reach (an alias of another module). */
function typeRecord(c: Cx, type: Type): string {
  switch (type.t) {
    case 'none':
    case 'str':
    case 'int':
    case 'float':
    case 'bool':
    case 'bytes':
      return `{ t: "${type.t}" }`;
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return `{ t: "${type.t}", of: ${typeRecord(c, type.of)} }`;
    case 'dict':
      return `{ t: "dict", key: ${typeRecord(c, type.key)}, value: ${typeRecord(c, type.value)} }`;
    case 'tuple':
      return type.items === undefined
        ? `{ t: "tuple", items: undefined, of: ${typeRecord(c, type.of)} }`
        : `{ t: "tuple", items: [${type.items.map((item) => typeRecord(c, item)).join(', ')}], of: undefined }`;
    case 'union':
      return union(type.of.map((part) => typeRecord(c, part)));
    case 'instance': {
      const code = classCode(c, type.cls);
      return code === undefined ? `{ t: "unknown", text: ${quote(type.cls.name)} }` : reference(type.cls.name, code);
    }
    default:
      return any;
  }
}

function standardRef(module: string, member: string | undefined): string | undefined {
  const known = standardTypes[`${module}.${member}`];
  return known === undefined ? undefined : `{ t: "${known}" }`;
}

function attributeRef(c: Cx, e: ast.Attribute): string {
  const owner = c.u.types.of(e.object);
  if (owner.t === 'module') {
    if (owner.std) return standardRef(owner.module, e.name.text) ?? builtinRef(e.name.text) ?? unknown(c, e);
    return reference(e.name.text, expr(c, e));
  }
  return unknown(c, e);
}

function stringAnnotation(c: Cx, e: ast.StringLiteral): string {
  const type = c.u.types.annotation(e);
  if (type.t === 'instance' && type.cls.kind !== 'runtime') {
    const code = classCode(c, type.cls);
    if (code !== undefined) return reference(type.cls.name, code);
  }
  return builtinRef(e.value.trim()) ?? `{ t: "unknown", text: ${quote(e.value)} }`;
}

function generic(c: Cx, e: ast.Index, depth: number): string {
  const name = genericName(c, e.object);
  const args = e.index.kind === 'TupleExpr' ? e.index.items : [e.index];
  const arg = (i: number) => typeRef(c, args[i], depth + 1);
  switch (name) {
    case 'list':
    case 'List':
    case 'Sequence':
    case 'MutableSequence':
    case 'Iterable':
      return `{ t: "list", of: ${arg(0)} }`;
    case 'set':
    case 'Set':
      return `{ t: "set", of: ${arg(0)} }`;
    case 'frozenset':
      return `{ t: "frozenset", of: ${arg(0)} }`;
    case 'Iterator':
    case 'Generator':
      return `{ t: "iterator", of: ${arg(0)} }`;
    case 'dict':
    case 'Dict':
    case 'Mapping':
    case 'MutableMapping':
      return `{ t: "dict", key: ${arg(0)}, value: ${arg(1)} }`;
    case 'tuple':
    case 'Tuple': {
      const last = args.at(-1);
      if (args.length === 2 && last?.kind === 'Constant' && last.value === 'ellipsis')
        return `{ t: "tuple", items: undefined, of: ${arg(0)} }`;
      return `{ t: "tuple", items: [${args.map((_, i) => arg(i)).join(', ')}], of: undefined }`;
    }
    case 'Optional':
      return union([arg(0), '{ t: "none" }'], named);
    case 'Union':
      return union(
        args.map((_, i) => arg(i)),
        named,
      );
    case 'Annotated':
    case 'ClassVar':
    case 'Final':
      return arg(0);
    case 'Literal':
      return `{ t: "literal", values: [${args.map((value) => expr(c, value)).join(', ')}] }`;
    default:
      return typeRef(c, e.object, depth + 1);
  }
}

/** The name of a form or built-in type, whatever a module calls it. */
export function genericName(c: Cx, e: ast.Expression): string | undefined {
  if (e.kind === 'Attribute') return e.name.text;
  if (e.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e);
  if (binding.sort === 'builtin') return binding.name;
  if (binding.sort === 'unresolved') return binding.name;
  const target = binding.import;
  return target?.of === 'erased' || target?.of === 'builtin' ? target.member : undefined;
}
