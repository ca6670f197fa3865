/** Names that a module has: one of the program, of the standard library, or of JavaScript. */
import type * as ast from '../../1-parse/ast.ts';
import { docOf } from '../docs.ts';
import { foreignExports } from '../foreign.ts';
import type { View } from '../view.ts';
import type { Candidate, World } from './candidate.ts';
import { usualMembers, usualOfModules } from './words.ts';

export function moduleNames(view: View, id: string): readonly Candidate[] {
  const module = view.analysis.project.modules.get(id);
  if (module === undefined) return [];
  const names = [...view.analysis.names.of(id).bindings.values()].filter(
    ({ role, access }) => role !== 'import' && access !== 'priv',
  );
  return [
    ...names.map(
      ({ name, role, decl }): Candidate => ({
        name,
        kind: kindOfRole(role, decl),
        detail: id,
        rank: 20,
        doc: docOf(decl),
      }),
    ),
    ...[...module.submodules.keys()].map((name): Candidate => ({ name, kind: 'module', detail: 'module', rank: 10 })),
  ];
}

export function kindOfRole(role: string, decl: ast.Node | undefined): Candidate['kind'] {
  if (role === 'function') return 'function';
  if (decl?.kind === 'Archetype')
    return decl.archetype === 'obj' || decl.archetype === 'class' ? 'class' : decl.archetype;
  if (role === 'archetype' || role === 'alias') return 'class';
  return role === 'enum' ? 'enum' : 'variable';
}

export function standardNames(module: string, { standardMembers }: World): readonly Candidate[] {
  const names = [...(standardMembers(module) ?? [])].filter((name) => !name.startsWith('_'));
  const usual = usualOfModules[module] ?? [];
  const rankOf = (name: string): number => {
    const at = usual.indexOf(name);
    if (at >= 0) return 50 - at / 2;
    return /^[A-Z][A-Z\d_]*$|(?:Error|Exception|Warning)$/.test(name) ? -10 : usualRank(name);
  };
  return names.map(
    (name): Candidate => ({
      name,
      kind: /^[A-Z]/.test(name) ? 'class' : 'function',
      detail: module,
      rank: rankOf(name),
    }),
  );
}

export function foreignNames(view: View, specifier: string): readonly Candidate[] {
  const exports = foreignExports(view.analysis.project, specifier);
  return [...exports].map(
    ([name, kind]): Candidate => ({
      name,
      kind: kind === 'class' || kind === 'interface' ? 'class' : kind === 'variable' ? 'variable' : 'function',
      detail: specifier,
      rank: 10,
    }),
  );
}

/** Place of a name among those that programs use most; 0 for others. */
export function usualRank(name: string): number {
  const at = usualMembers.indexOf(name);
  return at < 0 ? 0 : 40 - at / 2;
}
