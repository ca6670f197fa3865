/**
 * Classes of the program as `ClassInfo`: bases in C3 order, fields, methods (docs/language/archetypes.md#inheritance,
 * docs/language/enums.md#enums). Members are worked out when first asked for.
 */
import type * as ast from '../../1-parse/ast.ts';
import { containsNode } from '../../2-resolve/children.ts';
import type { Binding } from '../../2-resolve/names.ts';
import { bindersIn, namesOfTarget } from '../../2-resolve/target-names.ts';
import { functionRecord } from '../functions/functions.ts';
import type { ClassRecord, ModuleState, Program } from '../program.ts';
import type { ClassInfo, FieldInfo, FunctionInfo, Type } from '../types.ts';
import { annotationType } from './annotations.ts';
import { any, listOf } from './type-values.ts';

export function runtimeClass(program: Program, name: string): ClassInfo | undefined {
  return program.runtimeClasses.get(name);
}

/** The class a declaration makes; the same record each time. */
export function classOfDecl(program: Program, state: ModuleState, decl: ast.Archetype | ast.EnumDecl): ClassRecord {
  const known = program.classes.get(decl);
  if (known !== undefined) return known;
  const joined = state.names.implOf(decl)?.impl;
  const record =
    decl.kind === 'Archetype'
      ? new ClassModel(program, state, decl, archetypeMembers(decl, joined))
      : new ClassModel(
          program,
          state,
          decl,
          decl.body.filter((part) => part.kind !== 'InlineForeign'),
        );
  program.classes.set(decl, record);
  const baseExprs = [...decl.bases, ...(joined?.bases ?? [])];
  const named = baseExprs.map((base) => classOfExpr(program, state, base));
  record.direct = hasAbstractMeta(decl) ? [...named, undefined] : named;
  linearize(program, record);
  return record;
}

/** `metaclass=ABCMeta` is what `ABC` as a base is. */
export function hasAbstractMeta({ keywords }: ast.Archetype | ast.EnumDecl): boolean {
  return keywords.some(({ name }) => name?.text === 'metaclass');
}

/** The class an expression names (a base, a trigger, a filter type), as far as it can be told. */
export function classOfExpr(program: Program, state: ModuleState, e: ast.Expression): ClassInfo | undefined {
  switch (e.kind) {
    case 'NameRef':
      return classOfBinding(program, state, state.names.binding(e));
    case 'SpecialRef':
      return e.word === 'root' ? runtimeClass(program, 'Root') : undefined;
    case 'Index':
      return classOfExpr(program, state, e.object);
    case 'Attribute': {
      if (e.object.kind === 'NameRef') {
        const binding = state.names.binding(e.object);
        if ((binding.sort === 'module' || binding.sort === 'local') && binding.import?.of === 'module') {
          const other = program.modules.get(binding.import.module);
          const member = other?.names.bindings.get(e.name.text);
          return other === undefined || member === undefined ? undefined : classOfBinding(program, other, member);
        }
      }
      const outer = classOfExpr(program, state, e.object);
      const inner = outer?.attributes.get(e.name.text);
      if (inner?.kind !== 'Archetype' && inner?.kind !== 'EnumDecl') return undefined;
      return classOfDecl(program, (outer as ClassRecord).state, inner);
    }
    case 'StringLiteral': {
      const binding = state.names.lookup(e.value, state.names.module);
      return classOfBinding(program, state, binding);
    }
    default:
      return undefined;
  }
}

export function classOfBinding(program: Program, state: ModuleState, binding: Binding): ClassInfo | undefined {
  if (binding.sort === 'builtin') return runtimeClass(program, binding.name);
  if (binding.sort === 'unresolved') return undefined;
  const { decl } = binding;
  if (binding.sort === 'local') {
    if (decl?.kind === 'Archetype' || decl?.kind === 'EnumDecl') return classOfDecl(program, state, decl);
    if (binding.import?.of === 'builtin') return svclangClass(program, binding.import.module, binding.import.member);
    if (binding.import?.of !== 'member') return undefined;
    const other = program.modules.get(binding.import.module);
    const member = other?.names.bindings.get(binding.import.member);
    return other === undefined || member === undefined ? undefined : classOfBinding(program, other, member);
  }
  if (binding.role === 'import' && binding.import?.of === 'builtin') {
    return svclangClass(program, binding.import.module, binding.import.member);
  }
  const target = program.names.follow(binding);
  if (target === undefined) return undefined;
  const home = program.modules.get(target.module) ?? state;
  if (target.decl?.kind === 'Archetype' || target.decl?.kind === 'EnumDecl') {
    return classOfDecl(program, home, target.decl);
  }
  return target.decl?.kind === 'TypeAlias' ? classOfExpr(program, home, target.decl.type) : undefined;
}

