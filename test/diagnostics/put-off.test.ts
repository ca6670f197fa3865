/** Mistakes that are looked for after a program has been emitted (decisions/0780): the same as those that are looked for before, and none of them keeps it from running. */
import { expect, test } from 'vitest';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { compileProject } from '../../lang/compile.ts';
import type { CompileOptions } from '../../lang/phases.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { load } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { type Case, cases } from './cases.ts';

await load('math');

/** Starts the program of a case: its output, and its diagnostics before and after the check. */
function start({ text = '', files = { 'main.svc': text }, options = {} }: Case, when: true | 'later') {
  const { tests: _, ...given } = options;
  const browser = Object.keys(files).filter((path) => path.startsWith('pages/'));
  const project = readProject('main.svc', filesInMemory(files), { root: '.', browser });
  const wanted: CompileOptions = {
    target: 'server',
    signatures,
    graph: 'sync',
    runtime: '#runtime',
    standardMembers,
    mode: 'serve',
    client: { mode: 'development' },
    rules: when,
    ...given,
  };
  const { modules, client, diagnostics, check } = compileProject(project, wanted);
  return { modules, client, before: diagnostics, all: check?.() ?? diagnostics };
}

const blocking = ({ before }: ReturnType<typeof start>) => before.filter((one) => one.blocking);

test.each(cases.map((one, i) => [`${one.code} (${i})`, one] as const))('of %s', (_, one) => {
  const [atOnce, later] = [start(one, true), start(one, 'later')];
  // An error that blocks is told alone.
  expect(blocking(later)).toEqual(blocking(atOnce));
  expect(later.all.filter((each) => each.blocking)).toEqual(blocking(later));
  if (blocking(later).length === 0) expect(later.all).toEqual(atOnce.all);
  expect([later.modules, later.client]).toEqual([atOnce.modules, atOnce.client]);
});

test('most mistakes are put off', () => {
  const isPutOff = (one: Case) => {
    const { before, all } = start(one, 'later');
    return all.length > before.length;
  };
  expect(cases.filter(isPutOff).length).toBeGreaterThan(cases.length / 4);
});
