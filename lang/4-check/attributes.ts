import { didYouMean } from '../../base/did-you-mean.ts';
import { wordList } from '../../base/word-list.ts';
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { enumMembers } from '../3-infer/classes/runtime-classes.ts';
import { any, believed, membersOf, withoutNone } from '../3-infer/classes/type-values.ts';
import type { ReceiverKind } from '../3-infer/functions/builtin-signatures.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import { isDamaged } from './damaged.ts';
import { classesOf, derivedFrom } from './derived.ts';
import { alternativeTo } from './js-members.ts';
import { isBrought, isClosed } from './outside-bases.ts';
import { isSuper } from './own-constructors.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0413, E0420 and E0702: members that a value of known type does not have. */
export const attributeRule: Rule = { name: 'attributes', half: 'both', visit: { Attribute: visit, Index: visitIndex } };

function visit(node: ast.Attribute, c: RuleContext): void {
  const name = node.name.text;
  if (node.safe || /^__\w+__$/.test(name) || isTarget(node, c)) return;
  const held = c.half === 'client' ? said(c.typeOf(node.object)) : believed(c.typeOf(node.object));
  if (c.half === 'client' && (isOfScript(name) || promiseMembers.includes(name))) return;
  if (held.t === 'none' && isCertain(node.object, c)) {
    c.report('E0413', node.name, { form: 'plain', T: 'None', a: name });
    return;
  }
  if (isSuper(node.object, c)) {
    if (asksSuper(name, c)) return;
    checkSuper(node, c);
  }
  const type = withoutNone(held);
  switch (type.t) {
    case 'instance':
      if (!classesOf(node.object, type.cls, c).some((cls) => hasMember(cls, name, c)))
        reportMember(node.name, type.cls.name, memberNames(type.cls), c);
      return;
    case 'union':
      checkUnion(node, type, c);
      return;
    case 'class':
      checkClass(node, type.cls, c);
      return;
    case 'module':
      if (!type.std) checkModule(node, type.module, c);
      return;
    case 'std':
      if (type.module === 'http') checkRuntimeEnum(node, type.name, c);
      return;
    default:
      checkBuiltin(node, type, c);
  }
}

/** The type of a value in a browser: what a walk reported is what the program says of it. */
function said(type: Type): Type {
  if (type.t === 'none') return any;
  if (type.t !== 'any' || type.claim === undefined) return believed(type);
  const isOwn = membersOf(type.claim).every((one) => one.t === 'instance' && one.cls.decl !== undefined);
  return isOwn ? type.claim : believed(type);
}

/** Members of every object in JavaScript, and what an object of the graph says of itself on the wire. */
function isOfScript(name: string): boolean {
  return name in Object.prototype || /^_svc_\w+$|^toJSON$|^\$/.test(name);
}

/** `Color["RED"]` */
function visitIndex(node: ast.Index, c: RuleContext): void {
  const { index } = node;
  const type = index.kind === 'StringLiteral' ? c.typeOf(node.object) : undefined;
  const name =
    type?.t === 'class' ? type.cls.name : type?.t === 'std' && type.module === 'http' ? type.name : undefined;
  const members =
    type?.t === 'class' && type.cls.kind === 'enum' && !type.cls.open ? type.cls.members : enumMembers(name ?? '');
  if (index.kind !== 'StringLiteral' || name === undefined || members === undefined) return;
  if (!members.includes(index.value))
    reportNoMember({ start: index.start, end: index.end, text: index.value }, name, members, c);
}

/** `None`, or a local that no inner function shares: what it holds here is known. */
export function isCertain(e: ast.Expression, c: RuleContext): boolean {
  if (e.kind !== 'NameRef') return e.kind === 'Constant';
  const binding = c.names.binding(e);
  return binding.sort === 'local' && !binding.assignedInside;
}

/** An assignment makes the attribute (W0525 speaks of it when it is on `self`). */
function isTarget(node: ast.Attribute, c: RuleContext): boolean {
  const { parent } = c;
  return (parent.kind === 'AssignStatement' && parent.targets.includes(node)) || parent.kind === 'DeleteStatement';
}

