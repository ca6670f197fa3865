/** Module `_thread`: what `threading` is made of. */

import { functions, type Members } from '../../builtins/module.ts';
import { std } from '../../registry.ts';
import { call } from '../../values/calls/calls.ts';
import type { Dict } from '../../values/containers/dict.ts';
import { KeyboardInterrupt, RuntimeError, SystemExit } from '../../values/objects/exceptions.ts';
import { Lock, RLock } from './thread-locks.ts';
import { Thread } from './threading.ts';

function startNewThread(f: unknown, args: unknown, kwargs?: Dict): number | null {
  const thread = new Thread(null, f, null, args, kwargs, true);
  thread.start();
  return thread.ident;
}

function stop(error: new () => unknown): () => never {
  return () => {
    throw new error();
  };
}

export function makeLowThread(): Members {
  const ident = () => call(std('threading').get_ident);
  return {
    LockType: Lock,
    RLock,
    TIMEOUT_MAX: 4_294_967,
    error: RuntimeError,
    get _local() {
      return std('threading').local;
    },
    ...functions('_thread', {
      allocate_lock: ['', () => new Lock()],
      exit: ['', stop(SystemExit)],
      get_ident: ['', ident],
      get_native_id: ['', ident],
      interrupt_main: ['signum=2, /', stop(KeyboardInterrupt)],
      start_new_thread: ['function, args, kwargs=None, /', startNewThread],
    }),
  };
}
