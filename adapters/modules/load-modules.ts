import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Imports a module, given as its path, from a folder of `placeModules`, and with it everything it needs; gives what it exports. The
 * runtime must have been provided. What the program throws while it initialises is thrown as it is.
 *
 * @throws ModuleNotFoundError at the import statement, when a package is not there; SyntaxError at its place in a JavaScript file
 */
export async function loadModules(directory: string, entry: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(join(directory, entry)).href)) as Record<string, unknown>;
  } catch (error) {
    const { describeMissingPackage, isMissingPackage } = await import('./missing-package.ts');
    if (isMissingPackage(error)) throw describeMissingPackage(error, directory);
    const { describeBrokenScript, isBrokenScript } = await import('./broken-script.ts');
    throw isBrokenScript(error) ? await describeBrokenScript(error, directory) : error;
  }
}
