/** Scopes of elements, archetypes, enums and functions. */
import type * as ast from '../1-parse/ast.ts';
import { placeParams } from '../diagnostics.ts';
import type { ImportNode } from './build-scopes.ts';
import { type Builder, define, inFrame, inSource, note, useOf, withTypeParams } from './scope-builder.ts';
import { isHandledName, walk, walkType } from './walk-expressions.ts';
import { bindName } from './walk-names.ts';
import { walkBlock, walkBody, walkStatement } from './walk-statements.ts';
import { isWrittenReceiver } from './written-receiver.ts';

export function walkElements(b: Builder, elements: readonly ast.Element[]): void {
  for (const element of elements) {
    if (element.kind === 'PlacedBlock') {
      walkElements(b, element.body);
      continue;
    }
    b.element = element;
    b.source = b.module.sourceOf(element);
    walkElement(b, element);
  }
}

function walkElement(b: Builder, element: ast.Declaration): void {
  switch (element.kind) {
    case 'FunctionDecl':
      if (element.name !== undefined) bindName(b, element.name, element.name.text, 'def', element);
      walkFunction(b, element, undefined);
      return;
    case 'Archetype':
      bindName(b, element.name, element.name.text, 'type', element);
      walkArchetype(b, element);
      return;
    case 'EnumDecl':
      bindName(b, element.name, element.name.text, 'type', element);
      walkEnum(b, element);
      return;
    case 'GlobDecl':
      for (const item of element.items) walkGlobItem(b, item);
      return;
    case 'EntryBlock':
      walkBlock(b, element.body);
      b.frame.dead = false;
      return;
    case 'TestBlock':
      for (const decorator of element.decorators) walk(b, decorator);
      inFrame(b, element, 'function', { awaits: true }, () => walkBlock(b, element.body));
      return;
    case 'ImportModules':
    case 'ImportFrom':
    case 'Include':
      walkImport(b, element);
      return;
    case 'TypeAlias':
      bindName(b, element.name, element.name.text, 'type', element);
      withTypeParams(b, element.typeParams, () => walkType(b, element.type));
      return;
    case 'ImplDecl':
    case 'SemDecl':
    case 'InlineForeign':
      return;
  }
}

function walkGlobItem(b: Builder, item: ast.GlobItem): void {
  if (item.type !== undefined) walkType(b, item.type);
  if (item.value !== undefined) walk(b, item.value);
  bindName(b, item.name, item.name.text, undefined, item);
  for (const name of item.chained) bindName(b, name, name.text, undefined, item);
}

export function walkImport(b: Builder, node: ImportNode): void {
  b.imports.push({ node, source: b.source });
  if (node.kind !== 'Include') for (const item of node.items) b.statementOf.set(item, node);
  if (node.kind === 'ImportModules') {
    for (const item of node.items) {
      const name = item.alias ?? item.path.segments[0];
      if (name !== undefined) bindName(b, name, name.text, 'import', item);
    }
  } else if (node.kind === 'ImportFrom') {
    for (const item of node.items) {
      const name = item.alias ?? item.name;
      if (name !== undefined) bindName(b, name, name.text, 'import', item);
      if (item.name !== undefined && isHandledName(item.name.text) && node.path.segments[0]?.text === 'sys')
        b.asksForHandled = true;
    }
    if (isInside(b, node) && node.items.some((item) => item.what === 'star')) (b.frame.stars ??= []).push(node);
  } else if (node.alias !== undefined) {
    bindName(b, node.alias, node.alias.text, 'import', node);
  } else if (isInside(b, node)) (b.frame.stars ??= []).push(node);
}

/** Tells whether an import stands in a block: it is no declaration of the module. */
function isInside(b: Builder, node: ImportNode): boolean {
  return b.frame.kind !== 'module' || b.element !== node;
}

export function walkArchetype(b: Builder, node: ast.Archetype): void {
  for (const decorator of node.decorators) walk(b, decorator);
  const joined = b.impls.of(node);
  withTypeParams(b, node.typeParams, () => {
    for (const base of node.bases) walkBase(b, base);
    for (const keyword of node.keywords) walk(b, keyword.value);
    if (node.endpoints !== undefined) {
      walkType(b, node.endpoints.from);
      walkType(b, node.endpoints.to);
    }
    inSource(b, joined, () => {
      for (const base of joined?.bases ?? []) walkBase(b, base);
    });
    inFrame(b, node, 'class', { awaits: false, also: joined }, () => {
      if (node.members !== undefined) walkMembers(b, node.members, node.archetype);
      inSource(b, joined, () => walkMembers(b, joined?.body.members ?? [], node.archetype));
    });
  });
}

