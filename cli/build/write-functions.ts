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

/** Writes the archives of functions, what describes their deployment, and their source maps; those of an earlier build go. */
export async function writeFunctions(out: string, bundles: FunctionBundles, service: Service): Promise<WrittenFile[]> {
  await mkdir(out, { recursive: true });
  await Promise.all(
    ['maps', ...functionNames.map((name) => `${name}.zip`)].map((name) =>
      rm(join(out, name), { recursive: true, force: true }),
    ),
  );
  return await writeArchives(out, bundles, { 'serverless.yml': serviceFile(service) });
}

/** Writes archives and source maps, with `beside` them files by their names. */
export async function writeArchives(
  out: string,
  bundles: FunctionBundles,
  beside: Readonly<Record<string, string>>,
): Promise<WrittenFile[]> {
  await mkdir(out, { recursive: true });
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
