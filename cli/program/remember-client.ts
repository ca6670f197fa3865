/** The compiled browser half in `.svc/cache`: read only when something is built of it. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientModules, ClientProgram } from '../../adapters/client/client-program.ts';

/** Facts that are kept with the program; the modules are in `client-<digest>.json`. */
export type RememberedClient = Omit<ClientProgram, 'modules'>;

/** Undefined when there is none, or its modules are gone. */
export function recallClient(cacheDir: string, client: RememberedClient | undefined): ClientProgram | undefined {
  if (client === undefined) return undefined;
  const file = fileOf(cacheDir, client.digest);
  if (!existsSync(file)) return undefined;
  let modules: ClientModules | undefined;
  return { ...client, modules: () => (modules ??= new Map(JSON.parse(readFileSync(file, 'utf8')))) };
}

export async function rememberClient(cacheDir: string, client: ClientProgram): Promise<RememberedClient> {
  const file = fileOf(cacheDir, client.digest);
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(cacheDir, { recursive: true });
  await writeFile(temporary, JSON.stringify([...client.modules()]));
  await rename(temporary, file);
  return { outline: client.outline, digest: client.digest };
}

function fileOf(cacheDir: string, digest: string): string {
  return join(cacheDir, `client-${digest}.json`);
}
