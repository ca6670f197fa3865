/** Stories of what a command runs itself: `svc run --story`, `svc test --story` (docs/guide/stories.md#commands). */
import type { Traces } from '../../adapters/modules/traces.ts';
import type { Config } from '../../core/config/config.ts';
import { tellHops } from '../../core/graph/hops.ts';
import { GraphObject } from '../../core/graph/objects.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { tellHop } from '../../core/story/tell-hop.ts';
import type { Scene } from '../../core/story/teller.ts';
import { plainOrType, Story } from '../../handlers/http/stories/story.ts';
import { shown, tellSteps } from '../../handlers/http/stories/tell-story.ts';
import { redactorOf } from '../start/open-log.ts';
import { stepLines } from './story-text.ts';

export interface LocalStory {
  readonly story: Story;
  /** The story so far, a line per step. */
  text(runtime: Runtime): string;
}

/** @param at where steps outside of every walk are */
export function openLocalStory(at: Scene, config: Config, traces: Traces): LocalStory {
  tellHops(tellHop);
  const story = new Story(undefined, at);
  story.begin();
  return {
    story,
    text(runtime) {
      story.over(undefined, reported);
      const { steps, truncated } = tellSteps(story, undefined, { runtime, redactor: redactorOf(config, traces) });
      const cut = truncated ? ['(cut: more happened than is kept)'] : [];
      return `${[`story of ${at.name}`, ...stepLines(steps), ...cut].join('\n')}\n`;
    },
  };
}

/** Text of a report that stands alone: there is no answer that it is part of. */
function reported(value: unknown): unknown {
  return value instanceof GraphObject ? plainOrType(value) : shown(value);
}
