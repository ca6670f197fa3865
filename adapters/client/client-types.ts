/** `[plugins.client] typescript`: types of the TypeScript files of the browser half. */
import { existsSync, readFileSync } from 'node:fs';
import { type ClientTypes, checkTypes } from '../typescript/check-types.ts';
import { isScriptFile } from '../typescript/script-files.ts';
import { ClientBuildError, type ClientProblem } from './failure.ts';
import type { ClientJob } from './job.ts';
import { folderOfPackage, placeOfPackage } from './packages.ts';

export function clientTypes({ projectDir, client }: ClientJob['config']): ClientTypes {
  const from = placeOfPackage('vite', projectDir);
  return { aliases: client.paths, vite: from === undefined ? undefined : folderOfPackage('vite', from) };
}

/** Checks those of some files that are TypeScript of the project. @throws ClientBuildError with their places */
export async function refuseWrongTypes(files: readonly string[], { config }: ClientJob): Promise<void> {
  const problems = await typeProblems(files, config);
  if (problems.length > 0) throw new ClientBuildError(problems);
}

export async function typeProblems(
  files: readonly string[],
  config: ClientJob['config'],
): Promise<readonly ClientProblem[]> {
  const { projectDir } = config;
  const scripts = files.filter(
    (file) =>
      isScriptFile(file) && file.startsWith(`${projectDir}/`) && !file.includes('/node_modules/') && existsSync(file),
  );
  if (scripts.length === 0) return [];
  const { problems, missing } = await checkTypes(scripts, projectDir, clientTypes(config));
  if (missing !== undefined) return [{ message: `types of TypeScript files cannot be checked: ${missing}` }];
  return problems.map(({ path, line, column, number, message }) => ({
    message: `${message} (TS${number})`,
    file: path,
    line,
    column,
    source: readFileSync(path, 'utf8'),
  }));
}
