/** Files of the project and of the client build as browsers ask for them (server.md 12.5). */
import { resolve } from 'node:path';
import { openStaticFolder } from '../../adapters/files/static-folder.ts';
import type { Config } from '../../core/config/config.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { createClientPages } from '../../handlers/http/client/pages.ts';
import { createStaticFiles } from '../../handlers/http/static-files.ts';

/** Pages as a development server has them. */
export interface LivePages {
  readonly facts: () => PageFacts;
  readonly transform: (path: string, text: string) => Promise<string>;
}

export interface PagesPlace {
  /** Undefined for a program without client code. */
  readonly page: PageFacts | undefined;
  readonly live?: LivePages | undefined;
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
