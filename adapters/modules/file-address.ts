import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** JavaScript files by address, since generated modules are somewhere else. */
export function addressOf(path: string, reload: string | undefined): string {
  const url = pathToFileURL(path);
  // A changed file must be a new module to Node.
  if (reload !== undefined) url.search = `?v=${statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0}`;
  return url.href;
}
