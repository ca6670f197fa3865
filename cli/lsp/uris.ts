import { fileURLToPath, pathToFileURL } from 'node:url';

/** Absolute path of a `file:` address; undefined for one of another kind. */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

export function uriOfPath(path: string): string {
  return pathToFileURL(path).href;
}
