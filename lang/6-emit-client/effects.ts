/** Effects: abilities of a component. */
import type * as ast from '../1-parse/ast.ts';
import { P } from './code.ts';
import { type Cx, hook, inner, lang, line, mark } from './cx.ts';
import { expr } from './expressions.ts';
import { awaits, functionBody, isNone } from './functions.ts';
import { kindOf } from './kinds.ts';
import { noteHook } from './refresh.ts';

export function effect(c: Cx, s: ast.Ability): string {
  const body = c.u.names.implOf(s)?.body ?? (s.body.kind === 'Block' ? s.body : undefined);
  if (body === undefined) return '';
  const useEffect = hook(c.u, 'useEffect');
  noteHook(c, { key: 'useEffect' });
  const isAsync = s.mods.async || awaits(c, body);
  const at = inner(c, { isAsync, isVoid: s.event.when === 'exit' || isAsync, isEffect: !isAsync });
  const text = functionBody(at, s, body);
  const run = isAsync ? `(async () => ${text})();` : undefined;
  const dependencies = `[${dependenciesOf(s.event.trigger)
    .map((one) => expr(c, one))
    .join(', ')}]`;
  const inside =
    s.event.when === 'exit'
      ? `() => () => ${run === undefined ? text : `{ ${run} }`}`
      : `() => ${run === undefined ? text : `{ ${run} }`}`;
  return line(c, `${mark(c, s)}${useEffect}(${inside}, ${dependencies});`);
}

function dependenciesOf(trigger: ast.Expression | undefined): readonly ast.Expression[] {
  if (trigger === undefined) return [];
  return trigger.kind === 'ListExpr' || trigger.kind === 'TupleExpr' ? trigger.items : [trigger];
}

const effects: ReadonlySet<string> = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect']);

/** Is it a call of one of React's effects? What its function gives is a clean-up, or nothing. */
export function isEffectCall(e: ast.Call): boolean {
  return e.callee.kind === 'NameRef' && effects.has(e.callee.name) && e.args.length > 0;
}

/** Result that an effect gives to React: a function as it is, of anything else nothing. */
export function cleanup(c: Cx, e: ast.Expression): string {
  const written = expr(c, e);
  return kindOf(c, e) === 'function' ? written : `${lang(c.u, 'cleanup')}(${written})`;
}

/** The function of an effect that the program calls itself. */
export function effectFunction(c: Cx, e: ast.Expression): string {
  if (e.kind !== 'Lambda') return `() => ${lang(c.u, 'cleanup')}(${expr(c, e, P.call)}())`;
  const { body, signature } = e;
  if (body.kind === 'Block') {
    const isAsync = awaits(c, body);
    const at = inner(c, { isAsync, isVoid: isAsync || isNone(signature.result), isEffect: !isAsync });
    const text = functionBody(at, e, body);
    return isAsync ? `() => { (async () => ${text})(); }` : `() => ${text}`;
  }
  const at = inner(c, {});
  const written = expr(at, body);
  const temps = at.fn.hoisted.length === 0 ? '' : `let ${at.fn.hoisted.join(', ')}; `;
  if (body.kind === 'Await' || body.kind === 'Spawn' || awaits(c, body))
    return `() => { (async () => { ${temps}${written}; })(); }`;
  return body.kind === 'Lambda' ? `() => ${written}` : `() => { ${temps}${written}; }`;
}
