/**
 * Keywords at calls of functions that are not known, as in `counter.inc(by=5)`: a function whose parameters have these names says what they are,
 * because JavaScript knows no keywords.
 */
import type * as ast from '../1-parse/ast.ts';
import { quote } from '../5-emit/identifiers.ts';
import { conventionOf, isComponent } from '../2-resolve/components.ts';
import type { Cx } from './cx.ts';

/** The list of parameter names, as code; undefined where no call of the program can ask for it. */
export function parameterNames(c: Cx, signature: ast.Signature): string | undefined {
  const names = signature.params.flatMap(({ sort, name }) =>
    sort === 'plain' && name !== undefined ? [name.text] : [],
  );
  const takesAny = signature.params.some(({ sort }) => sort === 'doublestar');
  const isAsked = c.u.link.plan.keywords.some((words) => takesAny || words.every((word) => names.includes(word)));
  return isAsked ? `[${names.map(quote).join(', ')}]` : undefined;
}

/** Line behind the declaration of such a function: `inc.$params = ["by"];`. Components take their properties as one object anyway. */
export function parameterNote(c: Cx, decl: ast.FunctionDecl, name: string): string | undefined {
  if (isComponent(decl) && conventionOf(decl, c.u.link.plan) !== 'positions') return undefined;
  const names = parameterNames(c, c.u.names.implOf(decl)?.signature ?? decl.signature);
  return names === undefined ? undefined : `${name}.$params = ${names};`;
}
