/** `Svc.get_context()`: the call as programs of earlier runtimes see it (decisions/0322). */
import { nativeClass } from '../builtins/native-class.ts';
import { currentContext } from '../context.ts';
import { root } from '../graph/lookup.ts';
import { ValueError } from '../values/exceptions.ts';

class RequestContext {
  get status(): number {
    return answer().answerStatus ?? 200;
  }

  /** Where it is below 400 the answer has 200 all the same. */
  set status(status: unknown) {
    const number = Number(status);
    if (!(number >= 100 && number < 600)) throw new ValueError(`${String(status)} is not an HTTP status`);
    answer().answerStatus = number;
  }

  get root(): unknown {
    return root();
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
