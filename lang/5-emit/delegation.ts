/**
 * `def f(…) -> T by model;` (docs/language/delegation.md#by): the body is a call to the model with everything known
 * about the function.
 */
import type * as ast from '../1-parse/ast.ts';
import { type Cx, constant, line, mark } from './context.ts';
import { awaitIfPromise, expr } from './expressions.ts';
import { functionSpec, type SpecSource } from './function-spec.ts';
import { identifier } from './identifiers.ts';

export function byBody(c: Cx, model: ast.Expression, spec: SpecSource): string {
  const names = spec.signature.params.flatMap((param, i) =>
    i < spec.receivers || param.name === undefined ? [] : [identifier(param.name.text)],
  );
  const about = constant(c.u, 's', functionSpec(c, spec));
  c.u.described.set(spec.decl, about);
  const isFunction = spec.decl.kind !== 'Ability';
  // Callers were compiled for a whole text where nothing says that it comes in pieces.
  const whole = isFunction && c.u.types.functionOf(spec.decl).streams ? '' : ', true';
  const self = c.self ?? 'undefined';
  const code = `${mark(c, model)}$.delegate(${expr(c, model)}, ${about}, [${names.join(', ')}], ${self}${whole})`;
  const waited = c.isAsync ? awaitIfPromise(c, code) : code;
  return line(c, `${c.result === 'void' ? '' : 'return '}${waited};`);
}
