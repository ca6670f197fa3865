/** Work that can pause. */
export interface Pausable {
  /** Goes on until `untilMs` on the monotonic clock, or to the end. True when there is nothing left to do. */
  advance(untilMs: number): boolean;
}

/** Does long work a slice at a time, so that others have their turn between two slices. */
export interface Slices {
  /** Resolves when the work is done; rejects with what it throws. */
  run(work: Pausable): Promise<void>;
}

interface Task extends Pausable {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** All work together has `budgetMs` in each turn of the event loop; tasks take turns. */
export function createSlices(budgetMs: number): Slices {
  const tasks: Task[] = [];
  let isDue = false;

  function schedule(): void {
    if (isDue || tasks.length === 0) return;
    isDue = true;
    setImmediate(turn);
  }

  function turn(): void {
    isDue = false;
    const untilMs = performance.now() + budgetMs;
    for (let task = tasks.shift(); task !== undefined; task = performance.now() < untilMs ? tasks.shift() : undefined) {
      try {
        if (task.advance(untilMs)) task.resolve();
        else tasks.push(task);
      } catch (error) {
        task.reject(error);
      }
    }
    schedule();
  }

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        tasks.push({ advance: (untilMs) => work.advance(untilMs), resolve, reject });
        schedule();
      }),
  };
}

/** Work in steps: others may have a turn at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the steps in slices. */
export async function inSlices<T>(slices: Slices, steps: Steps<T>): Promise<T> {
  let result: T | undefined;
  await slices.run({
    advance(untilMs) {
      for (;;) {
        const step = steps.next();
        if (step.done === true) {
          result = step.value;
          return true;
        }
        if (performance.now() >= untilMs) return false;
      }
    },
  });
  return result as T;
}