function walkBase(b: Builder, base: ast.Expression): void {
  const named = base.kind === 'Index' ? base.object : base;
  const type = named.kind === 'NameRef' ? typesBehind[named.name] : undefined;
  if (type !== undefined) b.derivedTypes.add(type);
  walk(b, base);
}

/** The built-in type whose instances those of a class on the named one are. */
const typesBehind: Readonly<Record<string, string>> = {
  Counter: 'dict',
  DefaultDict: 'dict',
  Dict: 'dict',
  List: 'list',
  OrderedDict: 'dict',
  Set: 'set',
  StrEnum: 'str',
  bytes: 'bytes',
  defaultdict: 'dict',
  dict: 'dict',
  frozenset: 'frozenset',
  list: 'list',
  set: 'set',
  str: 'str',
  tuple: 'tuple',
};

/** Types and methods first: inside a class body they may be named before their text. */
function walkMembers(b: Builder, members: readonly ast.Member[], kind: ast.ArchetypeKind): void {
  for (const member of members) {
    const name = hoistedName(member);
    if (name === undefined) continue;
    (b.frame.ahead ??= new Set()).add(name.text);
    bindName(b, name, name.text, member.kind === 'FunctionDecl' ? 'def' : 'type', member);
  }
  for (const member of members) {
    walkMember(b, member, kind);
    const name = hoistedName(member);
    if (name !== undefined) b.frame.ahead?.delete(name.text);
  }
}

function hoistedName(member: ast.Member): ast.Name | undefined {
  return member.kind === 'Archetype' || member.kind === 'EnumDecl' || member.kind === 'FunctionDecl'
    ? member.name
    : undefined;
}

function walkMember(b: Builder, member: ast.Member, kind: ast.ArchetypeKind): void {
  switch (member.kind) {
    case 'HasDecl':
      for (const item of member.items) {
        walkHasItem(b, item);
        if (isSharedField(b, member, item, kind)) bindName(b, item.name, item.name.text, 'local', item);
      }
      break;
    case 'FunctionDecl':
      walkFunction(b, member, kind);
      break;
    case 'Ability':
      walkAbility(b, member);
      break;
    case 'Archetype':
      walkArchetype(b, member);
      break;
    case 'EnumDecl':
      walkEnum(b, member);
      break;
    case 'EntryBlock':
      walkBlock(b, member.body);
      b.frame.dead = false;
      break;
    case 'AssignStatement':
      walkStatement(b, member);
      break;
    case 'ImplDecl':
    case 'InlineForeign':
      break;
  }
}

/** A value of the class, which the text behind it may name as in Python; `static has` gives way to a name of the module. */
function isSharedField(b: Builder, decl: ast.HasDecl, item: ast.HasItem, kind: ast.ArchetypeKind): boolean {
  if (item.value === undefined || item.accessors !== undefined) return false;
  return kind === 'class' || (decl.static && !b.declared.has(item.name.text));
}

function walkHasItem(b: Builder, item: ast.HasItem): void {
  if (item.type !== undefined) walkType(b, item.type);
  if (item.value !== undefined) walk(b, item.value);
  for (const accessor of item.accessors ?? []) {
    const joined = b.impls.of(accessor);
    walkSignature(b, accessor.signature);
    const givesNothing = accessor.sort !== 'getter';
    inFrame(b, accessor, 'function', { givesNothing, also: joined, source: joined }, () => {
      bindParams(b, b.impls.joined(accessor)?.signature ?? accessor.signature, true);
      if (accessor.sort === 'setter') implicitParam(b, 'value');
      walkBody(b, joined?.body.block ?? accessor.body);
    });
  }
}

export function walkEnum(b: Builder, node: ast.EnumDecl): void {
  for (const decorator of node.decorators) walk(b, decorator);
  for (const base of node.bases) walkBase(b, base);
  for (const keyword of node.keywords) walk(b, keyword.value);
  const joined = b.impls.of(node);
  inFrame(b, node, 'class', { also: joined }, () => {
    const members = (list: readonly ast.EnumMember[]) => {
      for (const member of list) {
        if (member.value !== undefined) walk(b, member.value);
        bindName(b, member.name, member.name.text, 'local', member);
      }
    };
    members(node.members ?? []);
    inSource(b, joined, () => members(joined?.body.enumMembers ?? []));
    for (const part of node.body) {
      if (part.kind === 'EntryBlock') walkBlock(b, part.body);
      else if (part.kind === 'FunctionDecl') {
        if (part.name !== undefined) bindName(b, part.name, part.name.text, 'def', part);
        walkFunction(b, part, 'obj');
      }
    }
  });
}

