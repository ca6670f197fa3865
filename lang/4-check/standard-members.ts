import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../1-parse/ast.ts';
import { ambientNames } from '../2-resolve/ambient.ts';
import { homes } from '../2-resolve/meant-name.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * W0701: members that a standard module has elsewhere and not here (docs/language/standard-modules.md#modules). What it
 * has is told by the caller of the compiler.
 */
export const standardMemberRule: Rule = {
  name: 'standard-members',
  visit: { ImportItem: visitItem, Attribute: visitAttribute },
};

function visitItem(node: ast.ImportItem, c: RuleContext): void {
  const name = node.alias ?? node.name;
  if (name === undefined || node.name === undefined || c.module.caughtImports.get(c.parent) === 'all') return;
  const binding = c.names.binding(name);
  if (binding.sort !== 'local' && binding.sort !== 'module') return;
  if (binding.import?.of === 'builtin' && binding.import.member !== undefined)
    check(binding.import.module, binding.import.member, node.name, c);
}

function visitAttribute(node: ast.Attribute, c: RuleContext): void {
  const type = c.typeOf(node.object);
  if (type.t === 'module' && type.std && node.name.text !== '') check(type.module, node.name.text, node.name, c);
}

function check(module: string, name: string, span: ast.Span, c: RuleContext): void {
  const members = c.standardMembers?.(module);
  if (members === undefined || members.has(name) || name.startsWith('_')) return;
  const mayBeModule = !/^svclang(\.|$)/.test(module); // every name below `svclang` is that of a module, and of no member
  if (mayBeModule && c.standardMembers?.(`${module}.${name}`) !== undefined) return;
  c.report('W0701', span, { m: module, n: name }, { help: helpOf(name, module, members) });
}

function helpOf(name: string, module: string, members: ReadonlySet<string>): string | undefined {
  const home = homes.get(name);
  if (home !== undefined && home !== module) return `\`${name}\` is in \`${home}\``;
  if (ambientNames.has(name)) return `\`${name}\` is known everywhere: leave the import out`;
  const nearest = didYouMean(name, [...members]);
  return nearest === undefined ? undefined : `did you mean \`${nearest}\`?`;
}
