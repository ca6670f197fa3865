/**
 * Classes of the program (language.md 2.8, 2.11): a JavaScript class with methods and abilities, then what the runtime is told about them.
 * Descriptions of methods come before the class is registered, because registration reads the one of `init`.
 */
import type * as ast from '../1-parse/ast.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import { writeAbility } from './abilities.ts';
import { decorated } from './closures.ts';
import {
  adoptTemps,
  type ClassCx,
  type Cx,
  inFile,
  line,
  mark,
  nested,
  spelling,
  standardModule,
  unique,
} from './context.ts';
import { enumCode } from './enums.ts';
import { writeField } from './fields.ts';
import { placeOf, semOf } from './function-spec.ts';
import { identifier, property, quote } from './identifiers.ts';
import { writeMethod } from './methods.ts';
import { importedValue, isProgram, localCode } from './names.ts';
import { statement } from './statements.ts';
import { typeList } from './type-values.ts';

/** A class as it is being written. */
export interface Writing {
  readonly c: Cx;
  readonly decl: ast.Archetype;
  readonly cls: ClassCx;
  /** Lines of the class body. */
  readonly body: string[];
  /** `$.func` lines and the like, behind the class and in front of its registration. */
  readonly before: string[];
  readonly fields: string[];
  readonly abilities: string[];
  readonly abstract: string[];
  /** Lines behind the registration. */
  readonly after: string[];
  /** What belongs to the textual position of the declaration: class attributes and decorators. */
  readonly deferred: string[];
  unnamed: number;
}

export interface WrittenClass {
  /** The class and its registration. */
  readonly text: string;
  /** What runs where the declaration stands. */
  readonly deferred: string;
}

/** A class among statements. */
export function localArchetype(c: Cx, decl: ast.Archetype): string {
  const binding = c.u.names.binding(decl.name);
  const code = binding.sort === 'local' ? localCode(c.u, binding) : identifier(decl.name.text);
  const { text, deferred } = archetypeCode(c, decl, code, `${code} = `, decl.name.text);
  return text + deferred;
}

/** `head` is what stands in front of `class`; `code` names the class afterwards. */
export function archetypeCode(c: Cx, decl: ast.Archetype, code: string, head: string, qualname: string): WrittenClass {
  const info = c.u.types.classOf(decl);
  const joined = c.u.names.implOf(decl);
  const members = decl.members ?? joined?.impl.body.members ?? [];
  const bases = decl.bases.length > 0 ? decl.bases : (joined?.impl.bases ?? []);
  const baseCode = extendsCode(c, decl.archetype, bases, info);
  const kind = decl.archetype;
  const isInMethod = c.self === 'this' && c.cls?.selfWord === undefined;
  const outerSelf = isInMethod ? unique(c.u, 'self') : (c.cls?.selfWord ?? c.cls?.outerSelf);
  const cls: ClassCx = {
    name: decl.name.text,
    info,
    kind,
    qualname,
    code,
    hasBase: bases.length > 0,
    baseCode,
    outerSelf,
  };
  c.u.classCode.set(decl, code);
  const around = { ...c, cls, self: undefined, canSuper: false };
  const inner = nested(c, false, 'plain', { around, isTop: c.isTop });
  const w: Writing = {
    c: inner,
    decl,
    cls,
    body: [],
    before: [],
    fields: [],
    abilities: [],
    abstract: [],
    after: [],
    deferred: [],
    unnamed: 0,
  };
  const write = () => {
    for (const member of members) writeMember(w, member, info);
  };
  if (decl.members === undefined && joined !== undefined) inFile(c.u, joined.impl, write);
  else write();
  const simpleName = head.includes('.') || head.includes('=') ? ` ${identifier(decl.name.text)}` : '';
  const open = head === '' ? `class ${code}` : `${head}class${simpleName}`;
  let text =
    (isInMethod ? line(c, `const ${outerSelf} = this;`) : '') +
    line(c, `${mark(c, decl.name, spelling(decl.name))}${open} extends ${baseCode} {`) +
    w.body.join('') +
    line(c, head.includes('=') ? '};' : '}');
  text += w.before.join('') + line(c, `${mark(c, decl)}$.archetype(${code}, ${archetypeSpec(w)});`) + w.after.join('');
  const decorators = decl.decorators.length === 0 ? '' : line(c, `${code} = ${decorated(c, decl.decorators, code)};`);
  adoptTemps(c, inner);
  const settled = w.deferred.length === 0 && bases.length === 0 ? '' : line(c, `$.settle(${code});`);
  return { text, deferred: w.deferred.join('') + settled + decorators };
}

const runtimeBase = { obj: '$.Obj', class: '$.Obj', node: '$.Node', edge: '$.Edge', walker: '$.Walker' } as const;

