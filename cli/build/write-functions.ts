import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toYaml } from '../../base/to-yaml.ts';
import { functionNames } from '../../infra/cloud/needs.ts';
import type { Service } from '../../infra/cloud/service.ts';
import type { Files } from '../../infra/files.ts';
import { type FunctionBundles, zipFiles } from './bundle-functions.ts';

export interface WrittenFile {
  readonly path: string;
  readonly bytes: number;
}

/** Everything that a build of functions may have written into its folder besides what describes them. */
const madeNames = ['maps', ...[...functionNames, 'azure'].map((name) => `${name}.zip`)];

/**
 * Writes the archives of functions and their source maps, with `beside` them files by their names. Those of an earlier build go; nothing else in the
 * folder is touched, which may be the project's own.
 */
export async function writeFunctions(
  out: string,
  bundles: FunctionBundles,
  beside: Readonly<Record<string, string>>,
): Promise<WrittenFile[]> {
  await mkdir(out, { recursive: true });
  await Promise.all(madeNames.map((name) => rm(join(out, name), { recursive: true, force: true })));
  await writeAll(join(out, 'maps'), bundles.maps);
  const written: WrittenFile[] = [];
  const write = async (name: string, contents: Uint8Array) => {
    const path = join(out, name);
    await writeFile(path, contents);
    written.push({ path, bytes: contents.length });
  };
  for (const { name, files } of bundles.functions) await write(`${name}.zip`, await zipFiles(files));
  for (const [name, text] of Object.entries(beside)) await write(name, Buffer.from(text));
  return written;
}

export function serviceFile(service: Service): string {
  return `# Written by svc build. Here: npx osls deploy\n${toYaml(service)}`;
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), contents);
  }
}
