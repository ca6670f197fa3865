/** `/studio/api` of a server that keeps the stories of its calls (docs/guide/stories.md#asking). */
import type { Traces } from '../../adapters/modules/traces.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { storyRoutes } from '../../handlers/http/stories/routes.ts';
import { createRunAs, type RunAs } from '../../handlers/http/stories/run-as.ts';
import type { StoryBook } from '../../handlers/http/stories/story-book.ts';
import type { FixedRoute } from '../../handlers/routes.ts';
import { redactorOf } from './open-log.ts';

export interface StudioParts {
  readonly config: Config;
  readonly traces: Traces;
  readonly stores: Pick<Stores, 'accounts'>;
  readonly log: Log;
}

export interface Studio {
  readonly routes: readonly FixedRoute[];
  readonly runAs: RunAs;
}

export function openStudio({ config, traces, stores, log }: StudioParts, book: StoryBook, runtime: Runtime): Studio {
  const opensToLoopback = config.mode !== 'production';
  return {
    routes: storyRoutes({ book, opensToLoopback, runtime, redactor: redactorOf(config, traces) }),
    runAs: createRunAs({ config, accounts: stores.accounts, log }),
  };
}
