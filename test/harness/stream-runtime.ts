/**
 * Stand-in for the functions of the service's runtime for streams, and the other end of their answers: as in
 * `aws-lambda-ric`, where the first bytes written are preceded by the head as JSON and eight zero bytes.
 */
import { PassThrough, type Writable } from 'node:stream';

export const openAnswer = (output: Writable, head: object): Writable => {
  const { write } = output;
  output.write = ((...args: Parameters<typeof write>) => {
    output.write = write;
    output.write(JSON.stringify(head));
    output.write(new Uint8Array(8));
    return output.write(...args);
  }) as typeof write;
  return output;
};

export interface StreamedAnswer {
  readonly head: any;
  readonly body: string;
}

/** An answer that has come so far; undefined without its head. */
export function answerOf(bytes: Uint8Array): StreamedAnswer | undefined {
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf('\0'.repeat(8));
  return end < 0 ? undefined : { head: JSON.parse(text.slice(0, end)), body: text.slice(end + 8) };
}

export interface ReadOutput {
  readonly output: PassThrough;
  /** Waits for more and gives all of it so far; reads nothing before. */
  next(): Promise<StreamedAnswer>;
  /** All of it. */
  whole(): Promise<StreamedAnswer>;
}

export function readOutput(highWaterMark?: number): ReadOutput {
  const output = new PassThrough(highWaterMark === undefined ? {} : { highWaterMark });
  const pieces: Buffer[] = [];
  const read = () => {
    for (let piece = output.read(); piece !== null; piece = output.read()) pieces.push(piece);
    return pieces.length;
  };
  const next = async (): Promise<StreamedAnswer> => {
    for (const before = pieces.length; read() === before; ) {
      if (output.readableEnded) break;
      await new Promise((resolve) => output.once('readable', resolve));
    }
    const answer = answerOf(Buffer.concat(pieces));
    return answer ?? (await next());
  };
  return {
    output,
    next,
    async whole() {
      for await (const piece of output) pieces.push(piece);
      return answerOf(Buffer.concat(pieces))!;
    },
  };
}
