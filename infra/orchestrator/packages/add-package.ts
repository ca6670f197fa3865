import type { Files } from '../../files.ts';
import { DeployFailure } from '../deploy-failure.ts';

/** The package every deployed application runs on. */
export const packageName = 'svc-scale';

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
