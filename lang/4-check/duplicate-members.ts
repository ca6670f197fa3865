import type * as ast from '../1-parse/ast.ts';
import { hasBody } from '../2-resolve/impls.ts';
import { isReplaceable } from '../2-resolve/module-bindings.ts';
import { placeParams } from '../diagnostics.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * E0203, and W0203 of functions and plain types: of two members of one name only the last is there. What decorators
 * were given goes on living (docs/language/modules.md#given-twice).
 */
export const duplicateMemberRule: Rule = {
  name: 'duplicate-members',
  visit: {
    Archetype: (node, c) => checkMembers(node.members ?? [], c),
    EnumDecl(node, c) {
      const before = new Map<string, Named>();
      for (const member of node.members ?? []) note(member, before, c);
      checkMembers(node.body, c, before);
    },
    ImplDecl: (node, c) => checkMembers(node.body.members ?? [], c),
  },
};

function checkMembers(members: readonly ast.Member[], c: RuleContext, before = new Map<string, Named>()): void {
  for (const member of members) {
    switch (member.kind) {
      case 'HasDecl':
        for (const item of member.items) note(item, before, c);
        break;
      case 'FunctionDecl':
      case 'Ability':
        // `@p.setter def p` adds to what is there, and a declaration may stand before its body.
        if (member.name !== undefined && member.decorators.length === 0 && hasBody(member)) note(member, before, c);
        break;
      case 'Archetype':
      case 'EnumDecl':
        if (member.decorators.length === 0 && hasBody(member)) note(member, before, c);
        break;
      default:
    }
  }
}

type Named = ast.HasItem | ast.EnumMember | ast.FunctionDecl | ast.Ability | ast.Archetype | ast.EnumDecl;

function note(member: Named, before: Map<string, Named>, c: RuleContext): void {
  const { name } = member;
  const first = before.get(name?.text ?? '');
  if (name === undefined) return;
  before.set(name.text, member);
  if (first?.name === undefined) return;
  const { start, end } = first.name;
  const related = [{ message: 'first defined here', path: c.source.path, start, end }];
  const code = isReplaceable(first) && isReplaceable(member) ? 'W0203' : 'E0203';
  c.report(code, name, { name: name.text, ...placeParams(c.source, start) }, { related, blocking: false });
}
