/**
 * Types of the language for declarations of TypeScript (decisions/0160). Names are followed through imports and exports
 * when they are asked for. What is not understood, and what has no counterpart, is `any`.
 */

import type { Entry } from '../../declarations/block.ts';
import type { Declarations, Home } from '../../declarations/declarations.ts';
import type { Declaration, Members, Signature, TypeNode } from '../../declarations/nodes.ts';
import { any, doubted, instanceOf, none, sure, unionOf, withoutNone } from '../classes/type-values.ts';
import type { Type } from '../types.ts';
import { ForeignClass, type ForeignPart } from './classes.ts';
import { ForeignFunction } from './functions.ts';
import { createForeignNames, type Target } from './names.ts';

/** Place in which a type is written. */
export interface Place {
  readonly home: Home;
  /** Types that the type parameters in scope stand for, by name. */
  readonly generics: ReadonlyMap<string, Type>;
  readonly self: ForeignClass | undefined;
}

export interface ForeignTypes {
  /** The value that an import brings; `member` is undefined for the whole module. */
  valueOf(specifier: string, member: string | undefined): Type;
  /** Gives the type that an imported name has in an annotation. */
  named(specifier: string, member: string): Type;
  typeOf(node: TypeNode | undefined, place: Place): Type;
  /** Gives the target of a name of a type; undefined for type parameters and for names that are not declared here. */
  targetOf(path: readonly string[], place: Place): Target | undefined;
  declaration(entry: Entry, home: Home): Declaration | undefined;
}

export const number: Type = { t: 'union', of: [sure.int, sure.float], sure: true };

/** Types within types; what goes on further is unknown. */
const deepest = 100;

const noGenerics: ReadonlyMap<string, Type> = new Map();

