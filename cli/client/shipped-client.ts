/** The built browser half as a deployment carries it, beside the sources of the application. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { findBuilt, manifestName, outDirOf, readManifest, shippedFolder } from '../../adapters/client/built-client.ts';
import type { ClientProgram } from '../../adapters/client/client-program.ts';
import { compressFiles } from '../../adapters/client/compress.ts';
import { ClientBuildError } from '../../adapters/client/failure.ts';
import type { ClientJob } from '../../adapters/client/job.ts';
import type { Config } from '../../core/config/config.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CompiledApp } from '../program/compile-app.ts';
import type { Terminal } from '../terminal.ts';
import { buildId } from '../version.ts';
import { buildNow, factsOf } from './prepare-page.ts';
import { problemText } from './problem-text.ts';

/** Files by their paths below the project; none for a program without client code. @throws CommandFailure when it cannot be built */
export async function shippedClient(
  { client }: Pick<CompiledApp, 'client'>,
  config: Config,
  terminal: Terminal,
): Promise<Readonly<Record<string, Uint8Array>>> {
  if (client === undefined) return {};
  const job: ClientJob = { program: client, config };
  const found = buildId === undefined ? undefined : findBuilt(job, buildId);
  const built =
    found ?? (await buildNow(job, { terminal, config, tells: true }).catch((error) => refuse(error, terminal)));
  const directory = outDirOf(job);
  await compressFiles(directory, built.files, built.entry);
  const packed = built.files.flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
  return Object.fromEntries(
    [manifestName, ...packed].flatMap((name) => {
      const bytes = read(join(directory, name));
      return bytes === undefined ? [] : [[`${shippedFolder}/${name}`, bytes] as const];
    }),
  );
}

/** Files of `assets/` and `public_dir` by their paths below the project: what pages ask for by address. Hidden ones and links stay here. */
export function addressedFiles({ projectDir, client: { publicDir } }: Config): Readonly<Record<string, Uint8Array>> {
  const folders = ['assets', publicDir].filter((name) => name !== '' && isBelow(resolve(projectDir, name), projectDir));
  return Object.fromEntries(
    folders.flatMap((name) =>
      visibleFiles(resolve(projectDir, name)).map((path) => [relative(projectDir, path), readFileSync(path)] as const),
    ),
  );
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}${sep}`);
}

function visibleFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    return entry.isDirectory() ? visibleFiles(path) : entry.isFile() ? [path] : [];
  });
}

/** The page of what `shippedClient` gave. */
export function shippedPage(program: ClientProgram, config: Config): PageFacts {
  const job: ClientJob = { program, config };
  return { ...factsOf(job, readManifest(outDirOf(job))!), folder: shippedFolder };
}

function refuse(error: unknown, terminal: Terminal): never {
  if (!(error instanceof ClientBuildError)) throw error;
  terminal.err(`${error.problems.map((one) => problemText(one, terminal.cwd)).join('\n\n')}\n`);
  throw new CommandFailure(exitCodes.failure, 'the browser application cannot be built', 'shown above');
}

function read(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
