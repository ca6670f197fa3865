/**
 * Port for values that come to a program from outside of it: the clock, chance, answers of others. A call that is recorded keeps these values, and a replay of it
 * gets them again (docs/guide/stories.md#replay). Without recordings nothing is looked up.
 */
export interface OutsideTape {
  /** The next value of a source: made now, or the recorded one. */
  take<T>(source: string, make: () => T): T;
  /** Refuses, in a replay, what would be left behind outside of the program. @throws RuntimeError */
  refuse(what: string): void;
  /** True for a replay. */
  readonly isReplay: boolean;
}

let tapeOf: (() => OutsideTape | undefined) | undefined;

/** Says where the tape of the present call is; from then on it is asked. */
export function fillTapes(find: () => OutsideTape | undefined): void {
  tapeOf = find;
}

export function fromOutside<T>(source: string, make: () => T): T {
  if (tapeOf === undefined) return make();
  const tape = tapeOf();
  return tape === undefined ? make() : tape.take(source, make);
}

/** The same object for a call with a tape: what each of its methods gives is one value of the source. */
export function allFromOutside<T extends object>(source: string, target: T): T {
  if (tapeOf?.() === undefined) return target;
  return new Proxy(target, {
    // A promise is told by its `then`.
    get(object, name) {
      if (name === 'then') return undefined;
      return (...given: unknown[]) => fromOutside(source, () => (object as any)[name](...given));
    },
  });
}

/** Keeps a replay from what it would leave behind. @throws RuntimeError in a replay */
export function refuseInReplay(what: string): void {
  tapeOf?.()?.refuse(what);
}
