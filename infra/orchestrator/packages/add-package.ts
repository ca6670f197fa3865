import type { Files } from '../../files.ts';
import { DeployFailure } from '../deploy-failure.ts';

/** The package every deployed application runs on. */
export const packageName = 'svc-scale';

const archives = 'svc-package/';

/** Gives the files with an archive of the package among them, and the version by which npm finds it there. */
export function addArchive(files: Files, commit: string, archive: Uint8Array) {
  const path = `${archives}${packageName}-${commit.slice(0, 12)}.tgz`;
  return { files: { ...files, [path]: archive }, version: `file:${path}` };
}

/** Gives the files that npm reads to install what the lock file names. */
export function filesOfNpm(files: Files): Files {
  const manifests = ['package.json', 'package-lock.json'];
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => manifests.includes(path) || path.startsWith(archives)),
  );
}

/**
 * The files with this package, in this version, among the dependencies of `package.json`, which is made when there is none.
 *
 * @throws DeployFailure when it is not JSON
 */
export function addPackage(files: Files, version: string): Files {
  const manifest = readManifest(files['package.json']);
  const dependencies = { ...manifest.dependencies, [packageName]: version };
  const written = `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`;
  return { ...files, 'package.json': Buffer.from(written) };
}

function readManifest(text: Uint8Array | undefined): { readonly dependencies?: object } {
  try {
    return text === undefined ? ({ private: true } as object) : JSON.parse(Buffer.from(text).toString());
  } catch (error) {
    throw new DeployFailure('invalid', `package.json: ${(error as Error).message}`);
  }
}
