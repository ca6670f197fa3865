/** Packages that bring a React of their own, which a page cannot have beside another. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { versionIn, versionOf } from './packages.ts';

export interface OwnCopy {
  /** The package that brings it. */
  readonly by: string;
  readonly name: string;
  readonly version: string;
  /** Version of the copy that the page has. */
  readonly used: string;
}

const single = ['react', 'react-dom'];

/** Looks below the packages of the project; copies of the version that is used are none. */
export function ownCopies(projectDir: string): readonly OwnCopy[] {
  // Hardly any package has packages of its own, and a look at the folder tells it.
  const having = packagesOf(projectDir).filter(({ folder }) => existsSync(join(folder, 'node_modules')));
  return having.flatMap(({ name: by, folder }) =>
    single.flatMap((name) => {
      const version = versionIn(join(folder, 'node_modules', name));
      const used = version === '' ? '' : versionOf(name, projectDir);
      return version === used ? [] : [{ by, name, version, used }];
    }),
  );
}

/** Packages that stand in the folder of a project, with their folders. */
export function packagesOf(projectDir: string): readonly { readonly name: string; readonly folder: string }[] {
  const all = join(projectDir, 'node_modules');
  return namesIn(all)
    .flatMap((name) => (name.startsWith('@') ? namesIn(join(all, name)).map((one) => `${name}/${one}`) : [name]))
    .map((name) => ({ name, folder: join(all, name) }));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
