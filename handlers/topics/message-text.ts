import { currentContext } from '../../core/memory/context.ts';
import type { Topics } from '../../core/topics/topics.ts';
import { ValueError } from '../../library/values/objects/exceptions.ts';
import { SessionView } from '../http/graph/view.ts';
import { textOf } from '../http/serialize/put-value.ts';
import { makeScratch } from '../http/serialize/scratch.ts';
import { makeWriter } from '../http/serialize/writer.ts';

/** Writer of the messages of topics, with the rights of the running unit. `limit`: bytes of one, and where the number comes from. */
export function createMessageText(limit: { readonly bytes: number; readonly from: string }): Topics['textOf'] {
  const scratch = makeScratch();
  return (value) => {
    const writer = makeWriter(scratch, new SessionView(currentContext().session), false);
    const text = textOf(value, writer);
    if (Buffer.byteLength(text) > limit.bytes)
      throw new ValueError(`a message has at most ${limit.bytes} bytes (${limit.from})`);
    return text;
  };
}
