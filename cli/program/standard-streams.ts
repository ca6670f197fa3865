import { readSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { type Input, setInput } from '../../library/builtins/input.ts';
import { setOutput } from '../../library/builtins/output.ts';

/**
 * Gives a program that has the process for itself the standard streams: what it prints has left the process when
 * `print` returns, in order with what others write to the same file, and `input()` waits for its line
 * (docs/language/builtins.md#files, docs/language/async.md#blocking-calls).
 */
export function takeStandardStreams(): void {
  setOutput({ out: (text) => writeFully(1, text), err: (text) => writeFully(2, text) });
  setInput(readerOf(0));
}

/** 128 + SIGPIPE, as the shell counts programs that wrote to a pipe nobody reads. */
const brokenPipe = 141;

function writeFully(fd: number, text: string): void {
  const data = Buffer.from(text);
  for (let done = 0; done < data.length; ) {
    try {
      done += writeSync(fd, data, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE' && fd === 1) process.exit(brokenPipe);
      if (code === 'EPIPE' || code === 'EBADF') return;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

function readerOf(fd: number): Input {
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.allocUnsafe(65_536);
  let buffer = '';
  let searched = 0;
  let ended = false;
  const more = () => {
    const size = readSome(fd, chunk);
    buffer += size === 0 ? decoder.end() : decoder.write(chunk.subarray(0, size));
    ended = size === 0;
  };
  const take = (size: number) => {
    const text = buffer.slice(0, size);
    buffer = buffer.slice(size);
    searched = 0;
    return text;
  };
  return {
    line() {
      for (;;) {
        const end = buffer.indexOf('\n', searched);
        if (end >= 0) return take(end + 1);
        if (ended) return take(buffer.length);
        searched = buffer.length;
        more();
      }
    },
    rest() {
      while (!ended) more();
      return take(buffer.length);
    },
  };
}

function readSome(fd: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF' || code === 'EBADF') return 0;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

const waiting = new Int32Array(new SharedArrayBuffer(4));

// The other end is not ready, and the stream is one that says so instead of waiting.
function pause(): void {
  Atomics.wait(waiting, 0, 0, 5);
}
