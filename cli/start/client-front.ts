/** Pages of a program's browser half, and what they tell of their errors: loaded for programs that have one. */
import { browserTraces } from '../../adapters/client/browser-traces.ts';
import type { Config } from '../../core/config/config.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import type { Log } from '../../core/log/log.ts';
import { errorRoute } from '../../handlers/http/client/error-route.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { createClientPages } from '../../handlers/http/client/pages.ts';
import type { FixedRoute } from '../../handlers/routes.ts';
import type { LiveClient } from '../client/live-client.ts';

export function openClientFront(
  config: Config,
  page: PageFacts,
  { live, log }: { readonly live: LiveClient | undefined; readonly log: Log },
) {
  const { client, mode, project, serve } = config;
  const baseUrl = prefixOf(serve.baseUrl);
  const pages = createClientPages({
    facts: live?.facts ?? (() => page),
    settings: { meta: client.appMetaData, title: project.name, baseUrl, isProduction: mode === 'production' },
    transform: live?.transform,
    ready: live?.ready,
  });
  return { pages, routes: [openErrorRoute(config, { live, log })] };
}

/** Route of what pages tell of their errors, also of pages that another host serves. */
export function openErrorRoute(
  config: Config,
  { live, log }: { readonly live: LiveClient | undefined; readonly log: Log },
): FixedRoute {
  const mapStack = live?.mapStack ?? browserTraces(config);
  return errorRoute({ log, mapStack, print: live?.print, now: () => performance.now() });
}
