/** Modules of the product that most programs do not import; read together, when a program names one that is not known (decisions/0015). */

import { addBuiltins } from '../../library/builtins/table.ts';
import type { Makers } from '../../library/registry.ts';
import { parametrize } from '../program/parametrized-tests.ts';
import { makeTesting } from '../program/test-client.ts';
import { makeBrowser } from '../program/test-page.ts';
import { byllmModules, makeByllm } from './byllm.ts';
import { makeChecks } from './checks.ts';
import { makeComptime } from './comptime.ts';
import { makeMarkup } from './markup.ts';
import { makeSvcCode } from './svc-code.ts';
import { makeSvcGlobals } from './svc-globals.ts';
import { WriteConflict } from './write-conflict.ts';

// `builtins`, which makes all modules ready, has the checks too.
addBuiltins(makeChecks());

const makers: Makers = {
  svc_code: makeSvcCode,
  svc_globals: makeSvcGlobals,
  'svclang.checks': makeChecks,
  'svclang.comptime': makeComptime,
  'svclang.markup': makeMarkup,
  'svclang.runtimelib.browser': makeBrowser,
  'svclang.runtimelib.exceptions': () => ({ WriteConflict }),
  'svclang.runtimelib.test': () => ({ parametrize }),
  'svclang.runtimelib.testing': makeTesting,
  ...Object.fromEntries(byllmModules.map((name) => [name, makeByllm])),
};

export function readRare(): readonly Makers[] {
  return [makers];
}