function extendsCode(c: Cx, kind: ast.ArchetypeKind, bases: readonly ast.Expression[], info: ClassInfo): string {
  const codes = bases.flatMap((base) => baseClass(c, base));
  // Bases that only promise members do not say what is constructed, and those that are objects make no node, edge or walker.
  const isPlain = codes.every((code) => code.startsWith('$.form('));
  if (isPlain || isOfObjects(kind, codes, info)) codes.unshift(runtimeBase[kind]);
  return codes.length === 1 ? codes[0]! : `$.mix(${codes.join(', ')})`;
}

// An object among the bases of a node, edge or walker, and nothing of its own kind.
function isOfObjects(kind: ast.ArchetypeKind, codes: readonly string[], { bases, open }: ClassInfo): boolean {
  if (kind === 'obj' || kind === 'class' || open || codes.includes(runtimeBase[kind])) return false;
  return (
    bases.every((base) => base.kind !== kind) && bases.some((base) => base.kind === 'obj' || base.kind === 'class')
  );
}

// Names of generics and protocols are erased as bases.
const erasedBases = new Set(['Protocol', 'Generic', 'object', 'Any']);

// Modules whose names are forms, not classes; the runtime has a class for each, but for those that name a class.
const formModules = new Set(['abc', 'typing', 'typing_extensions', 'collections.abc']);
const formsOfClasses = new Set(
  'NamedTuple TypedDict ChainMap Counter DefaultDict Deque Dict FrozenSet List OrderedDict Set Text Tuple Type'.split(
    ' ',
  ),
);

function formClass(module: string, member: string | undefined, code: string): string[] {
  if (!formModules.has(module) || member === undefined) return [code];
  if (erasedBases.has(member)) return [];
  return [`$.${formsOfClasses.has(member) && module !== 'collections.abc' ? 'base' : 'form'}(${code})`];
}

/** Code of a base at the time the class is defined, before any import statement has run. */
export function baseClass(c: Cx, base: ast.Expression): string[] {
  const e = base.kind === 'Index' ? base.object : base;
  if (e.kind === 'NameRef') {
    const binding = c.u.names.binding(e);
    if (binding.sort === 'builtin' && erasedBases.has(binding.name)) return [];
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

function archetypeSpec(w: Writing): string {
  const { c, decl, cls } = w;
  let text = `{ kind: "${decl.archetype}", name: ${quote(cls.name)}, module: ${quote(c.u.id)}`;
  if (isProgram(c.u)) text += ', main: true';
  if (decl.doc !== undefined) text += `, doc: ${quote(decl.doc.value)}`;
  if (decl.access !== undefined) text += `, access: "${decl.access}"`;
  if (decl.async) text += ', async: true';
  text += `, fields: [${w.fields.join(', ')}], abilities: [${w.abilities.join(', ')}]`;
  if (w.abstract.length > 0) text += `, abstract: [${w.abstract.map(quote).join(', ')}]`;
  const sem = semOf(c, cls.qualname);
  if (sem !== undefined) text += `, sem: ${sem}`;
  return `${text}, at: ${quote(placeOf(c, decl.name))} }`;
}

function writeMember(w: Writing, member: ast.Member, info: ClassInfo): void {
  switch (member.kind) {
    case 'HasDecl':
      for (const item of member.items) writeField(w, member, item);
      return;
    case 'FunctionDecl':
      writeMethod(w, member, info);
      return;
    case 'Ability':
      writeAbility(w, member);
      return;
    case 'Archetype': {
      const code = `${w.cls.code}.${property(member.name.text)}`;
      const written = archetypeCode(w.c, member, code, `${code} = `, `${w.cls.qualname}.${member.name.text}`);
      w.after.push(written.text);
      w.deferred.push(written.deferred);
      return;
    }
    case 'EnumDecl': {
      const code = `${w.cls.code}.${property(member.name.text)}`;
      w.after.push(enumCode(w.c, member, code, `${code} = `));
      return;
    }
    case 'EntryBlock':
      for (const s of member.body.statements) w.deferred.push(statement(w.c, s));
      return;
    case 'AssignStatement':
      w.deferred.push(statement(w.c, member));
      for (const target of member.targets)
        if (target.kind === 'NameRef' && mayBeMethod(member.value))
          w.deferred.push(line(w.c, `$.attach(${w.cls.code}, ${quote(property(target.name))});`));
      return;
    case 'InlineForeign':
      w.deferred.push(
        line(w.c, `${mark(w.c, member)}throw new $.RuntimeError("inline Python blocks are not supported");`),
      );
      return;
    case 'ImplDecl':
      return;
  }
}

/** Functions and what `property(…)` makes become something else for instances; what is no function stays what it is. */
function mayBeMethod(value: ast.Expression | undefined): boolean {
  return value?.kind === 'NameRef' || value?.kind === 'Lambda' || value?.kind === 'Call' || value?.kind === 'Attribute';
}
