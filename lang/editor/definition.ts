/** Places that a name leads to: its declaration, its type, what implements it. */
import { classOfDecl } from '../3-infer/classes/classes.ts';
import type { ClassInfo, Type } from '../3-infer/types.ts';
import { declaredAt, implsOf, nameOf } from './declared.ts';
import { foreignPlace } from './foreign.ts';
import { declOf, type Meaning } from './meanings.ts';
import { classesOf, ownMembers } from './members.ts';
import { type Site, siteAt } from './sites.ts';
import {
  elementIn,
  type Outside,
  type Place,
  pathAt,
  probeAt,
  shownType,
  sourceOfNode,
  typesAt,
  type View,
  viewsOf,
} from './view.ts';

export type Target = Place | Outside;

/** The site at the cursor, with the view's own offset. */
export function siteUnder(view: View, offset: number): Site | undefined {
  const probe = probeAt(view.source.text, offset);
  return siteAt(view, pathAt(view, probe), probe);
}

export function definitionsAt(view: View, offset: number): readonly Target[] {
  const site = siteUnder(view, offset);
  if (site === undefined) return [];
  const meanings = site.meanings();
  // From a declaration without body to its body, and from there back.
  const [first] = meanings;
  const decl = first && declOf(first);
  const targets = meanings.flatMap((meaning) => targetsOf(view, meaning));
  if (decl === undefined) return targets;
  const isHere = targets.some(
    (one) => 'source' in one && one.source === view.source && one.start <= offset && offset <= one.end,
  );
  const impls = isHere ? implsOf(view, decl) : [];
  return impls.length > 0 ? impls : targets;
}

function targetsOf(view: View, meaning: Meaning): readonly Target[] {
  if (meaning.of === 'js') {
    const found = foreignPlace(view.analysis.project, meaning.specifier, meaning.member);
    return found === undefined ? [] : [found];
  }
  const declared = declaredAt(view, meaning);
  return declared === undefined ? [] : [declared.name];
}

/** Declarations of the classes that a value of the expression at the cursor is of. */
export function typeDefinitionsAt(view: View, offset: number): readonly Place[] {
  const path = pathAt(view, probeAt(view.source.text, offset));
  const site = siteUnder(view, offset);
  const types = typesAt(view, elementIn(path));
  const [meaning] = site?.meanings() ?? [];
  const type: Type | undefined =
    site?.expr !== undefined
      ? types.of(site.expr)
      : meaning?.of === 'local' || meaning?.of === 'module-name'
        ? types.ofBinding(meaning.binding)
        : undefined;
  if (type === undefined) return [];
  return elementTypes(type)
    .flatMap(classesOf)
    .flatMap((cls) => placeOfClass(view, cls));
}

function elementTypes(type: Type): readonly Type[] {
  const shown = shownType(type);
  if (shown.t === 'union') return shown.of.flatMap(elementTypes);
  if (shown.t === 'list' || shown.t === 'set' || shown.t === 'iterator') return elementTypes(shown.of);
  return [shown];
}

function placeOfClass(view: View, cls: ClassInfo): readonly Place[] {
  const module = view.analysis.project.modules.get(cls.module);
  if (module === undefined || cls.decl === undefined) return [];
  const name = nameOf(cls.decl) ?? cls.decl;
  return [{ source: sourceOfNode(module, cls.decl), start: name.start, end: name.end }];
}

/** Bodies in `impl` blocks; of a class those derived from it, of a method those that override it. */
export function implementationsAt(view: View, offset: number): readonly Place[] {
  const found = siteUnder(view, offset)?.meanings() ?? [];
  return found.flatMap((meaning): readonly Place[] => {
    const decl = declOf(meaning);
    if (decl === undefined) return [];
    const impls = implsOf(view, decl);
    if (decl.kind === 'Archetype' || decl.kind === 'EnumDecl') return [...impls, ...derivedFrom(view, decl)];
    return meaning.of === 'member' ? [...impls, ...overriding(view, meaning)] : impls;
  });
}

/** Classes of the program. */
export function classesIn(view: View, program = view.analysis.types.of(view.module.id).program): readonly ClassInfo[] {
  return viewsOf(view.analysis).flatMap((one) =>
    [...one.names.bindings.values()].flatMap(({ decl, role }) => {
      if (one.source !== one.module.source || role === 'import') return [];
      if (decl?.kind !== 'Archetype' && decl?.kind !== 'EnumDecl') return [];
      return [classOfDecl(program, program.modules.get(one.module.id)!, decl)];
    }),
  );
}

function derivedFrom(view: View, decl: NonNullable<ClassInfo['decl']>): readonly Place[] {
  return classesIn(view)
    .filter((cls) => cls.bases.some((base) => base.decl === decl))
    .flatMap((cls) => placeOfClass(view, cls));
}

function overriding(view: View, { member, first }: Meaning & { of: 'member' }): readonly Place[] {
  return classesIn(view).flatMap((cls) => {
    if (!cls.bases.some((base) => base.decl === first.owner.decl)) return [];
    const own = ownMembers(cls).find(({ name, node }) => name === member.name && node !== member.node);
    const module = view.analysis.project.modules.get(cls.module);
    if (own === undefined || module === undefined) return [];
    const name = nameOf(own.node) ?? own.node;
    return [{ source: sourceOfNode(module, own.node), start: name.start, end: name.end }];
  });
}
