/** `stream=True`: a generator of the pieces of a text, while the model writes it. */
import { RuntimeError } from '../values/exceptions.ts';
import { type AsyncGeneratorObject, agen } from '../values/generators.ts';

/** Begins `work` when the first piece is asked for; its failure comes out of the generator. */
export function streamed(work: (onText: (piece: string) => void) => Promise<void>): AsyncGeneratorObject {
  return agen(pieces(work));
}

async function* pieces(work: (onText: (piece: string) => void) => Promise<void>): AsyncGenerator<string> {
  const waiting: string[] = [];
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
      while (waiting.length > 0) yield waiting.shift()!;
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
