import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runtimeNames } from '../lang/2-resolve/runtime-names.ts';

/** Names of the values that a text exports, by its own declarations and by lists; those beginning with `__` are the compiler's. */
function exportsOf(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const lists = [...text.matchAll(/^\s*export \{([^}]*)\}/gm)].flatMap(([, list]) => list!.split(','));
  const listed = lists.map((one) => one.trim().replace(/^.* as /, ''));
  const declared = [...text.matchAll(/^\s*export (?:async )?(?:function|const|class) (\w+)/gm)].map(
    ([, name]) => name!,
  );
  return [...listed, ...declared].filter((name) => name !== '' && !/^(__|type )/.test(name));
}

/** Exported for other parts of the runtime only. */
const own = ['currentPath', 'setRouterKind'];

test('the declarations for scripts and the compiler name what the runtime gives, and nothing else', () => {
  // `@svc/runtime` stands for these (adapters/client/runtime-imports.ts).
  const given = ['runtime.ts', 'router.ts', 'forms.ts', 'live.ts']
    .flatMap(exportsOf)
    .filter((name) => !own.includes(name));
  expect(given.length).toBeGreaterThan(40);
  expect(exportsOf('svc-runtime.d.ts').toSorted()).toEqual(given.toSorted());
  expect([...runtimeNames].toSorted()).toEqual(given.toSorted());
});

test('the runtime asks React for nothing that a project with version 18 does not have: no page of one would come up with --dev', () => {
  const since19 = ['use', 'useActionState', 'useOptimistic', 'cache', 'Activity', 'useEffectEvent'];
  expect(exportsOf('runtime.ts').filter((name) => since19.includes(name))).toEqual([]);
});
