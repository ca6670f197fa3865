/**
 * Port for values that come to a program from outside of it: the clock, chance, answers of others. A call that is recorded keeps these values, and a replay of it
 * gets them again (docs/guide/stories.md#replay). Without recordings nothing is looked up.
 */
import { RuntimeError } from './values/objects/exceptions.ts';

export interface OutsideTape {
  /** The next value of a source: made now, or the recorded one. */
  take<T>(source: string, make: () => T): T;
  /** True for a replay, which must leave nothing behind outside of the program. */
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
    get(object, name) {
      const member = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => fromOutside(`${source} ${String(name)}`, () => member.apply(object, given));
    },
  });
}

/** Keeps a replay from what it would leave behind. @throws RuntimeError in a replay */
export function refuseInReplay(what: string): void {
  if (tapeOf?.()?.isReplay === true) throw new RuntimeError(`a replay ${what}`);
}
