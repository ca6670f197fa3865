/** Classes of names for colouring, beyond what a grammar of words can tell. */
import type * as ast from '../1-parse/ast.ts';
import { declOf, type Meaning } from './meanings.ts';
import { sitesWhere } from './references.ts';
import type { Site } from './sites.ts';
import type { View } from './view.ts';

export const tokenTypes = [
  'namespace',
  'type',
  'class',
  'enum',
  'interface',
  'struct',
  'typeParameter',
  'parameter',
  'variable',
  'property',
  'enumMember',
  'event',
  'function',
  'method',
  'macro',
  'keyword',
  'modifier',
  'comment',
  'string',
  'number',
  'regexp',
  'operator',
  'decorator',
  'node',
  'edge',
  'walker',
  'ability',
] as const;
export type TokenType = (typeof tokenTypes)[number];

export const tokenModifiers = [
  'declaration',
  'definition',
  'readonly',
  'static',
  'deprecated',
  'abstract',
  'async',
  'modification',
  'documentation',
  'defaultLibrary',
] as const;
export type TokenModifier = (typeof tokenModifiers)[number];

export interface Token extends ast.Span {
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

/** Tokens of the file in textual order; none lies in another, none spans lines. What is still to be written has none. */
export function tokensOf(view: View): readonly Token[] {
  const found: Token[] = [];
  for (const { start, end, site } of sitesWhere(view, () => true)) {
    const text = view.source.text.slice(start, end);
    if (start < (found.at(-1)?.end ?? 0) || /[\r\n]/.test(text) || text.trim() === '') continue;
    const token = tokenOf(site);
    if (token !== undefined) found.push({ start, end, ...token });
  }
  return found;
}

function tokenOf(site: Site): Pick<Token, 'type' | 'modifiers'> | undefined {
  const [meaning] = site.meanings();
  if (meaning === undefined) return undefined;
  const type = typeOf(meaning);
  if (type === undefined) return undefined;
  const decl = declOf(meaning);
  const modifiers: TokenModifier[] = [];
  if (site.binds && decl !== undefined) modifiers.push('declaration');
  if (decl !== undefined && 'mods' in decl) {
    if (decl.mods.static) modifiers.push('static');
    if (decl.mods.async) modifiers.push('async');
    if (decl.body.kind === 'AbstractBody') modifiers.push('abstract');
  }
  if (type === 'enumMember') modifiers.push('readonly');
  if (meaning.of === 'builtin' || meaning.of === 'method' || meaning.of === 'standard')
    modifiers.push('defaultLibrary');
  return { type, modifiers };
}

function typeOf(meaning: Meaning): TokenType | undefined {
  switch (meaning.of) {
    case 'builtin':
      return /^[A-Z]/.test(meaning.name) ? 'class' : 'function';
    case 'method':
      return 'method';
    case 'project-module':
      return 'namespace';
    case 'standard':
      return meaning.member === undefined ? 'namespace' : /^[A-Z]/.test(meaning.member) ? 'class' : 'function';
    case 'js':
      return meaning.member === undefined ? 'namespace' : /^[A-Z]/.test(meaning.member) ? 'class' : 'function';
    case 'special':
      return 'keyword';
    case 'guess':
      return 'property';
    case 'member':
      return typeOfDeclaration(meaning.member.node, true);
    case 'local':
      if (meaning.binding.role === 'param') return 'parameter';
      return meaning.binding.decl === undefined ? 'variable' : typeOfDeclaration(meaning.binding.decl, false);
    case 'module-name':
      return meaning.binding.decl === undefined ? 'variable' : typeOfDeclaration(meaning.binding.decl, false);
  }
}

function typeOfDeclaration(decl: ast.Node, isMember: boolean): TokenType {
  switch (decl.kind) {
    case 'Archetype':
      return decl.archetype === 'obj' || decl.archetype === 'class' ? 'class' : decl.archetype;
    case 'EnumDecl':
      return 'enum';
    case 'EnumMember':
      return 'enumMember';
    case 'Ability':
      return 'ability';
    case 'FunctionDecl':
      return isMember ? 'method' : 'function';
    case 'TypeAlias':
      return 'type';
    case 'TypeParam':
      return 'typeParameter';
    case 'Param':
      return 'parameter';
    default:
      return isMember ? 'property' : 'variable';
  }
}
