import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { type Cx, lang, mark } from './cx.ts';
import { expr, property } from './expressions.ts';

/** An enum of the client: members with name and value, equal to the values that the server sends for them. */
export function enumCode(c: Cx, decl: ast.EnumDecl, name: string): string {
  const members = decl.members ?? c.u.names.implOf(decl)?.impl.body.enumMembers ?? [];
  let last = 0;
  const parts = members.map((member) => {
    const { value } = member;
    if (value?.kind === 'NumberLiteral') last = Number(value.value);
    else if (value === undefined || isAuto(value)) last += 1;
    const written = value === undefined || isAuto(value) ? String(last) : expr(c, value);
    return `${property(member.name.text)}: ${written}`;
  });
  return `${mark(c, decl.name, decl.name.text)}const ${name} = ${lang(c.u, 'enumOf')}(${quote(decl.name.text)}, { ${parts.join(', ')} });`;
}

function isAuto(e: ast.Expression): boolean {
  return e.kind === 'Call' && e.callee.kind === 'NameRef' && e.callee.name === 'auto';
}
