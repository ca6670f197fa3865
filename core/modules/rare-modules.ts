/** Modules of the product that most programs do not import; read together, when a program names one that is not known (decisions/0015). */
import { makeChecks } from '../builtins/checks.ts';
import { makeComptime } from '../builtins/modules/comptime.ts';
import { makeMarkup } from '../builtins/modules/markup.ts';
import { makeSvcCode } from '../builtins/modules/svc-code.ts';
import { makeSvcGlobals } from '../builtins/modules/svc-globals.ts';
import type { Makers } from '../builtins/modules.ts';
import { addBuiltins } from '../builtins/table.ts';
import { byllmModules, makeByllm } from '../llm/module.ts';
import { parametrize } from '../program/parametrized-tests.ts';
import { makeTesting } from '../program/test-client.ts';

// `builtins`, which makes all modules ready, has the checks too.
addBuiltins(makeChecks());

const makers: Makers = {
  svc_code: makeSvcCode,
  svc_globals: makeSvcGlobals,
  'svclang.checks': makeChecks,
  'svclang.comptime': makeComptime,
  'svclang.markup': makeMarkup,
  'svclang.runtimelib.test': () => ({ parametrize }),
  'svclang.runtimelib.testing': makeTesting,
  ...Object.fromEntries(byllmModules.map((name) => [name, makeByllm])),
};

export function readRare(): readonly Makers[] {
  return [makers];
}
