/**
 * Completions that nobody asked for, while nobody types (decisions/0955). The first edits of a process meet code that the engine has not compiled yet
 * and take twice as long as the hundredth: after a few dozen of rehearsals they do not.
 */
export interface Rehearsal {
  /** All that was asked for is answered: unless something comes soon, the next one begins. */
  begin(): void;
  /** Ends the rest: there is something to do. */
  end(): void;
}

/** Rehearsals of one process. The last ones are hardly faster than those before them. */
const most = 60;
/** Milliseconds after the last answer. */
const restMs = 30;

/** `rehearse`: takes the number of the turn, and gives false where there is nothing to complete yet. `done` is called once, behind the last of them. */
export function createRehearsal(rehearse: (turn: number) => boolean, done: () => void): Rehearsal {
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(act, ms).unref();
  };
  const act = () => {
    if (!rehearse(turn)) return;
    turn += 1;
    // Messages that have come are read first: an edit ends the rest.
    if (turn < most) wait(1);
    else done();
  };
  return {
    begin() {
      clearTimeout(timer);
      if (turn < most) wait(restMs);
    },
    end: () => clearTimeout(timer),
  };
}
