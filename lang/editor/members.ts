/** Members of classes with the node that declares each: what a name behind a dot, in a filter or in a call of a class means. */
import type * as ast from '../1-parse/ast.ts';
import { namesOfTarget } from '../2-resolve/target-names.ts';
import type { ModuleTypes } from '../3-infer/infer.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import { pathAt, shownType, type View } from './view.ts';

export type MemberNode =
  | ast.HasItem
  | ast.FunctionDecl
  | ast.Ability
  | ast.Archetype
  | ast.EnumDecl
  | ast.EnumMember
  | ast.NameRef;

export interface Member {
  readonly name: string;
  readonly node: MemberNode;
  /** The class whose text declares it. */
  readonly owner: ClassInfo;
}

/** Members that the text of the class itself declares, those of an `impl` joined to it included. */
export function ownMembers(cls: ClassInfo): readonly Member[] {
  const record = cls as Partial<ClassRecord> & ClassInfo;
  const found: Member[] = [];
  const add = (name: ast.Name | ast.NameRef | undefined, node: MemberNode) => {
    if (name !== undefined) found.push({ name: name.kind === 'Name' ? name.text : name.name, node, owner: cls });
  };
  if (cls.decl?.kind === 'EnumDecl') for (const member of enumMembers(record)) add(member.name, member);
  for (const node of record.memberNodes ?? []) {
    if (node.kind === 'HasDecl') for (const item of node.items) add(item.name, item);
    else if (
      node.kind === 'FunctionDecl' ||
      node.kind === 'Ability' ||
      node.kind === 'Archetype' ||
      node.kind === 'EnumDecl'
    )
      add(node.name, node);
    else if (node.kind === 'AssignStatement')
      for (const target of node.targets.flatMap(namesOfTarget)) add(target, target);
  }
  return found;
}

function enumMembers({ decl, state }: Partial<ClassRecord>): readonly ast.EnumMember[] {
  if (decl?.kind !== 'EnumDecl') return [];
  return [...(decl.members ?? []), ...(state?.names.implOf(decl)?.impl.body.enumMembers ?? [])];
}

/** All members, the nearest declaration of each name. */
export function allMembers(cls: ClassInfo): readonly Member[] {
  const found = new Map<string, Member>();
  for (const one of [cls, ...cls.bases])
    for (const member of ownMembers(one)) if (!found.has(member.name)) found.set(member.name, member);
  return [...found.values()];
}

/** The declaration that a member of this name has in the class or its nearest base. */
export function memberOf(cls: ClassInfo, name: string): Member | undefined {
  for (const one of [cls, ...cls.bases]) {
    const own = ownMembers(one).find((member) => member.name === name);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** The declaration that all overriding ones go back to: what a member is told apart from others by. */
export function firstDeclared(cls: ClassInfo, name: string): Member | undefined {
  for (const one of [cls, ...cls.bases].reverse()) {
    const own = ownMembers(one).find((member) => member.name === name);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** Classes whose members a value of the type has: of a union those of every part but None. */
export function classesOf(type: Type): readonly ClassInfo[] {
  const shown = shownType(type);
  if (shown.t === 'instance' || shown.t === 'class') return [shown.cls];
  return shown.t === 'union' ? shown.of.flatMap(classesOf) : [];
}

/** Classes of the elements of a list of nodes, or of the value itself: what a filter or an assignment to fields speaks of. */
export function elementClasses(type: Type): readonly ClassInfo[] {
  const shown = shownType(type);
  if (shown.t === 'list' || shown.t === 'set' || shown.t === 'iterator') return classesOf(shown.of);
  return classesOf(shown);
}

/** Classes behind the one whose method `super` or `super()` stands in, the nearest first; undefined for another expression. */
export function classesOfSuper(view: View, types: ModuleTypes, e: ast.Expression): readonly ClassInfo[] | undefined {
  const word = e.kind === 'Call' && e.args.length === 0 ? e.callee : e;
  if (word.kind !== 'SpecialRef' || word.word !== 'super') return undefined;
  const around = pathAt(view, word.start).findLast(({ kind }) => kind === 'Archetype' || kind === 'ImplDecl');
  const decl = around?.kind === 'ImplDecl' ? view.names.bindings.get(around.target[0]?.text ?? '')?.decl : around;
  return decl?.kind === 'Archetype' ? types.classOf(decl).bases : [];
}