function svclangClass(program: Program, module: string, member: string | undefined): ClassInfo | undefined {
  return member !== undefined && /^(svclang|builtins)(\.|$)/.test(module) ? runtimeClass(program, member) : undefined;
}

function archetypeMembers(decl: ast.Archetype, joined: ast.ImplDecl | undefined): readonly ast.Member[] {
  if (joined?.body.members === undefined) return decl.members ?? [];
  return [...(decl.members ?? []), ...joined.body.members];
}

/** A class value so that its lazy parts are accessors of one prototype: a program has thousands of them. */
class ClassModel implements ClassRecord {
  direct: readonly (ClassInfo | undefined)[] = [];
  bases: readonly ClassInfo[] = [];
  inconsistent = false;
  isOpen = false;
  readonly name: string;
  readonly module: string;
  readonly kind: ClassInfo['kind'];
  readonly decl: ast.Archetype | ast.EnumDecl;
  readonly state: ModuleState;
  readonly memberNodes: readonly ast.Member[];
  readonly members: readonly string[];
  readonly primitive: 'int' | 'str' | undefined;
  private readonly program: Program;
  private found: Members | undefined;
  private own: Members | undefined;

  constructor(
    program: Program,
    state: ModuleState,
    decl: ast.Archetype | ast.EnumDecl,
    memberNodes: readonly ast.Member[],
  ) {
    this.program = program;
    this.state = state;
    this.decl = decl;
    this.memberNodes = memberNodes;
    this.name = decl.name.text;
    this.module = state.module.id;
    this.kind = decl.kind === 'Archetype' ? decl.archetype : 'enum';
    this.members = decl.kind === 'EnumDecl' ? enumMembers(state, decl) : [];
    this.primitive = decl.kind === 'EnumDecl' ? primitiveOf(decl) : undefined;
  }

  get scope() {
    return this.state.names.scope(this.decl);
  }
  get open() {
    return this.isOpen || this.all.dynamic;
  }
  get fields() {
    return this.all.fields;
  }
  get constructorFields() {
    return this.all.constructorFields;
  }
  get methods() {
    return this.all.methods;
  }
  get abilities() {
    return this.all.abilities;
  }
  get attributes() {
    return this.all.attributes;
  }

  /** Own members only. */
  get ownMembers(): Members {
    if (this.own !== undefined) return this.own;
    this.own = emptyMembers();
    for (const member of this.memberNodes) addMember(this.program, this, member, this.own);
    return this.own;
  }

  /** Gives the members; asked again while they are worked out (a class that mentions itself), those found so far. */
  private get all(): Members {
    if (this.found !== undefined) return this.found;
    const inherits = this.bases.some((base) => base.kind !== 'runtime');
    // Most classes have no base in the program: their own members are all.
    this.found = inherits ? emptyMembers() : this.ownMembers;
    fillMembers(this, this.found);
    return this.found;
  }
}

function enumMembers(state: ModuleState, decl: ast.EnumDecl): readonly string[] {
  const joined = state.names.implOf(decl)?.impl.body.enumMembers ?? [];
  return [...(decl.members ?? []), ...joined].map((member) => member.name.text);
}

function primitiveOf(decl: ast.EnumDecl): 'int' | 'str' | undefined {
  for (const base of decl.bases) {
    const name = base.kind === 'NameRef' ? base.name : base.kind === 'Attribute' ? base.name.text : '';
    if (name === 'int' || name === 'IntEnum' || name === 'IntFlag') return 'int';
    if (name === 'str' || name === 'StrEnum') return 'str';
  }
  return undefined;
}

// ---------------------------------------------------------------- bases

