/** Files of the project and of the client build as browsers ask for them (docs/server/client-pages.md#files). */
import { resolve } from 'node:path';
import { openStaticFolder } from '../../adapters/files/static-folder.ts';
import type { Config } from '../../core/config/config.ts';
import { createStaticFiles } from '../../handlers/http/static-files.ts';

export function openPages({ client, projectDir, mode }: Config) {
  const folder = (path: string) => (path === '' ? async () => undefined : openStaticFolder(resolve(projectDir, path)));
  return createStaticFiles({
    publicFolder: folder(client.publicDir),
    builtFolder: folder(client.outDir),
    spaFallback: client.spaFallback,
    isProduction: mode === 'production',
  });
}
