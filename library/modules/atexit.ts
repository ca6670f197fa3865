/** Module `atexit` (docs/language/standard-modules.md#differences). */

import {
  addExitFunction,
  clearExitFunctions,
  countExitFunctions,
  removeExitFunction,
  runExitFunctions,
} from '../builtins/exit-functions.ts';
import { functions, type Members } from '../builtins/module.ts';
import { callable } from '../builtins/objects.ts';
import type { Dict } from '../values/containers/dict.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { truth } from '../values/objects/truth.ts';
import { exceptionReport, writeTo } from './traceback.ts';

function register(f: unknown, args: readonly unknown[] = [], kwargs?: Dict): unknown {
  if (!truth(callable(f))) throw new TypeError('the first argument must be callable');
  addExitFunction(f, args, kwargs);
  return f;
}

function unregister(f: unknown): null {
  removeExitFunction(f);
  return null;
}

function clear(): null {
  clearExitFunctions();
  return null;
}

async function runAll(): Promise<null> {
  await runExitFunctions((error) => writeTo(undefined, exceptionReport(error).join('')));
  return null;
}

export function makeAtexit(): Members {
  return functions('atexit', {
    _clear: ['', clear],
    _ncallbacks: ['', countExitFunctions],
    _run_exitfuncs: ['', runAll],
    register: ['func, /, *args, **kwargs', register],
    unregister: ['func, /', unregister],
  });
}
