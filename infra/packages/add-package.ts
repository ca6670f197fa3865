import type { Files } from '../bundle/tar.ts';

/** The package every deployed application runs on. */
export const packageName = 'svc-scale';

/** The files with this package, in this version, among the dependencies of `package.json`, which is made when there is none. */
export function addPackage(files: Files, version: string): Files {
  const text = files['package.json'];
  const manifest = text === undefined ? { private: true } : JSON.parse(Buffer.from(text).toString());
  const dependencies = { ...manifest.dependencies, [packageName]: version };
  const written = `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`;
  return { ...files, 'package.json': Buffer.from(written) };
}
