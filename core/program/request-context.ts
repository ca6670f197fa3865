/** `Svc.get_context()`: the call as programs see it that ask the runtime (server.md 4.1; decisions/0322, 0417). */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { root } from '../graph/lookup.ts';
import { currentContext, currentFrame } from '../memory/context.ts';
import { systemRoot } from '../memory/session-rows.ts';
import { unitMemory } from './unit-memory.ts';

class RequestContext {
  get status(): number {
    return answer().answerStatus ?? 200;
  }

  /** Sets the HTTP status of the answer; one below 400 is sent as 200 all the same. */
  set status(status: unknown) {
    const number = Number(status);
    if (!(number >= 100 && number < 600)) throw new ValueError(`${String(status)} is not an HTTP status`);
    answer().answerStatus = number;
  }

  get root(): unknown {
    return root();
  }

  get user_root(): unknown {
    return root();
  }

  /** Everybody may hold it; only system code reads or changes it (server.md 14.3). */
  get system_root(): unknown {
    return systemRoot(currentContext().session);
  }

  /** The node that the running walker was spawned on; outside of walks the caller's root. */
  get entry_node(): unknown {
    return currentFrame().walk?.entry ?? root();
  }

  get memory(): unknown {
    return unitMemory;
  }
}
nativeClass(RequestContext, { name: 'ExecutionContext', module: 'svclang' });

/** The call; outside of calls nobody reads it. */
function answer(): { answerStatus?: number | undefined } {
  const context = currentContext();
  return context.call ?? context;
}

const view = new RequestContext();

export function get_context(): RequestContext {
  return view;
}
