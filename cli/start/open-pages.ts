/** Files of the project and of the client build as browsers ask for them (docs/server/client-pages.md#files). */
import { resolve } from 'node:path';
import { openStaticFolder } from '../../adapters/files/static-folder.ts';
import type { Config } from '../../core/config/config.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import type { Log } from '../../core/log/log.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { createStaticFiles, type StaticFolder } from '../../handlers/http/static-files.ts';
import type { LiveClient } from '../client/live-client.ts';

export interface FrontParts {
  /** Undefined for a program without client code. */
  readonly page: PageFacts | undefined;
  readonly live: LiveClient | undefined;
  /** Files that builds of other versions made; absent where nothing keeps them. */
  readonly otherBuilds?: StaticFolder | undefined;
  readonly log: Log;
}

/** Files and pages, and what pages tell of their errors. */
export async function openFront(config: Config, { page, live, log, otherBuilds }: FrontParts) {
  const { client, projectDir, mode } = config;
  const isServedElsewhere = page === undefined && client.baseUrl !== '';
  const parts = page === undefined && !isServedElsewhere ? undefined : await import('./client-front.ts');
  const front = page === undefined ? undefined : parts!.openClientFront(config, page, { live, log });
  const folder = (path: string) => (path === '' ? async () => undefined : openStaticFolder(resolve(projectDir, path)));
  const pages = createStaticFiles({
    publicFolder: folder(client.publicDir),
    builtFolder: folder(page?.folder ?? client.outDir),
    otherBuilds,
    assetsFolder: folder('assets'),
    spaFallback: client.spaFallback,
    isProduction: mode === 'production',
    prefix: prefixOf(config.serve.baseUrl),
    client: front?.pages,
  });
  return { pages, routes: isServedElsewhere ? [parts!.openErrorRoute(config, { live, log })] : (front?.routes ?? []) };
}
