/** Module `copyreg`: how `copy` makes objects of a type anew. There is no `pickle` to tell. */

import { functions, type Members } from '../builtins/module.ts';
import { callable } from '../builtins/objects.ts';
import { TypeError } from '../values/objects/exceptions.ts';
import { truth } from '../values/objects/truth.ts';
import { reducers } from './copy.ts';

function pickle(type: unknown, reduce: unknown): null {
  if (!truth(callable(reduce))) throw new TypeError('reduction functions must be callable');
  reducers.set(type, reduce);
  return null;
}

export function makeCopyreg(): Members {
  return functions('copyreg', { pickle: ['ob_type, pickle_function, constructor_ob=None', pickle] });
}
