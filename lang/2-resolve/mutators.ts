/** Changes of a value in place: of a list, a dict, an object that a variable holds. */
import type * as ast from '../1-parse/ast.ts';

/** The variable whose value an assignment to `e`, or a call of its method, changes: `x[i]`, `x.field`, `x.append`. */
export function changedOwner(e: ast.Expression): ast.NameRef | undefined {
  let at = e;
  while (at.kind === 'Index' || at.kind === 'Attribute') at = at.object;
  return at !== e && at.kind === 'NameRef' ? at : undefined;
}

/** Methods that change lists, dicts and sets, of the language and of JavaScript. */
export const mutators: ReadonlySet<string> = new Set(
  (
    'append extend insert remove pop clear sort reverse update setdefault popitem add discard ' +
    'push unshift shift splice fill'
  ).split(' '),
);