/** Tells whether an instance of the class has the member, as far as the program tells. */
export function hasMember(cls: ClassInfo, name: string, c: RuleContext): boolean {
  if (cls.kind === 'runtime' || !isClosed(cls, c) || isBrought(cls, name, c)) return true;
  if (cls.fields.has(name) || cls.methods.has(name) || cls.abilities.has(name) || cls.attributes.has(name)) return true;
  if (cls.members.includes(name) || implicit(cls).includes(name) || ofPrimitive(cls, name, c)) return true;
  return isAssignedSomewhere(name, c) || isDamaged(cls, c);
}

/** Members every instance of a kind has. */
function implicit(cls: ClassInfo): readonly string[] {
  switch (cls.kind) {
    case 'enum':
      return ['name', 'value', '_name_', '_value_'];
    case 'walker':
      return ['reports', 'path', '__svc__'];
    case 'edge':
      return ['source', 'target', 'undirected', '__svc__'];
    case 'node':
      return ['__svc__'];
    case 'foreign':
      return objectMembers;
    default:
      return [];
  }
}

const objectMembers =
  'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf'.split(' ');

const numberParts = ['real', 'imag', 'numerator', 'denominator'];

/** Members of an enum on a built-in type have what its values have. */
function ofPrimitive(cls: ClassInfo, name: string, c: RuleContext): boolean {
  if (cls.kind !== 'enum' || cls.primitive === undefined) return false;
  if (cls.primitive !== 'str' && numberParts.includes(name)) return true;
  return c.types.program.builtins.methods[cls.primitive].has(name);
}

/** Older programs assign fields they did not declare. */
function isAssignedSomewhere(name: string, c: RuleContext): boolean {
  for (const id of c.project.modules.keys()) if (c.projectNames.of(id).createdAttributes.has(name)) return true;
  return false;
}

function memberNames(cls: ClassInfo): readonly string[] {
  return [
    ...cls.fields.keys(),
    ...cls.methods.keys(),
    ...cls.abilities.keys(),
    ...cls.attributes.keys(),
    ...cls.members,
    ...implicit(cls),
  ];
}

/** Place that names a member. */
type Mention = Pick<ast.Name, 'start' | 'end' | 'text'>;

function reportMember(
  member: Mention,
  type: string,
  candidates: readonly string[],
  c: RuleContext,
  help?: string,
): void {
  const a = member.text;
  const b = didYouMean(a, candidates);
  if (b === undefined) c.report('E0413', member, { form: 'plain', T: type, a }, { help });
  else c.report('E0413', member, { form: 'near', T: type, a, b }, { help });
}

/** Checks an attribute of a union: it is reported only when no member has it. */
function checkUnion(node: ast.Attribute, type: Type, c: RuleContext): void {
  const members = membersOf(type);
  const name = node.name.text;
  if (!members.every((member) => member.t === 'instance' && !hasMember(member.cls, name, c))) return;
  const names = members.flatMap((member) => (member.t === 'instance' ? memberNames(member.cls) : []));
  reportMember(
    node.name,
    members.map((member) => (member.t === 'instance' ? member.cls.name : '')).join(' | '),
    names,
    c,
  );
}

/** `HTTPMethod.GETT`, `AccessLevel.REED` */
function checkRuntimeEnum(node: ast.Attribute, name: string, c: RuleContext): void {
  const members = enumMembers(name);
  if (members !== undefined && !/^_|^mro$/.test(node.name.text) && !members.includes(node.name.text))
    reportNoMember(node.name, name, members, c);
}

/** One of an enumeration's members was meant: all of them are told. */
function reportNoMember(member: Mention, name: string, members: readonly string[], c: RuleContext): void {
  const help = members.length === 0 ? undefined : `\`${name}\` has ${wordList(members, 'and')}`;
  reportMember(member, name, members, c, help);
}

function checkClass(node: ast.Attribute, cls: ClassInfo, c: RuleContext): void {
  const name = node.name.text;
  if (cls.kind === 'enum') {
    if (!cls.open && !hasClassMember(cls, name)) reportNoMember(node.name, cls.name, cls.members, c);
    return;
  }
  if (cls.kind === 'runtime') checkRuntimeEnum(node, cls.name, c);
  if ((cls.kind !== 'obj' && cls.kind !== 'class') || !isClosed(cls, c)) return;
  // `cls.create` of a mixin is its subclasses'.
  const isReceiver = node.object.kind === 'NameRef' && node.object.name === 'cls';
  const all = isReceiver ? [cls, ...derivedFrom(cls, c.types)] : [cls];
  if (all.some((one) => hasClassMember(one, name) || hasMember(one, name, c))) return;
  // Below `Enum` of the standard module.
  if (isBrought(cls, '_member_map_', c)) reportNoMember(node.name, cls.name, [...cls.attributes.keys()], c);
  else reportMember(node.name, cls.name, memberNames(cls), c);
}

