import { toException } from '../values/calls/raise.ts';

/** Value of `flow e`: a promise that knows whether anybody waits for it. */
class Flow extends Promise<unknown> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly asked = { is: false };

  // biome-ignore lint/suspicious/noThenProperty: waiting for a promise of a derived class goes through here.
  override then<A, B>(
    resolved?: ((value: unknown) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.asked.is = true;
    return super.then(resolved, rejected);
  }
}

/** `flow e` runs the call as a task: an async function runs up to its first wait. Its failure is kept for `wait`, and told when nobody waits. */
export function flow(run: () => Promise<unknown>): Promise<unknown> {
  const begun = run();
  const made = new Flow((resolve, reject) => begun.then(resolve, reject));
  Promise.prototype.then.call(made, undefined, async (error: unknown) => {
    const { tellWhenCallEnds } = await import('./strays.ts');
    tellWhenCallEnds({
      what: 'Exception in a flow that nobody waited for',
      error: toException(error),
      asked: made.asked,
    });
  });
  return made;
}
