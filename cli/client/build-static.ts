/** `svc build --client`: the browser half as a folder that any host of files serves. */

import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findBuilt, outDirOf } from '../../adapters/client/built-client.ts';
import { compressFiles } from '../../adapters/client/compress.ts';
import { ClientBuildError } from '../../adapters/client/failure.ts';
import type { ClientJob } from '../../adapters/client/job.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import { pageText } from '../../handlers/http/client/page-text.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { readApp } from '../program/read-app.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import { createSteps } from '../steps.ts';
import { buildId } from '../version.ts';
import { buildNow, factsOf } from './prepare-page.ts';
import { problemText } from './problem-text.ts';

export async function buildStatic(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const { file, read } = readApp('build', args);
  // Pages that ask another host stand at the root of theirs: the public address is that of the API.
  const config =
    read.config.client.baseUrl === '' ? read.config : { ...read.config, serve: { ...read.config.serve, baseUrl: '' } };
  const { projectDir } = config;
  const client = { mode: 'production', app: config.serve.baseRouteApp } as const;
  const compiled = await createSteps(terminal, true).run(`Compiling ${file.shown}`, () =>
    compileApp({ file: file.path, config, purpose: 'serve', env: read.env, runtimeNames, client }),
  );
  await reportDiagnostics(forRunning(compiled.diagnostics), { terminal, stream: 'err', projectDir });
  const what = `cannot build the client of ${file.shown}`;
  if (compiled.directory === undefined)
    throw new CommandFailure(exitCodes.invalid, what, 'the program has errors, shown above');
  if (compiled.client === undefined) throw new CommandFailure(exitCodes.invalid, what, 'it has no client code');
  const job: ClientJob = { program: compiled.client, config };
  const built = await buildOrFind(job).catch((error: unknown) => {
    if (!(error instanceof ClientBuildError)) throw error;
    terminal.err(`${error.problems.map((one) => problemText(one, terminal.cwd)).join('\n\n')}\n`);
    throw new CommandFailure(exitCodes.failure, what, 'shown above');
  });
  const out = resolve(terminal.cwd, (options['out'] as string | undefined) ?? join(projectDir, 'dist'));
  await place();
  terminal.out(`  ${shownPathFrom(terminal.cwd, out)}  ${built.files.length + 1} files\n`);
  if (config.client.baseUrl === '')
    terminal.err('note: pages ask the host they come from; [plugins.client] base_url names another one for the API\n');
  return exitCodes.success;

  async function buildOrFind(of: ClientJob) {
    const found = buildId === undefined ? undefined : findBuilt(of, buildId);
    return found ?? (await buildNow(of, { terminal, config, tells: true }));
  }

  /** Hosts that know no addresses of routers show `404.html`. */
  async function place(): Promise<void> {
    const { appMetaData: meta, publicDir } = config.client;
    const baseUrl = config.client.baseUrl || prefixOf(config.serve.baseUrl);
    const settings = { meta, title: config.project.name, baseUrl, isProduction: true };
    const page = pageText(factsOf(job, built), settings, { component: null, args: {} });
    await rm(join(out, 'static'), { recursive: true, force: true });
    await mkdir(join(out, 'static'), { recursive: true });
    if (publicDir !== '') await copy(resolve(projectDir, publicDir), out);
    await copy(join(projectDir, 'assets'), join(out, 'static', 'assets'));
    await compressFiles(outDirOf(job), built.files, built.entry);
    for (const name of built.files.flatMap((one) => [one, `${one}.br`, `${one}.gz`])) {
      const from = join(outDirOf(job), name);
      if (!existsSync(from)) continue;
      await mkdir(dirname(join(out, 'static', name)), { recursive: true });
      await cp(from, join(out, 'static', name));
    }
    for (const name of ['index.html', '404.html']) await writeFile(join(out, name), page);
  }
}

async function copy(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true });
}
