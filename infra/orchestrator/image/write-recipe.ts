/** An application's own `Dockerfile` with the files it may copy, for an engine (docs/server/orchestrator.md#images). */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../../files.ts';
import { neverDeployed } from '../bundle/app-files.ts';

export interface ImageRecipe {
  readonly dockerfile: string;
  readonly dockerignore: string;
  /** Files that the image may copy. */
  readonly files: Files;
}

/** Writes the recipe, and beside it the folder `context` with exactly the files that may be in a layer. */
export async function writeRecipe(folder: string, { dockerfile, dockerignore, files }: ImageRecipe): Promise<void> {
  await rm(join(folder, 'context'), { recursive: true, force: true });
  const all: Files = { ...files, '.dockerignore': Buffer.from(dockerignore) };
  for (const [path, contents] of Object.entries(all)) {
    const to = join(folder, 'context', path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, contents);
  }
  await writeFile(join(folder, 'Dockerfile'), dockerfile);
}

/** Ours come last, so that nothing before them brings back what they exclude. */
export function dockerignore(own = ''): string {
  const lines = [...neverDeployed, ...neverDeployed.map((pattern) => `**/${pattern}`)];
  return `${own === '' || own.endsWith('\n') ? own : `${own}\n`}${lines.join('\n')}\n`;
}
