/** Bases of classes: what code stands for one (docs/language/archetypes.md#inheritance). */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { type Cx, mark, standardMember, standardModule, type Unit } from './context.ts';
import { expr } from './expressions.ts';
import { property, quote } from './identifiers.ts';
import { importedValue } from './names.ts';
import { typeList } from './type-values.ts';

// Names of generics and protocols are erased as bases.
const erasedBases = new Set(['Protocol', 'Generic', 'object', 'Any']);

// Modules whose names are forms, not classes; the runtime has a class for each, but for those that name a class.
const formModules = new Set(['abc', 'typing', 'typing_extensions', 'collections.abc']);
const formsOfClasses = new Set(
  'NamedTuple TypedDict ChainMap Counter DefaultDict Deque Dict FrozenSet List OrderedDict Set Text Tuple Type'.split(
    ' ',
  ),
);

// Forms that need no import and promise methods to what derives from them.
const ambientForms = new Set(
  'AsyncIterable AsyncIterator Awaitable Callable Collection Coroutine Generator Iterable Iterator Mapping MutableMapping MutableSequence Sequence'.split(
    ' ',
  ),
);

function formClass(module: string, member: string | undefined, code: string): string[] {
  if (!formModules.has(module) || member === undefined) return [code];
  if (erasedBases.has(member)) return [];
  return [`$.${formsOfClasses.has(member) && module !== 'collections.abc' ? 'base' : 'form'}(${code})`];
}

/** `xs[1]` of a variable or a display is what the list has there; `Box[int]` of a class is the class. */
function isElement(u: Unit, e: ast.Index): boolean {
  let root = e.object;
  while (root.kind === 'Index' || root.kind === 'Attribute') root = root.object;
  if (root.kind !== 'NameRef') return true;
  if (u.types.of(e.object).t === 'class') return false;
  const binding = u.names.binding(root);
  return (
    binding.sort === 'local' || (binding.sort === 'module' && (binding.role === 'entry' || binding.role === 'glob'))
  );
}

const runtimeBase = { obj: '$.Obj', class: '$.Obj', node: '$.Node', edge: '$.Edge', walker: '$.Walker' } as const;

/** Code of what the JavaScript class extends. */
export function extendsCode(
  c: Cx,
  { archetype: kind, keywords }: ast.Archetype,
  bases: readonly ast.Expression[],
  info: ClassInfo,
): string {
  const codes = bases.flatMap((base) => baseClass(c, base));
  if (keywords.some(isAbstractMeta)) codes.push(`$.form(${standardMember(c.u, 'abc', 'ABC')})`);
  if (bases.some((base) => isUnknownBase(c, base))) return `$.derive(${[runtimeBase[kind], ...codes].join(', ')})`;
  // Bases that only promise members do not say what is constructed, and those that are objects make no node, edge or walker.
  const isPlain = codes.every((code) => code.startsWith('$.form('));
  if (isPlain || isOfObjects(kind, codes, info)) codes.unshift(runtimeBase[kind]);
  return codes.length === 1 ? codes[0]! : `$.mix(${codes.join(', ')})`;
}

// `metaclass=ABCMeta` is what `ABC` as a base is.
function isAbstractMeta({ name, value }: ast.Argument): boolean {
  return name?.text === 'metaclass' && !(value.kind === 'NameRef' && value.name === 'type');
}

// No class of the program or the runtime: a form that another module hands on, or what a call or variable gives. Its value tells.
function isUnknownBase(c: Cx, base: ast.Expression): boolean {
  if (base.kind === 'Starred' || (base.kind === 'Index' && isElement(c.u, base))) return true;
  const e = base.kind === 'Index' ? base.object : base;
  if (e.kind === 'NameRef') {
    const binding = c.u.names.binding(e);
    if (binding.sort === 'builtin') return false;
    if (binding.sort === 'module' && binding.import?.of === 'builtin') return false;
  } else if (e.kind === 'Attribute' && builtinModule(c, e.object) !== undefined) return false;
  return c.u.types.annotation(e).t !== 'instance';
}

// An object among the bases of a node, edge or walker, and nothing of its own kind.
function isOfObjects(kind: ast.ArchetypeKind, codes: readonly string[], { bases, open }: ClassInfo): boolean {
  if (kind === 'obj' || kind === 'class' || open || codes.includes(runtimeBase[kind])) return false;
  return (
    bases.every((base) => base.kind !== kind) && bases.some((base) => base.kind === 'obj' || base.kind === 'class')
  );
}

/** Code of a base at the time the class is defined, before any import statement has run. */
export function baseClass(c: Cx, base: ast.Expression): string[] {
  if (base.kind === 'Starred') return [`...$.iter(${expr(c, base.expr)})`];
  if (base.kind === 'Index' && isElement(c.u, base)) return [expr(c, base)];
  const e = base.kind === 'Index' ? base.object : base;
  if (e.kind === 'NameRef') {
    const binding = c.u.names.binding(e);
    if (binding.sort === 'builtin' && erasedBases.has(binding.name)) return [];
    if (binding.sort === 'builtin' && ambientForms.has(binding.name)) {
      c.u.standard.add('collections.abc');
      return [`$.form($.b.${binding.name})`];
    }
    if (binding.sort === 'module' && binding.role === 'import' && binding.import !== undefined) {
      if (binding.import.of === 'erased') return [];
      if (binding.import.of !== 'builtin') return [importedValue(c.u, binding.import)];
      const { module, member } = binding.import;
      const code = standardModule(c.u, module);
      if (member === undefined) return [code];
      const imported = `${mark(c, base)}$.importedMember(${quote(module)}, ${quote(member)})`;
      return formClass(module, member, imported);
    }
  }
  if (e.kind === 'Attribute') {
    const home = builtinModule(c, e.object);
    if (home !== undefined) {
      if (erasedBases.has(e.name.text)) return [];
      return formClass(home.module, e.name.text, `${home.code}.${property(e.name.text)}`);
    }
  }
  return typeList(c, e);
}

/** `Protocol`, also `Protocol[T]` and under the name of its module. */
export function isProtocol(c: Cx, base: ast.Expression): boolean {
  const e = base.kind === 'Index' ? base.object : base;
  if (e.kind === 'Attribute')
    return e.name.text === 'Protocol' && formModules.has(builtinModule(c, e.object)?.module ?? '');
  if (e.kind !== 'NameRef') return false;
  const binding = c.u.names.binding(e);
  if (binding.sort === 'builtin') return binding.name === 'Protocol';
  const target = binding.sort === 'module' && binding.role === 'import' ? binding.import : undefined;
  return target?.of === 'builtin' && target.member === 'Protocol' && formModules.has(target.module);
}

/** A module of the runtime under its name, also one that is a member of another: `abc` of `collections`. */
function builtinModule(c: Cx, e: ast.Expression): { readonly module: string; readonly code: string } | undefined {
  if (e.kind === 'Attribute') {
    const outer = builtinModule(c, e.object);
    return outer && { module: `${outer.module}.${e.name.text}`, code: `${outer.code}.${property(e.name.text)}` };
  }
  if (e.kind !== 'NameRef') return undefined;
  const binding = c.u.names.binding(e);
  if (binding.sort !== 'module' || binding.role !== 'import' || binding.import?.of !== 'builtin') return undefined;
  const { module, member } = binding.import;
  return { module: member === undefined ? module : `${module}.${member}`, code: importedValue(c.u, binding.import) };
}
