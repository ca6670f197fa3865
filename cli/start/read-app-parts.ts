import type { Config } from '../../core/config/config.ts';
import type { Program } from '../../core/program/program.ts';
import type { AppParts } from '../../handlers/deps.ts';

/** The host of an application, as far as its parts depend on it. */
export interface HostNeeds {
  /** True for a host that can have connections. */
  readonly takesSockets: boolean;
  /** True for a host that keeps live subscriptions. */
  readonly takesLive?: boolean;
  /** True for a host whose metrics can be scraped. */
  readonly isScraped: boolean;
}

/** Reads the parts that a program, its configuration and its host need (decisions/0180). */
export async function readAppParts(
  program: Program,
  { mode, serve }: Config,
  { takesSockets, takesLive = false, isScraped }: HostNeeds,
): Promise<AppParts> {
  const hasWebhooks = program.walkers.some(({ rest }) => rest.protocol === 'WEBHOOK');
  return {
    ...(takesSockets ? await import('../../handlers/socket/socket-app.ts') : {}),
    ...(takesLive ? await import('../../handlers/live/live-app.ts') : {}),
    ...(hasWebhooks ? await import('../../handlers/webhook/webhook-route.ts') : {}),
    ...(mode === 'production' ? {} : await import('../../handlers/http/telling.ts')),
    ...(isScraped ? await import('../../handlers/http/metrics-route.ts') : {}),
    ...(serve.graphView === 'on' ? await import('../../handlers/http/graph/routes.ts') : {}),
  };
}
