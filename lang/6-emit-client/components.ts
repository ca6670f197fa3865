/** Components: the functions that give markup, and how they take their properties (language reference, components). */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { conventionOf, placedParams, takesAll, takesRef } from '../2-resolve/components.ts';
import { type Cx, unique } from './cx.ts';
import { defaultCode } from './defaults.ts';
import { apart } from './expressions.ts';
import { identifier } from './identifier.ts';

/** Parameters of a component in JavaScript. */
export function componentParameters(
  c: Cx,
  decl: ast.FunctionDecl,
  signature: ast.Signature,
  usesProps: boolean,
): string {
  switch (conventionOf(decl, c.u.link.plan)) {
    case 'none':
      return usesProps ? 'props' : '';
    case 'props':
      // React gives the reference with the properties, `forwardRef` behind them. It is none of them here: who spreads them has taken it already.
      return takesRef(signature.params)
        ? '{ ref: $ref, ...props }, ref = $ref'
        : identifier(signature.params[0]!.name!.text);
    case 'parts':
      return takenApart(c, signature.params);
    default:
      return parameters(c, signature);
  }
}

/** `{ label, tone: $tone = 'plain', ...rest }` */
export function takenApart(c: Cx, params: readonly ast.Param[]): string {
  const parts: string[] = [];
  for (const { sort, name, value } of params) {
    if (name === undefined) continue;
    const local = identifier(name.text);
    if (sort === 'doublestar' || sort === 'star') parts.push(`...${local}`);
    else {
      const written = local === name.text ? local : `${name.text}: ${local}`;
      parts.push(value === undefined ? written : `${written} = ${apart(c, value)}`);
    }
  }
  return `{ ${parts.join(', ')} }`;
}

/** Parameters of an ordinary function: `*rest` is a rest parameter, `**named` what follows as an object. */
export function parameters(c: Cx, signature: ast.Signature, skipped = 0): string {
  // Parameters behind `*rest` come as its last item, which the body takes out.
  return (takesAll(signature) ? placedParams(signature) : signature.params)
    .slice(skipped)
    .flatMap(({ sort, name, value }) => {
      if (name === undefined) return [];
      const local = identifier(name.text);
      if (sort === 'star') return [`...${local}`];
      if (sort === 'doublestar') return [`${local} = {}`];
      if (value === undefined) return [local];
      const written = defaultCode(c, name.text, value, apart(c, value));
      // `lambda i=i: …`: in a default of JavaScript the name would mean the parameter.
      const binding = c.u.names.binding(name);
      const isOuter = (node: ast.Node) => node.kind === 'NameRef' && node.name === name.text;
      if (binding.sort !== 'local' || !containsNode(value, isOuter)) return [`${local} = ${written}`];
      const other = unique(c.u, name.text);
      c.u.renamed.set(binding, other);
      return [`${other} = ${written}`];
    })
    .join(', ');
}
