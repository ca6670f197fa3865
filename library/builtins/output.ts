/**
 * Target of `print`, `sys.stdout` and `sys.stderr`. The host decides with `setOutput`; by default it is the process.
 */

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

let current: Output = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
};

/** Replaces the port; gives the one before. */
export function setOutput(port: Output): Output {
  const before = current;
  current = port;
  return before;
}

export function output(): Output {
  return current;
}
