import type * as ast from '../1-parse/ast.ts';
import { hasBody } from '../2-resolve/impls.ts';
import { placeParams } from '../diagnostics.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0203: of two members of one name only the last is there. What decorators were given goes on living (decisions/0165). */
export const duplicateMemberRule: Rule = {
  name: 'duplicate-members',
  visit: {
    Archetype: (node, c) => checkMembers(node.members ?? [], c),
    EnumDecl(node, c) {
      const before = new Map<string, ast.Name>();
      for (const member of node.members ?? []) note(member.name, before, c);
      checkMembers(node.body, c, before);
    },
    ImplDecl: (node, c) => checkMembers(node.body.members ?? [], c),
  },
};

function checkMembers(members: readonly ast.Member[], c: RuleContext, before = new Map<string, ast.Name>()): void {
  for (const member of members) {
    switch (member.kind) {
      case 'HasDecl':
        for (const item of member.items) note(item.name, before, c);
        break;
      case 'FunctionDecl':
      case 'Ability':
        // `@p.setter def p` adds to what is there, and a declaration may stand before its body.
        if (member.name !== undefined && member.decorators.length === 0 && hasBody(member))
          note(member.name, before, c);
        break;
      case 'Archetype':
      case 'EnumDecl':
        if (member.decorators.length === 0 && hasBody(member)) note(member.name, before, c);
        break;
      default:
    }
  }
}

function note(name: ast.Name, before: Map<string, ast.Name>, c: RuleContext): void {
  const first = before.get(name.text);
  before.set(name.text, name);
  if (first === undefined) return;
  const related = [{ message: 'first defined here', path: c.source.path, start: first.start, end: first.end }];
  const params = { name: name.text, ...placeParams(c.source, first.start) };
  c.report('E0203', name, params, { related, blocking: false });
}
