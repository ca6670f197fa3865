/** Files of the project and of the client build as browsers ask for them (server.md 12.5). */
import { resolve } from 'node:path';
import { browserTraces } from '../../adapters/client/browser-traces.ts';
import { openStaticFolder } from '../../adapters/files/static-folder.ts';
import type { Config } from '../../core/config/config.ts';
import type { Log } from '../../core/log/log.ts';
import { errorRoute } from '../../handlers/http/client/error-route.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { createClientPages } from '../../handlers/http/client/pages.ts';
import { createStaticFiles } from '../../handlers/http/static-files.ts';
import type { LiveClient } from '../client/live-client.ts';

/** Files and pages, and what pages tell of their errors. */
export function openFront(
  config: Config,
  {
    page,
    live,
    log,
  }: { readonly page: PageFacts | undefined; readonly live: LiveClient | undefined; readonly log: Log },
) {
  const pages = openPages(config, { page, live });
  if (page === undefined) return { pages, routes: [] };
  const mapStack = live?.mapStack ?? browserTraces(config);
  return { pages, routes: [errorRoute({ log, mapStack, print: live?.print, now: () => performance.now() })] };
}

export interface PagesPlace {
  /** Undefined for a program without client code. */
  readonly page: PageFacts | undefined;
  readonly live?: Pick<LiveClient, 'facts' | 'transform'> | undefined;
  /** Folder that paths of the configuration count from: the project, or the bundle of a function. */
  readonly root?: string;
}

export function openPages(
  { client, projectDir, mode, project }: Config,
  { page, live, root = projectDir }: PagesPlace,
) {
  const folder = (path: string) => (path === '' ? async () => undefined : openStaticFolder(resolve(root, path)));
  const isProduction = mode === 'production';
  const facts = live?.facts ?? (page === undefined ? undefined : () => page);
  return createStaticFiles({
    publicFolder: folder(client.publicDir),
    builtFolder: folder(page?.folder ?? client.outDir),
    assetsFolder: folder('assets'),
    spaFallback: client.spaFallback,
    isProduction,
    client:
      facts &&
      createClientPages({
        facts,
        settings: { meta: client.appMetaData, title: project.name, baseUrl: '', isProduction },
        transform: live?.transform,
      }),
  });
}
