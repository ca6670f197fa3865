/** The project's own `vite.config.*`, as Vite reads it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigEnv, UserConfig } from 'vite';
import { ClientBuildError, messageOf } from './failure.ts';
import { configNames } from './job.ts';

export interface ProjectConfig {
  readonly config: UserConfig;
  /** Files that it was read from: itself, and what it imports of the project. */
  readonly files: readonly string[];
}

/** Undefined where there is none. @throws ClientBuildError with its file */
export async function readProjectConfig(
  vite: Pick<typeof import('vite'), 'loadConfigFromFile'>,
  env: ConfigEnv,
  projectDir: string,
): Promise<ProjectConfig | undefined> {
  checkManifest(projectDir);
  try {
    const found = await vite.loadConfigFromFile(env, undefined, projectDir, 'silent');
    return found === null ? undefined : { config: found.config, files: [found.path, ...found.dependencies] };
  } catch (error) {
    throw new ClientBuildError([problemOf(error, projectDir)]);
  }
}

/** Refuses a `package.json` that Vite would stumble over with each import. */
function checkManifest(projectDir: string): void {
  for (const [file, text] of textOf(join(projectDir, 'package.json')) ?? [])
    try {
      JSON.parse(text);
    } catch (error) {
      throw new ClientBuildError([{ message: `not valid JSON: ${(error as Error).message}`, file }]);
    }
}

function problemOf(error: unknown, projectDir: string) {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const [name, source] = configNames.flatMap((one) => textOf(join(projectDir, one)) ?? []).at(0) ?? ['vite.config', ''];
  const place = /\[ *\S*vite\.config\.\w+:(\d+):(\d+) *\]/.exec(text.replace(/\u001b\[[0-9;]*m/g, ''));
  const problem = { message: `the configuration of Vite cannot be read: ${messageOf(text)}`, file: name };
  if (place === null) return problem;
  // Vite puts text of its own before the first line.
  const line = Number(place[1]);
  return { ...problem, line, source, ...(line === 1 ? {} : { column: Number(place[2]) }) };
}

function textOf(file: string): [readonly [string, string]] | undefined {
  try {
    return [[file, readFileSync(file, 'utf8')]];
  } catch {
    return undefined;
  }
}
