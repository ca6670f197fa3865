/** Packages of a project that ask for neighbours in other versions than there are, or that are not there. */
import satisfies from 'semver/functions/satisfies.js';
import { packagesOf } from './own-copies.ts';
import { folderOfPackage, readManifest, versionIn } from './packages.ts';

export interface UnmetPeer {
  /** `kit 1.2.3` */
  readonly by: string;
  readonly name: string;
  /** Versions that it asks for. */
  readonly range: string;
  /** '' when it is not there. */
  readonly version: string;
}

/** Looks at the packages of the project. */
export function unmetPeers(projectDir: string): readonly UnmetPeer[] {
  return packagesOf(projectDir).flatMap(({ name: by, folder }) =>
    Object.entries(readManifest(folder).peers).flatMap(([name, range]) => {
      const at = folderOfPackage(name, folder);
      const version = at === undefined ? '' : versionIn(at);
      return satisfies(version, range, { includePrerelease: true })
        ? []
        : [{ by: `${by} ${versionIn(folder)}`, name, range, version }];
    }),
  );
}