export function createForeignTypes(declarations: Declarations): ForeignTypes {
  const names = createForeignNames(declarations);
  const { declaration } = names;
  const classes = new Map<Entry, ForeignClass>();
  const values = new Map<string, Type>();
  // Aliases that are being worked out: one that mentions itself is unknown there.
  const open = new Set<Entry>();
  let depth = 0;

  // ---------------------------------------------------------------- values

  const memberValue = (home: Home, name: string): Type => {
    const target = names.exported(home, name);
    if (target !== undefined) return valueOfTarget(target);
    const whole = names.assigned(home);
    return whole === undefined ? any : memberOf(valueOfTarget(whole), name);
  };

  const valueOfTarget = (target: Target): Type => {
    // Values that are declared as each other.
    if (depth > deepest) return any;
    depth += 1;
    const type = target.of === 'module' ? moduleValue(target.home) : declaredValue(target);
    depth -= 1;
    return type;
  };

  const moduleValue = (home: Home): Type => {
    const whole = names.assigned(home);
    return whole === undefined ? namespaceValue(home) : valueOfTarget(whole);
  };

  const declaredValue = (target: Extract<Target, { of: 'entries' }>): Type => {
    const { home } = target;
    const place: Place = { home, generics: noGenerics, self: undefined };
    const parts = target.entries.map((entry) => declaration(entry, home));
    const signatures = parts.flatMap((part) => (part?.k === 'function' ? [part.signature] : []));
    if (signatures.length > 0) return functionValue(target.entries[0]!.name, signatures, place);
    for (const [i, part] of parts.entries()) {
      if (part?.k === 'variable')
        return part.type?.k === 'function'
          ? functionValue(target.entries[i]!.name, [part.type.signature], place)
          : typeOf(part.type, place);
      if (part?.k === 'class') return { t: 'class', cls: classOf(target.entries, home), sure: true };
      if (part?.k === 'enum') return enumValue(target.entries[i]!, part, place);
    }
    const space = target.entries.find((entry) => entry.kind === 'namespace');
    const inner = space === undefined ? undefined : declarations.ofNamespace(space, home);
    return inner === undefined ? any : namespaceValue(inner);
  };

  const functionValue = (name: string, signatures: readonly Signature[], place: Place): Type => ({
    t: 'function',
    fn: new ForeignFunction(foreign, name, signatures, place),
    sure: true,
  });

  /** `* as x`: its members are looked up one by one. */
  const namespaceValue = (home: Home): Type => {
    const place: Place = { home, generics: noGenerics, self: undefined };
    const part: ForeignPart = { bases: [], members: noMembers, place };
    return instanceOf(new ForeignClass(foreign, 'module', [part], (name) => memberValue(home, name)), true);
  };

  const enumValue = (entry: Entry, { members, of }: Extract<Declaration, { k: 'enum' }>, place: Place): Type => {
    const type: TypeNode = of === 'mixed' ? { k: 'unknown' } : { k: 'plain', of };
    const all = members.map((name) => ({ name, isStatic: false, isOptional: false, type, signature: undefined }));
    const part: ForeignPart = { bases: [], members: { ...noMembers, all }, place };
    return instanceOf(new ForeignClass(foreign, entry.name, [part]), true);
  };

  const classOf = (entries: readonly Entry[], home: Home): ForeignClass => {
    const [first] = entries;
    let cls = classes.get(first!);
    if (cls === undefined) {
      const parts = entries.flatMap((entry): ForeignPart[] => {
        const found = declaration(entry, home);
        if (found?.k !== 'class' && found?.k !== 'interface') return [];
        const generics = new Map(found.generics.map((name) => [name, any]));
        return [{ bases: found.bases, members: found.members, place: { home, generics, self: undefined } }];
      });
      // A declaration that could not be read may hold anything.
      const isWhole = parts.length === entries.filter(({ kind }) => kind === 'class' || kind === 'interface').length;
      cls = new ForeignClass(foreign, first!.name, isWhole ? parts : []);
      classes.set(first!, cls);
    }
    return cls;
  };

  // ---------------------------------------------------------------- types

  const typeOf = (node: TypeNode | undefined, place: Place): Type => {
    if (depth > deepest) return any;
    depth += 1;
    const type = node === undefined ? any : nodeType(node, place);
    depth -= 1;
    return type;
  };

  const nodeType = (node: TypeNode, place: Place): Type => {
    switch (node.k) {
      case 'plain':
        return node.of === 'number' ? number : node.of === 'none' ? none : sure[node.of];
      case 'text':
        return sure.str;
      case 'list':
        return { t: 'list', of: doubted(typeOf(node.of, place)), sure: true };
      case 'union':
        return unionOf(node.of.map((one) => typeOf(one, place)));
      case 'both':
        return bothType(node.of.map((one) => typeOf(one, place)));
      case 'function':
        return functionValue('', [node.signature], place);
      case 'object':
        return instanceOf(new ForeignClass(foreign, 'object', [{ bases: [], members: node.members, place }]), true);
      case 'this':
        return place.self === undefined ? any : instanceOf(place.self, true);
      case 'typeof': {
        const target = names.written(place.home, node.path);
        return target === undefined ? any : valueOfTarget(target);
      }
      case 'import': {
        const home = declarations.ofModule(node.specifier, place.home);
        if (home === undefined) return any;
        let target: Target | undefined = { of: 'module', home };
        for (const name of node.path) target = target && names.inside(target, name);
        if (target === undefined) return any;
        return node.isValue ? valueOfTarget(target) : typeOfTarget(target, node.args, place);
      }
      case 'name':
        return namedType(node, place);
      default:
        return any;
    }
  };

  const namedType = ({ path, args }: Extract<TypeNode, { k: 'name' }>, place: Place): Type => {
    const bound = path.length === 1 ? place.generics.get(path[0]!) : undefined;
    if (bound !== undefined) return bound;
    const target = names.written(place.home, path);
    if (target !== undefined) return typeOfTarget(target, args, place);
    // A name that is imported in vain is not the global one.
    if (path.length > 1 || isImported(place.home, path[0]!)) return any;
    return globalType(path[0]!, args, place);
  };

  const typeOfTarget = (target: Target, args: readonly TypeNode[], place: Place): Type => {
    if (target.of === 'module') return any;
    const { home, entries } = target;
    for (const entry of entries) {
      if (entry.kind === 'class' || entry.kind === 'interface') return instanceOf(classOf(entries, home), true);
      const found = declaration(entry, home);
      if (found?.k === 'enum') return found.of === 'str' ? sure.str : found.of === 'number' ? number : any;
      if (found?.k !== 'alias' || open.has(entry) || open.size > 20) continue;
      const generics = new Map(
        found.generics.map((name, i) => [name, args[i] === undefined ? any : typeOf(args[i], place)] as const),
      );
      open.add(entry);
      const type = typeOf(found.type, { home, generics, self: undefined });
      open.delete(entry);
      return type;
    }
    return any;
  };

  const globalType = (name: string, args: readonly TypeNode[], place: Place): Type => {
    const first = () => typeOf(args[0], place);
    switch (name) {
      case 'Array':
      case 'ReadonlyArray':
        return { t: 'list', of: doubted(first()), sure: true };
      case 'Promise':
      case 'PromiseLike':
        return { t: 'awaitable', of: first(), sure: true };
      case 'Awaited': {
        const type = first();
        return type.t === 'awaitable' ? type.of : type.t === 'union' ? any : type;
      }
      case 'Readonly':
        return first();
      case 'NonNullable':
        return withoutNone(first());
      case 'Record': {
        const members: Members = { ...noMembers, index: args[1] };
        return instanceOf(new ForeignClass(foreign, 'object', [{ bases: [], members, place }]), true);
      }
      default:
        return any;
    }
  };

  const foreign: ForeignTypes = {
    valueOf(specifier, member) {
      const key = `${specifier}\n${member ?? ''}`;
      let type = values.get(key);
      if (type === undefined) {
        const home = declarations.ofImport(specifier);
        type =
          home === undefined
            ? any
            : member === undefined
              ? valueOfTarget({ of: 'module', home })
              : memberValue(home, member);
        values.set(key, type);
      }
      return type;
    },
    named(specifier, member) {
      const home = declarations.ofImport(specifier);
      const target = home === undefined ? undefined : names.exported(home, member);
      if (target === undefined) return any;
      return typeOfTarget(target, [], { home: target.home, generics: noGenerics, self: undefined });
    },
    typeOf,
    targetOf: (path, place) =>
      path.length === 1 && place.generics.has(path[0]!) ? undefined : names.written(place.home, path),
    declaration,
  };
  return foreign;
}

/** A member of a value that is exported whole. */
function memberOf(type: Type, name: string): Type {
  if (type.t !== 'instance') return any;
  const method = type.cls.methods.get(name);
  return method === undefined ? (type.cls.fields.get(name)?.type ?? any) : { t: 'function', fn: method, sure: true };
}

function isImported(home: Home, name: string): boolean {
  for (let at: Home | undefined = home; at !== undefined; at = at.parent) if (at.block.imports.has(name)) return true;
  return false;
}

/** `string & { brand }` is text; other intersections are not worked out. */
function bothType(types: readonly Type[]): Type {
  return types.find(({ t }) => t === 'str' || t === 'bool' || t === 'list') ?? (types.includes(number) ? number : any);
}

const noMembers: Members = { all: [], constructors: [], calls: [], index: undefined, isOpen: true };
