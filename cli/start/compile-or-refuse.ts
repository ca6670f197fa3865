import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { graphForm } from '../program/open-stores.ts';
import { checksAtStart, forStarting, reportDiagnostics, shownAtStart } from '../program/report-diagnostics.ts';
import { createSteps } from '../steps.ts';
import { keepsStories } from './keeps-stories.ts';
import type { Runnable } from './reload.ts';
import type { StartJob } from './start-job.ts';

/**
 * Compiles the program of a start for the store it will run on; what is wrong or questionable is printed. `checksLater`: in a program with a browser
 * half, mistakes that keep nothing from running are not looked for yet, and then nothing is printed but what keeps it from that.
 * @throws CommandFailure for errors
 */
export async function compileOrRefuse(job: StartJob, checksLater = false): Promise<Runnable> {
  const { terminal, file, config, read, isJson, isFaux } = job;
  const steps = createSteps(terminal, !isJson && !isFaux && config.mode === 'development');
  const graph = graphForm(config, !isFaux);
  const checks = checksAtStart(config);
  const client = isFaux ? undefined : clientRequest(job);
  const purpose = 'serve';
  const debug = job.inspectorPorts !== undefined;
  const request = {
    file: file.path,
    config,
    purpose,
    env: read.env,
    runtimeNames,
    graph,
    checks,
    checksLater,
    client,
    debug,
    marks: keepsStories(config),
    kept: job.kept,
  } as const;
  const compiled = await steps.run(`Compiling ${file.shown}`, async (): Promise<CompiledApp> => {
    const { check, ...made } = await compileApp(request);
    if (check === undefined) return made;
    // Only a page keeps somebody waiting so long that it matters.
    return made.client === undefined ? { ...made, diagnostics: await check() } : { ...made, check };
  });
  const { directory, diagnostics } = compiled;
  const told = { terminal, stream: 'err', projectDir: config.projectDir, shown: shownAtStart } as const;
  if (compiled.check === undefined) await reportDiagnostics(forStarting(diagnostics, config.mode), told);
  if (directory !== undefined) return { ...compiled, directory };
  throw new CommandFailure(exitCodes.invalid, `cannot start ${file.shown}`, 'the program has errors, shown above');
}

/** The part of the browser's in a compilation; undefined with `--no-client`. */
export function clientRequest({ config, isDevelopment, hasClient }: StartJob) {
  if (!hasClient) return undefined;
  return { mode: isDevelopment ? ('development' as const) : ('production' as const), app: config.serve.baseRouteApp };
}
