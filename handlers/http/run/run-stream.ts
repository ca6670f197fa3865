import { textOf } from '../serialize/put-value.ts';
import type { Writer } from '../serialize/writer.ts';
import type { ValueSink } from './event-stream.ts';
import { isStreamable, reportText, type Streamable } from './outcome.ts';

/** Thrown inside the unit when the peer has gone away: everything uncommitted is discarded. */
export class PeerGone extends Error {}

const turnMs = 8;

/**
 * Sends values in order, generators value by value (server.md 6.10). Runs inside the unit; a generator is advanced only when the
 * peer has taken what came before, and closed (its `finally` blocks run) when the peer goes away.
 */
export async function sendAll(
  values: readonly unknown[],
  stream: ValueSink,
  makeWriter: () => Writer,
  progress: () => void,
): Promise<void> {
  for (const value of values) {
    if (isStreamable(value)) await sendGenerator(value, stream, makeWriter, progress);
    else await sendOne(reportText(value, makeWriter()), stream, progress);
  }
}

async function sendGenerator(
  generator: Streamable,
  stream: ValueSink,
  makeWriter: () => Writer,
  progress: () => void,
): Promise<void> {
  let turn = performance.now();
  try {
    for (;;) {
      const step = generator.next();
      const { done, value } = step instanceof Promise ? await step : step;
      if (done === true) return;
      await sendOne(textOf(value, makeWriter()), stream, progress);
      // A generator that never waits must not keep the others waiting.
      if (performance.now() - turn > turnMs) {
        await new Promise((resolve) => setImmediate(resolve));
        turn = performance.now();
      }
    }
  } catch (error) {
    if (error instanceof PeerGone) await generator.return?.(undefined);
    throw error;
  }
}

async function sendOne(json: string, stream: ValueSink, progress: () => void): Promise<void> {
  progress();
  if (!(await stream.send(json))) throw new PeerGone();
}