function linearize(program: Program, record: ClassModel): void {
  const implicit = implicitBase(program, record);
  if (record.direct.length === 0 && implicit !== undefined) {
    record.bases = [implicit, ...implicit.bases];
    return;
  }
  const isEnum = record.kind === 'enum';
  const known = record.direct.filter((base): base is ClassInfo => base !== undefined && base !== record);
  record.isOpen =
    (!isEnum && known.length < record.direct.length) || known.some((base) => base.open && base.name !== 'object');
  const direct =
    implicit === undefined || known.some((base) => base.bases.includes(implicit)) ? known : [...known, implicit];
  const merged = merge([...direct.map((base) => [base, ...base.bases]), direct]);
  record.inconsistent = merged === undefined;
  record.bases = merged ?? [...new Set(direct.flatMap((base) => [base, ...base.bases]))];
}

const implicitBases = {
  node: 'Node',
  edge: 'Edge',
  walker: 'Walker',
  obj: 'Archetype',
  class: 'object',
  enum: 'object',
} as const;

function implicitBase(program: Program, { kind }: ClassRecord): ClassInfo | undefined {
  return kind === 'runtime' || kind === 'foreign' ? undefined : runtimeClass(program, implicitBases[kind]);
}

/** C3: the heads that no other list has further back, in order. Undefined when there is none. */
function merge(lists: readonly (readonly ClassInfo[])[]): ClassInfo[] | undefined {
  // With a single base its own order is all there is.
  if (lists.length === 2) return [...lists[0]!];
  const rest = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const order: ClassInfo[] = [];
  while (rest.some((list) => list.length > 0)) {
    const next = rest.find((list) => list.length > 0 && !rest.some((other) => other.indexOf(list[0]!) > 0))?.[0];
    if (next === undefined) return undefined;
    order.push(next);
    for (const list of rest) if (list[0] === next) list.shift();
  }
  return order;
}

// ---------------------------------------------------------------- members

interface Members {
  readonly fields: Map<string, FieldInfo>;
  constructorFields: readonly FieldInfo[];
  readonly methods: Map<string, FunctionInfo>;
  readonly abilities: Map<string, ast.Ability>;
  readonly attributes: Map<string, ast.Node>;
  dynamic: boolean;
}

function emptyMembers(): Members {
  return {
    fields: new Map(),
    constructorFields: [],
    methods: new Map(),
    abilities: new Map(),
    attributes: new Map(),
    dynamic: false,
  };
}

function fillMembers(record: ClassModel, members: Members): void {
  // The order is that of the bases as written, each with its own bases first; what counts is the first in C3 order.
  for (const base of record.direct) {
    if (!(base instanceof ClassModel) || members === record.ownMembers) continue;
    for (const [name, field] of base.fields) if (!members.fields.has(name)) members.fields.set(name, field);
  }
  for (let i = record.bases.length - 1; i >= 0; i--) {
    const base = record.bases[i]!;
    if (base instanceof ClassModel) addMembers(members, base.ownMembers);
  }
  if (members !== record.ownMembers) addMembers(members, record.ownMembers);
  members.dynamic = members.methods.has('__getattr__') || members.methods.has('__getattribute__') || setsByName(record);
  const isWalker = record.kind === 'walker';
  const constructorFields: FieldInfo[] = [];
  for (const field of members.fields.values()) {
    if (field.static || field.property || field.postinit || field.owner.kind === 'class') continue;
    if (!isWalker || field.name !== 'reports') constructorFields.push(field);
  }
  members.constructorFields = constructorFields;
  if (isWalker && !members.fields.has('reports')) members.fields.set('reports', reportsField(record));
}

function addMembers(to: Members, from: Members): void {
  for (const [name, field] of from.fields) {
    to.fields.set(name, field); // a redeclared field keeps its place
    to.methods.delete(name);
  }
  for (const [name, method] of from.methods) {
    to.methods.set(name, method);
    to.fields.delete(name);
  }
  for (const [name, ability] of from.abilities) to.abilities.set(name, ability);
  for (const [name, node] of from.attributes) {
    to.attributes.set(name, node);
    if (node.kind !== 'AssignStatement') continue;
    if (!from.methods.has(name)) to.methods.delete(name);
    if (!from.fields.has(name) && to.fields.get(name)?.property === true) to.fields.delete(name);
  }
}

