import type * as ast from '../1-parse/ast.ts';

/** Names of bases: `Enum` of `enum.Enum`, `str`. */
export function enumBaseNames(bases: readonly ast.Expression[]): readonly string[] {
  return bases.map((base) => (base.kind === 'NameRef' ? base.name : base.kind === 'Attribute' ? base.name.text : ''));
}

const enumBases: ReadonlySet<string> = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag']);

/** `class Color(Enum)`, as in Python */
export function isEnumClass(decl: ast.Node | undefined): boolean {
  return decl?.kind === 'Archetype' && enumBaseNames(decl.bases).some((name) => enumBases.has(name));
}
