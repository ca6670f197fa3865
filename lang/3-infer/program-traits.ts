/** Traits of a whole program that decide how every module of it is written: most programs have none, and their code is the shorter for it. */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { Project } from '../project.ts';

export interface ProgramTraits {
  /** Does some class of the program have several bases? Then `super` follows the resolution order at run time. */
  readonly hasMixins: boolean;
  /** Names of attributes that the program deletes: an object may be without such a field. */
  readonly deletedAttributes: ReadonlySet<string>;
  /** Is a class of the program a list with more to say? Then an array may have answers of its own. */
  readonly derivesLists: boolean;
  /** Does the program ask what is being handled (`sys.exc_info`, a bare `raise` outside of every `except` clause)? Then all clauses say what they work with. */
  readonly tracksHandled: boolean;
  /** Does some text ask for defaults of parameters (`inspect`, `__defaults__`)? Then functions tell theirs. */
  readonly asksForDefaults: boolean;
  /** Is a project module imported by statements that run later than the others, and perhaps again? */
  readonly importsLater: boolean;
  /** Modules with private walkers, which others may not spawn (docs/server/programs.md#private-walkers). */
  readonly withPrivateWalkers: readonly string[];
}

/** Reads the traits off the trees and names of all modules. */
export function programTraits(project: Project, names: ProjectNames): ProgramTraits {
  const modules = [...project.modules.values()];
  const tables = [...project.modules.keys()].map((id) => names.of(id));
  return {
    hasMixins: modules.some(({ tree }) => tree.body.some(mixes)),
    deletedAttributes: new Set(tables.flatMap((one) => [...one.deletedAttributes])),
    derivesLists: tables.some((one) => one.derivedTypes.has('list')),
    tracksHandled: tables.some((one) => one.asksForHandled),
    asksForDefaults: modules.some(({ sources }) => sources.some(namesDefaults)),
    importsLater: project.importsLater,
    withPrivateWalkers: modules.filter(({ tree }) => tree.body.some(hasPrivateWalker)).map(({ id }) => id),
  };
}

function namesDefaults({ text }: { readonly text: string }): boolean {
  return /\b(inspect|__defaults__|__kwdefaults__)\b/.test(text);
}

function mixes(element: ast.Element): boolean {
  if (element.kind === 'PlacedBlock') return element.body.some(mixes);
  if (element.kind === 'ImplDecl') return (element.bases?.length ?? 0) > 1;
  if (element.kind !== 'Archetype') return false;
  return (
    element.bases.length > 1 ||
    (element.members?.some((member) => member.kind === 'Archetype' && mixes(member)) ?? false)
  );
}

function hasPrivateWalker(element: ast.Element): boolean {
  if (element.kind === 'PlacedBlock') return element.body.some(hasPrivateWalker);
  return element.kind === 'Archetype' && element.archetype === 'walker' && element.access === 'priv';
}
