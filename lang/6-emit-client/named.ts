/**
 * Keywords at calls of functions that are not known, as in `counter.inc(by=5)`: a function whose parameters have these names says what they are,
 * because JavaScript knows no keywords.
 */
import type * as ast from '../1-parse/ast.ts';
import { conventionOf, isComponent, placedParams, takesAll } from '../2-resolve/components.ts';
import { quote } from '../5-emit/identifiers.ts';
import { takenApart } from './components.ts';
import { type Cx, lang } from './cx.ts';
import { identifier } from './identifier.ts';

/** The list of parameter names, as code; undefined where no call of the program can ask for it. */
export function parameterNames(c: Cx, signature: ast.Signature): string | undefined {
  const names = takingNames(signature);
  if (takesAll(signature)) return `[${names.map(quote).join(', ')}]`;
  const takesAny = signature.params.some(({ sort }) => sort === 'doublestar');
  const isAsked = c.u.link.plan.keywords.some(
    (words) => words.length > 0 && (takesAny || words.every((word) => names.includes(word))),
  );
  return isAsked ? `[${names.map(quote).join(', ')}]` : undefined;
}

/** Names of what a keyword is put in place of; `**` at the end where others come behind `*rest`. */
export function takingNames(signature: ast.Signature): readonly string[] {
  const names = placedParams(signature).flatMap(({ sort, name }) =>
    sort === 'plain' && name !== undefined ? [name.text] : [],
  );
  return takesAll(signature) ? [...names, '**'] : names;
}

/** A function that a decorator wraps, which may hand it keywords on. */
export function wrapped(c: Cx, { signature }: ast.FunctionDecl, text: string): string {
  const names = takingNames(signature);
  const isHanded = names.length > 0 && c.u.link.plan.keywords.some(({ length }) => length === 0);
  return isHanded ? `Object.assign(${text}, { $params: [${names.map(quote).join(', ')}] })` : text;
}

/** Line behind the declaration of such a function: `inc.$params = ["by"];`. Components take their properties as one object, decorators say it of theirs. */
export function parameterNote(c: Cx, decl: ast.FunctionDecl, name: string): string | undefined {
  if (decl.decorators.length > 0) return undefined;
  if (isComponent(decl) && conventionOf(decl, c.u.link.plan) !== 'positions') return undefined;
  const names = parameterNames(c, c.u.names.implOf(decl)?.signature ?? decl.signature);
  return names === undefined ? undefined : `${name}.$params = ${names};`;
}

/** `let named = $keywords(rest);` at the head of a function with `*rest` and `**named`; `let { by = 1, ...named } = …` where names are asked for. */
export function keywordsTaken(c: Cx, { params }: ast.Signature): string {
  const at = params.findIndex(({ sort, name }) => sort === 'star' && name !== undefined);
  const behind = params.slice(at + 1).filter(({ name }) => name !== undefined);
  const [first] = behind;
  const taken = first?.sort === 'doublestar' ? identifier(first.name!.text) : takenApart(c, behind);
  return `let ${taken} = ${lang(c.u, 'keywords')}(${identifier(params[at]!.name!.text)});`;
}