function hasClassMember(cls: ClassInfo, name: string): boolean {
  return (
    cls.members.includes(name) ||
    cls.methods.has(name) ||
    cls.attributes.has(name) ||
    cls.fields.has(name) ||
    name === 'mro'
  );
}

/** `hasattr(super(), "show")` somewhere in the method. */
function asksSuper(name: string, c: RuleContext): boolean {
  return containsNode(c.fn!.node, (inner) => {
    if (inner.kind !== 'Call' || inner.callee.kind !== 'NameRef' || inner.callee.name !== 'hasattr') return false;
    const [object, asked] = inner.args.map(({ value }) => value);
    return object !== undefined && isSuper(object, c) && asked?.kind === 'StringLiteral' && asked.value === name;
  });
}

/** Checks an attribute of `super`: in a mixin it may be any class that stands behind it in a class derived from it. */
function checkSuper(node: ast.Attribute, c: RuleContext): void {
  const owner = c.owner!;
  const name = node.name.text;
  const [base] = owner.bases;
  if (base === undefined || c.fn?.owner !== owner || name === 'init' || name === 'postinit') return;
  const lowest = [owner, ...derivedFrom(owner, c.types)];
  const behind = lowest.flatMap(({ bases }) => bases.filter((one) => one.kind !== 'runtime' && one !== owner));
  const isBroughtIn = lowest.some((cls) => !isClosed(cls, c) || isBrought(cls, name, c));
  if (!isBroughtIn && !behind.some((cls) => hasMember(cls, name, c)))
    reportMember(node.name, base.name, memberNames(base), c);
}

function checkModule(node: ast.Attribute, id: string, c: RuleContext): void {
  const module = c.project.modules.get(id);
  if (module === undefined) return;
  const { bindings, isOpen } = c.projectNames.of(id);
  const name = node.name.text;
  if (isOpen || bindings.has(name) || module.submodules.has(name) || isAssignedSomewhere(name, c)) return;
  const near = didYouMean(name, bindings.keys());
  const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
  c.report('E0702', node.name, { m: id, n: name }, { help, blocking: false });
}

const receivers: Readonly<Record<string, ReceiverKind>> = {
  str: 'str',
  list: 'list',
  dict: 'dict',
  set: 'set',
  frozenset: 'set',
  tuple: 'tuple',
  bytes: 'bytes',
  int: 'int',
  float: 'float',
};

function checkBuiltin(node: ast.Attribute, type: Type, c: RuleContext): void {
  const kind = receivers[type.t];
  if (kind === undefined) return;
  const methods = c.types.program.builtins.methods[kind];
  const name = node.name.text;
  const isClient = c.half === 'client';
  const ofScript = isClient ? scriptMembers(kind) : [];
  if (ofScript === undefined || methods.has(name) || ofScript.includes(name)) return;
  const alternative = isClient ? undefined : alternativeTo(kind, name);
  if (alternative !== undefined) {
    c.report('E0420', node.name, { m: name, alternative });
    return;
  }
  if (kind === 'tuple' || numberParts.includes(name)) return;
  const known = [...methods.names(), ...ofScript];
  // A value whose type is only an annotation's may be something else after all, unless a method is but misspelt. What components are given as
  // a number or a text is checked where they are used.
  const isPlain = isClient && (kind === 'int' || kind === 'float' || kind === 'str');
  if (type.sure === true || isPlain || didYouMean(name, known) !== undefined) reportMember(node.name, type.t, known, c);
}

/** Members of what a call of the server gives before it is awaited. */
const promiseMembers = Object.getOwnPropertyNames(Promise.prototype);

/** Members that JavaScript gives a value of a kind; undefined where it has any: the keys of a dict are members in the browser. */
function scriptMembers(kind: ReceiverKind): readonly string[] | undefined {
  switch (kind) {
    case 'str':
      return Object.getOwnPropertyNames(String.prototype);
    case 'int':
    case 'float':
      return Object.getOwnPropertyNames(Number.prototype);
    case 'list':
    case 'tuple':
      return Object.getOwnPropertyNames(Array.prototype);
    case 'set':
      return Object.getOwnPropertyNames(Set.prototype);
    default:
      return undefined;
  }
}
