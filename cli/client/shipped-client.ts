/** The built browser half as a deployment carries it, beside the sources of the application. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
