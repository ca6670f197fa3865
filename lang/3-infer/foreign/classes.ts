/** Classes, interfaces and object types of TypeScript, read when they are asked for something. */
import type { Member, Members, Signature, TypeNode } from '../../declarations/nodes.ts';
import { any, doubted, none, unionOf } from '../classes/type-values.ts';
import type { ClassInfo, FieldInfo, FunctionInfo, Type } from '../types.ts';
import { ForeignFunction } from './functions.ts';
import type { ForeignTypes, Place } from './types.ts';

/** One of the declarations of a name, which TypeScript merges. */
export interface ForeignPart {
  readonly bases: readonly (TypeNode | undefined)[];
  readonly members: Members;
  readonly place: Place;
}

/** Instances have `fields` and `methods`; what the class itself has is behind `staticMember`. */
export class ForeignClass implements ClassInfo {
  readonly kind = 'foreign';
  readonly module = '';
  readonly decl = undefined;
  readonly constructorFields = [];
  readonly abilities = new Map();
  readonly attributes = new Map();
  readonly members = [];
  readonly primitive = undefined;
  readonly name: string;
  private readonly foreign: ForeignTypes;
  private readonly parts: readonly ForeignPart[];
  /** A module: its members are found by name. */
  private readonly lookUp: ((name: string) => Type) | undefined;
  private known: Known | undefined;
  private found: readonly ClassInfo[] | undefined;
  private isOpen = false;

  constructor(foreign: ForeignTypes, name: string, parts: readonly ForeignPart[], lookUp?: (name: string) => Type) {
    this.foreign = foreign;
    this.name = name;
    this.parts = parts.map((part) => ({ ...part, place: { ...part.place, self: this } }));
    this.lookUp = lookUp;
  }

  get bases(): readonly ClassInfo[] {
    if (this.found !== undefined) return this.found;
    this.found = [];
    const bases: ClassInfo[] = [];
    for (const { bases: nodes, place } of this.parts) {
      for (const node of nodes) {
        const type = node === undefined ? any : this.foreign.typeOf(node, place);
        if (type.t === 'instance') bases.push(type.cls, ...type.cls.bases);
        else this.isOpen = true;
      }
    }
    this.found = [...new Set(bases)].filter((base) => base !== this);
    return this.found;
  }

  /** Members that are not known are no mistakes: another file may add to what a package declares. */
  get open(): boolean {
    const { bases } = this;
    return (
      this.isOpen ||
      this.parts.length === 0 ||
      this.parts.some(({ members, place }) => members.isOpen || members.index !== undefined || !place.home.isOwn) ||
      bases.some((base) => base.open)
    );
  }

  get fields(): ReadonlyMap<string, FieldInfo> {
    return this.all.fields;
  }

  get methods(): ReadonlyMap<string, FunctionInfo> {
    return this.all.methods;
  }

  /** Names of what the class itself has, where its text tells. */
  get statics(): readonly string[] {
    const all = this.parts.flatMap(({ members }) => members.all);
    return [...new Set(all.filter(({ isStatic }) => isStatic).map(({ name }) => name))];
  }

  /** `Class.member`, or a member of a module. */
  staticMember(name: string): Type {
    if (this.lookUp !== undefined) return this.lookUp(name);
    for (const { members, place } of this.parts) {
      const same = members.all.filter((member) => member.isStatic && member.name === name);
      if (same.length > 0) return memberType(this.foreign, same, place);
    }
    return any;
  }

  /** Type of `o[key]` on an instance of the class. */
  get indexed(): Type {
    for (const { members, place } of this.parts)
      if (members.index !== undefined) return this.foreign.typeOf(members.index, place);
    return any;
  }

  /** The constructor of a class, or what calling a value of the type means; undefined when that is not known. */
  callable(isConstruction: boolean): ForeignFunction | undefined {
    for (const { members, place } of this.parts) {
      const signatures: readonly Signature[] = isConstruction ? members.constructors : members.calls;
      if (signatures.length > 0) return new ForeignFunction(this.foreign, this.name, signatures, place);
    }
    return undefined;
  }

  private get all(): Known {
    if (this.known !== undefined) return this.known;
    this.known = { fields: new Map(), methods: new Map() };
    const { fields, methods } = this.known;
    for (const base of [...this.bases].reverse()) {
      for (const [name, field] of base.fields) fields.set(name, field);
      for (const [name, method] of base.methods) methods.set(name, method);
    }
    for (const { members, place } of this.parts) {
      for (const [name, same] of byName(members.all)) {
        const signatures = same.flatMap(({ signature }) => signature ?? []);
        fields.delete(name);
        methods.delete(name);
        if (signatures.length === same.length && !same.some(({ isOptional }) => isOptional))
          methods.set(name, new ForeignFunction(this.foreign, name, signatures, place));
        else fields.set(name, new ForeignField(this.foreign, this, same, place));
      }
    }
    return this.known;
  }
}

function byName(members: readonly Member[]): ReadonlyMap<string, readonly Member[]> {
  const found = new Map<string, Member[]>();
  for (const member of members) {
    if (member.isStatic) continue;
    const same = found.get(member.name);
    if (same === undefined) found.set(member.name, [member]);
    else same.push(member);
  }
  return found;
}

interface Known {
  readonly fields: Map<string, FieldInfo>;
  readonly methods: Map<string, FunctionInfo>;
}

function memberType(foreign: ForeignTypes, same: readonly Member[], place: Place): Type {
  const signatures = same.flatMap(({ signature }) => signature ?? []);
  const [first] = same;
  const type: Type =
    signatures.length > 0
      ? {
          t: 'function',
          fn: new ForeignFunction(foreign, first!.name, signatures, place),
          sure: true,
        }
      : foreign.typeOf(first!.type, place);
  return first!.isOptional ? unionOf([type, none]) : type;
}

class ForeignField implements FieldInfo {
  readonly name: string;
  readonly declared = undefined;
  readonly owner: ClassInfo;
  readonly hasDefault = true;
  readonly postinit = false;
  readonly static = false;
  readonly property = false;
  readonly access = undefined;
  private readonly foreign: ForeignTypes;
  private readonly same: readonly Member[];
  private readonly place: Place;
  private known: Type | undefined;

  constructor(foreign: ForeignTypes, owner: ClassInfo, same: readonly Member[], place: Place) {
    this.foreign = foreign;
    this.owner = owner;
    this.same = same;
    this.place = place;
    this.name = same[0]!.name;
  }

  /** Anybody may have changed it. */
  get type(): Type {
    this.known ??= doubted(memberType(this.foreign, this.same, this.place));
    return this.known;
  }
}
