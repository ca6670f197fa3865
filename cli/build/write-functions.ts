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
  await writeAll(join(out, 'maps'), bundles.maps);
  const written: WrittenFile[] = [];
  const write = async (name: string, contents: Uint8Array) => {
    const path = join(out, name);
    await writeFile(path, contents);
    written.push({ path, bytes: contents.length });
  };
  for (const { name, files } of bundles.functions) await write(`${name}.zip`, await zipFiles(files));
  await write('serverless.yml', Buffer.from(`${head}${toYaml(service)}`));
  return written;
}

const head = `# Written by svc build. Here: npx osls deploy\n`;

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), contents);
  }
}