function addMember(program: Program, record: ClassRecord, member: ast.Member, members: Members): void {
  switch (member.kind) {
    case 'HasDecl':
      for (const item of member.items)
        members.fields.set(item.name.text, new FieldModel(program, record, member, item));
      return;
    case 'FunctionDecl':
      addMethod(program, record, member, members);
      return;
    case 'Ability':
      if (member.name !== undefined) members.abilities.set(member.name.text, member);
      return;
    case 'Archetype':
    case 'EnumDecl':
      members.attributes.set(member.name.text, member);
      return;
    case 'AssignStatement':
      for (const { name } of member.targets.flatMap(namesOfTarget)) {
        members.attributes.set(name, member);
        members.methods.delete(name); // `make = classmethod(make);`
      }
      return;
    case 'EntryBlock':
      for (const name of record.scope.locals.keys())
        if (!members.attributes.has(name)) members.attributes.set(name, member);
      for (const binder of bindersIn(member.body)) for (const name of namesBound(binder)) members.methods.delete(name);
      return;
    default:
  }
}

function namesBound(binder: ast.FunctionDecl | ast.AssignStatement): readonly string[] {
  if (binder.kind === 'FunctionDecl') return [methodName(binder.name?.text ?? '')];
  return binder.targets.flatMap(namesOfTarget).map(({ name }) => name);
}

function addMethod(program: Program, record: ClassRecord, member: ast.FunctionDecl, members: Members): void {
  const name = methodName(member.name?.text ?? '');
  const info = functionRecord(program, record.state, member, record).info;
  const decorator = member.decorators.find(isPropertyDecorator);
  if (decorator === undefined) {
    members.methods.set(name, info);
    return;
  }
  if (members.fields.has(name)) return; // `@x.setter` beside `@property`
  const lazy = info;
  members.fields.set(name, {
    name,
    get type() {
      return lazy.result;
    },
    declared: member.signature.result,
    owner: record,
    hasDefault: true,
    postinit: false,
    static: false,
    property: true,
    access: member.access,
  });
}

/** `__init__` and `__post_init__` are other spellings of `init` and `postinit`. */
export function methodName(name: string): string {
  if (name === '__init__') return 'init';
  return name === '__post_init__' ? 'postinit' : name;
}

function isPropertyDecorator(decorator: ast.Expression): boolean {
  if (decorator.kind === 'NameRef') return decorator.name === 'property' || decorator.name === 'cached_property';
  return (
    decorator.kind === 'Attribute' && ['setter', 'getter', 'deleter', 'cached_property'].includes(decorator.name.text)
  );
}

class FieldModel implements FieldInfo {
  readonly name: string;
  readonly declared: ast.Expression | undefined;
  readonly owner: ClassRecord;
  readonly hasDefault: boolean;
  readonly postinit: boolean;
  readonly static: boolean;
  readonly property: boolean;
  readonly access: ast.Access | undefined;
  private readonly program: Program;
  private known: Type | undefined;

  constructor(program: Program, owner: ClassRecord, decl: ast.HasDecl, item: ast.HasItem) {
    this.program = program;
    this.owner = owner;
    this.name = item.name.text;
    this.declared = item.type;
    this.hasDefault = item.value !== undefined;
    this.postinit = item.postinit;
    this.static = decl.static;
    this.property = item.accessors !== undefined;
    this.access = decl.access;
    this.known = undefined;
  }

  get type(): Type {
    this.known ??= annotationType(this.program, this.owner.state, this.declared, this.owner);
    return this.known;
  }
}

function reportsField(owner: ClassInfo): FieldInfo {
  return {
    name: 'reports',
    type: listOf(any, false),
    declared: undefined,
    owner,
    hasDefault: true,
    postinit: false,
    static: false,
    property: false,
    access: undefined,
  };
}

const settersIn = new WeakMap<ModuleState, boolean>();

/** `self.__dict__.update(…)` and `setattr(self, …)`: attributes whose names are not in the text. */
export function setsByName({ decl, state }: ClassRecord): boolean {
  if (decl === undefined) return false;
  // Looking through every class would cost; few modules have one of the words.
  let may = settersIn.get(state);
  if (may === undefined) {
    may = state.module.sources.some(({ text }) => text.includes('__dict__') || text.includes('setattr'));
    settersIn.set(state, may);
  }
  if (!may) return false;
  return containsNode(decl, (node) => {
    if (node.kind === 'Attribute') return node.name.text === '__dict__';
    return node.kind === 'Call' && node.callee.kind === 'NameRef' && node.callee.name === 'setattr';
  });
}
