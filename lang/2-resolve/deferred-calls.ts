/** Calls of the browser's runtime that take a walk or a call of the server itself, not its answer. */
import type * as ast from '../1-parse/ast.ts';
import type { Names } from './names.ts';

/** `live(root spawn W())` follows it, `useAction(root spawn W())` keeps it for later. */
export type Deferring = 'live' | 'useAction';

/** Tells which of them a call is, whose first argument the runtime asks of the server; undefined for any other call. */
export function deferring(names: Pick<Names, 'binding'>, e: ast.Node): Deferring | undefined {
  if (e.kind !== 'Call' || deferred(e) === undefined) return undefined;
  const member = runtimeMember(names, e.callee);
  return member === 'live' || member === 'useAction' ? member : undefined;
}

/** The walk or call that stands for a subscription or an action. */
export function deferred({ args: [first] }: ast.Call): ast.Spawn | ast.Call | undefined {
  if (first?.sort !== 'positional') return undefined;
  const { value } = first;
  const inner = value.kind === 'Await' ? value.expr : value;
  return inner.kind === 'Spawn' || inner.kind === 'Call' ? inner : undefined;
}

/** The member of `@svc/runtime` that a name was imported as. */
export function runtimeMember(names: Pick<Names, 'binding'>, e: ast.Node): string | undefined {
  if (e.kind !== 'NameRef') return undefined;
  const binding = names.binding(e);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  return target?.of === 'js' && target.specifier === '@svc/runtime' ? target.member : undefined;
}
