/** `svclang.runtimelib.test`: tests over several values (decisions/0020). */
import { isProgramFunction, specOf } from '../../library/classes/func.ts';
import { call, callkw } from '../../library/values/calls/calls.ts';
import { native, signatureOf } from '../../library/values/calls/signature.ts';
import { toArray } from '../../library/values/containers/iteration.ts';
import { Tuple } from '../../library/values/containers/tuple.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
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
 * `parametrize("base", values, check, id_fn)` adds the test `base[id]` for each value. As a decorator, `@parametrize(values)`,
 * `@parametrize("a, b", values)` or `@parametrize(["a", "b"], values)`: a function gets a test for each value, a `test` block, which takes
 * nothing, runs once for each. Names are those of parameters, as in pytest.
 */
export const parametrize = native(
  'parametrize',
  'base_name, params=None, test_func=None, id_fn=None',
  (base: unknown, params?: unknown, test?: unknown, idOf?: unknown): unknown => {
    if (test !== undefined && test !== null) {
      add({ base: strOf(base), values: toArray(params), fn: test, names: undefined, idOf });
      return null;
    }
    const isNamed = params !== undefined && params !== null;
    const values = toArray(isNamed ? params : base);
    const names = isNamed ? namesIn(base) : undefined;
    return (fn: unknown): unknown => {
      const name = isProgramFunction(fn) ? specOf(fn)!.name : '<test>';
      if (name.startsWith('<')) return () => runAll(values, () => call(fn));
      add({ base: name, values, fn, names, idOf });
      return fn;
    };
  },
);

/** Several tests of one function. `names`: of the parameters that a value is for; undefined when nobody said. */
interface Tests {
  readonly base: string;
  readonly values: readonly unknown[];
  readonly fn: unknown;
  readonly names: readonly string[] | undefined;
  readonly idOf: unknown;
}

function namesIn(given: unknown): readonly string[] {
  const names = typeof given === 'string' ? given.split(',') : toArray(given).map((name) => strOf(name));
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function add(tests: Tests): void {
  const { base, values, fn, idOf } = tests;
  const at = specOf(fn)?.at ?? '';
  for (const value of values) {
    const parts = partsOf(value, tests);
    const name = `${base}[${idText(value, parts, idOf)}]`;
    added.push({ name, at, run: () => run(tests, value, parts) });
  }
}

/** The arguments that a value is: its items for several names or, for a tuple, several parameters that must be given; else itself. */
function partsOf(value: unknown, { fn, names }: Tests): readonly unknown[] {
  const needed = names?.length ?? (value instanceof Tuple && isProgramFunction(fn) ? signatureOf(fn)!.least : 1);
  return needed > 1 ? toArray(value) : [value];
}

function run({ fn, names }: Tests, value: unknown, parts: readonly unknown[]): unknown {
  if (names === undefined) return call(fn, ...parts);
  if (names.length !== parts.length) {
    const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
    const both = `${count(names.length, 'name')} (${names.join(', ')}) and ${count(parts.length, 'value')}`;
    throw new ValueError(`${both}: ${strOf(value)}`);
  }
  return callkw(fn, [], Object.fromEntries(names.map((name, i) => [name, parts[i]])));
}

function idText(value: unknown, parts: readonly unknown[], idOf: unknown): string {
  if (idOf !== undefined && idOf !== null) return strOf(call(idOf, value));
  const shown = parts.length === 1 && value instanceof Tuple ? value.items : parts;
  return shown.map((item) => strOf(item)).join('-');
}

async function runAll(values: readonly unknown[], run: () => unknown): Promise<void> {
  for (const _ of values) await run();
}
