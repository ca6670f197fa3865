import { createInterface } from 'node:readline';

/** Lines of standard input, asked for one by one; what comes while the program runs waits. */
export interface Input {
  /** The next line; undefined at the end of the input. */
  line(): Promise<string | undefined>;
  /** Shows the prompt and what is typed again, below what was printed meanwhile. */
  again(): void;
  /** True when there will be no further line. */
  readonly isOver: boolean;
  close(): void;
}

const prompt = '(svc) ';

/** `onInterrupt` is called for each Ctrl-C; `complete` gives what Tab may make of the last word of a line. */
export function openInput(onInterrupt: () => void, complete: (line: string) => Promise<readonly string[]>): Input {
  const isTerminal = process.stdin.isTTY === true;
  const lines: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let isClosed = false;
  const completer = (line: string, done: (error: null, found: [string[], string]) => void) => {
    const give = (found: readonly string[]) => done(null, [[...found], /[\w./]*$/.exec(line)![0]]);
    complete(line).then(give, () => give([]));
  };
  const reader = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: isTerminal,
    prompt,
    completer,
  });
  const give = (line: string | undefined) => {
    const taker = waiting;
    waiting = undefined;
    taker?.(line);
  };
  reader.on('line', (line) => {
    if (waiting === undefined) lines.push(line);
    else give(line);
  });
  reader.on('close', () => {
    isClosed = true;
    give(undefined);
  });
  reader.on('SIGINT', onInterrupt);
  process.on('SIGINT', onInterrupt);
  // Text that was typed ahead keeps its cursor.
  const again = () => {
    if (isTerminal && !isClosed) reader.prompt(true);
  };
  return {
    again,
    get isOver() {
      return isClosed && lines.length === 0;
    },
    line() {
      const known = lines.shift();
      if (known !== undefined || isClosed) return Promise.resolve(known);
      again();
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    close() {
      process.off('SIGINT', onInterrupt);
      reader.close();
      process.stdin.unref?.();
    },
  };
}
