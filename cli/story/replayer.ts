/** Replays for a debugger that has attached to the server (docs/guide/debugging.md#replays). */
import type { Redactor } from '../../core/log/redact.ts';
import { replayCall } from '../../handlers/http/stories/replay.ts';
import type { StoryBook } from '../../handlers/http/stories/story-book.ts';
import type { Replayer } from '../debug/protocol.ts';
import { replayText } from './story-text.ts';

export function createReplayer(book: StoryBook, redactor: Redactor): Replayer {
  return (id) => {
    const call = book.find(id);
    const { run } = call ?? {};
    if (call === undefined || run === undefined) return undefined;
    return async () => {
      const told = await replayCall(call, { runtime: run.runtime, redactor });
      return { same: told.same, text: replayText(told) };
    };
  };
}
