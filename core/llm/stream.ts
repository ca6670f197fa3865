/** `stream=True`: a generator of the pieces of a text, while the model writes it. */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { type AsyncGeneratorObject, agen } from '../../library/values/calls/generators.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';

/** Gives its pieces to `put`. */
type Work = (put: (piece: unknown) => void) => Promise<void>;

/**
 * Event of a model at work on an answer (`logging=True`); programs make such events themselves when they pass an answer
 * on.
 */
export class StreamEvent {
  event_type: unknown;
  data: unknown;

  constructor(type: unknown, data: unknown) {
    this.event_type = type;
    this.data = data ?? new Dict();
  }
}
nativeClass(StreamEvent, { name: 'StreamEvent', module: 'byllm.types', params: 'event_type, data=None' });

export const chunkEvent = (piece: string): StreamEvent => new StreamEvent('chunk', Dict.of('content', piece));

/** Begins `work` when the first piece is asked for; its failure comes out of the generator. */
export function streamed(work: Work): AsyncGeneratorObject {
  return agen(pieces(work));
}

async function* pieces(work: Work): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let isDone = false;
  let isLeft = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  work((piece) => {
    if (isLeft) throw new RuntimeError('nobody reads the answer any more');
    waiting.push(piece);
    wake();
  })
    .catch((error) => {
      failure = { error };
    })
    .finally(() => {
      isDone = true;
      wake();
    });
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      if (isDone) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    isLeft = true;
  }
  if (failure !== undefined) throw failure.error;
}
