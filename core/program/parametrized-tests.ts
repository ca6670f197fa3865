/** `svclang.runtimelib.test`: tests over several values (decisions/0020). */
import { isProgramFunction, specOf } from '../../library/classes/func.ts';
import { call } from '../../library/values/calls/calls.ts';
import { native } from '../../library/values/calls/signature.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { strOf } from '../../library/values/objects/repr.ts';

export interface AddedTest {
  readonly name: string;
  /** `file:line:column` of the function; empty for one that no program declared. */
  readonly at: string;
  readonly run: () => unknown;
}

let added: AddedTest[] = [];

/** The tests that were added since the last time. */
export function takeAddedTests(): readonly AddedTest[] {
  const taken = added;
  added = [];
  return taken;
}

/**
 * `parametrize("base", values, check, id_fn)` adds the test `base[id]` for each value. As a decorator, `@parametrize(values)` or
 * `@parametrize("a, b", values)`: a function gets a test for each value, a `test` block runs once for each.
 */
export const parametrize = native(
  'parametrize',
  'base_name, params=None, test_func=None, id_fn=None',
  (base: unknown, params?: unknown, test?: unknown, idOf?: unknown): unknown => {
    if (test !== undefined && test !== null) {
      add(strOf(base), toArray(params), (value) => call(test, value), test, idOf);
      return null;
    }
    const values = toArray(params ?? base);
    const several = typeof base === 'string' && params !== undefined && base.includes(',');
    const run = (fn: unknown, value: unknown) => call(fn, ...(several ? toArray(value) : [value]));
    return (fn: unknown): unknown => {
      const name = isProgramFunction(fn) ? specOf(fn)!.name : '<test>';
      if (name.startsWith('<')) return () => runAll(values, (value) => run(fn, value));
      add(name, values, (value) => run(fn, value), fn, idOf);
      return fn;
    };
  },
);

function add(
  base: string,
  values: readonly unknown[],
  run: (value: unknown) => unknown,
  fn: unknown,
  idOf: unknown,
): void {
  const at = specOf(fn)?.at ?? '';
  for (const value of values) added.push({ name: `${base}[${idText(value, idOf)}]`, at, run: () => run(value) });
}

function idText(value: unknown, idOf: unknown): string {
  if (idOf !== undefined && idOf !== null) return strOf(call(idOf, value));
  return value instanceof Tuple ? value.items.map((item) => strOf(item)).join('-') : strOf(value);
}

async function runAll(values: readonly unknown[], run: (value: unknown) => unknown): Promise<void> {
  for (const value of values) await run(value);
}
