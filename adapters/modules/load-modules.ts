import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTraces, type Traces } from './traces.ts';

export interface LoadedModules {
  /** What the entry module exports. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly traces: Traces;
}

/**
 * Imports a module, given as its path, from a folder of `placeModules`, and with it everything it needs. The runtime must have been provided.
 * What the program throws while it initialises is thrown as it is.
 */
export async function loadModules(directory: string, entry: string): Promise<LoadedModules> {
  const url = pathToFileURL(join(directory, entry)).href;
  return { entry: (await import(url)) as Record<string, unknown>, traces: createTraces(directory) };
}