// ---------------------------------------------------------------- functions

/** `owner`: the kind of archetype it is a member of. */
export function walkFunction(b: Builder, node: ast.FunctionDecl, owner: ast.ArchetypeKind | undefined): void {
  for (const decorator of node.decorators) walk(b, decorator);
  const joined = b.impls.of(node);
  inSource(b, joined, () => {
    for (const decorator of joined?.decorators ?? []) walk(b, decorator);
  });
  withTypeParams(b, node.typeParams, () => {
    walkSignature(b, node.signature);
    inSource(b, joined, () => {
      if (joined?.signature !== undefined) walkSignature(b, joined.signature);
    });
    const receives = owner !== undefined && !node.mods.static && node.name?.text !== '__new__';
    const givesNothing = owner !== undefined && /^(init|postinit|__init__|__post_init__)$/.test(node.name?.text ?? '');
    const options = { awaits: node.mods.async, givesNothing, also: joined, source: joined };
    inFrame(b, node, 'function', options, () => {
      if (owner === undefined && node.name !== undefined && b.uses.get(node.name) === undefined) {
        bindName(b, node.name, node.name.text, 'def', node); // a function expression can call itself
      }
      const isClassMethod = node.decorators.some((one) => one.kind === 'NameRef' && one.name === 'classmethod');
      const isWritten =
        owner === 'class' && (!node.mods.class || isWrittenReceiver(node.signature.params[0]?.name?.text));
      const firstIsReceiver = receives && (isWritten || isClassMethod);
      bindParams(b, b.impls.joined(node)?.signature ?? node.signature, receives, firstIsReceiver);
      if (owner !== undefined && node.mods.class) implicitParam(b, 'cls');
      if (joined !== undefined) {
        if (joined.body.by !== undefined) walk(b, joined.body.by);
        walkBody(b, joined.body.block);
      } else if (node.body.kind === 'Block') walkBody(b, node.body);
      else if (node.body.kind === 'ByBody') walk(b, node.body.model);
    });
  });
}

export function walkAbility(b: Builder, node: ast.Ability): void {
  for (const decorator of node.decorators) walk(b, decorator);
  if (node.event.trigger !== undefined) walkType(b, node.event.trigger);
  const joined = b.impls.of(node);
  inSource(b, joined, () => {
    if (joined?.event?.trigger !== undefined) walkType(b, joined.event.trigger);
  });
  inFrame(b, node, 'function', { awaits: node.mods.async, also: joined, source: joined }, () => {
    if (joined !== undefined) walkBody(b, joined.body.block);
    else if (node.body.kind === 'Block') walkBody(b, node.body);
    else if (node.body.kind === 'ByBody') walk(b, node.body.model);
  });
}

/** Annotations and defaults belong to the scope around the function. */
export function walkSignature(b: Builder, signature: ast.Signature): void {
  for (const param of signature.params) {
    if (param.type !== undefined) walkType(b, param.type);
    if (param.value !== undefined) walk(b, param.value);
  }
  if (signature.result !== undefined) walkType(b, signature.result);
}

/** `receives`: a leading `self` (or `cls`) is the receiver; with `anyName` the first parameter is, whatever its name. */
export function bindParams(b: Builder, signature: ast.Signature, receives: boolean, anyName = false): void {
  const first = signature.params[0];
  const seen = new Map<string, ast.Name>();
  for (const param of signature.params) {
    if (param.name === undefined) continue;
    const before = seen.get(param.name.text);
    if (before !== undefined)
      note(b, 'E0203', param.name, { name: before.text, ...placeParams(b.source, before.start) });
    seen.set(param.name.text, param.name);
    const use = bindName(b, param.name, param.name.text, 'param', param);
    if (param === first && receives && param.sort === 'plain' && (anyName || /^(self|cls)$/.test(param.name.text))) {
      use.receiver = true;
    }
  }
}

function implicitParam(b: Builder, name: string): void {
  const use = useOf(b.frame, name);
  if (use.role !== undefined) return;
  use.role = 'param';
  use.assignments += 1;
  if (name === 'cls') use.receiver = true;
  define(b.frame, use);
}
