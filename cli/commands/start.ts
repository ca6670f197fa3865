import { withPage } from '../client/with-page.ts';
import type { Command, CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { delayOptimising } from '../optimising.ts';
import { warnOfForgotten } from '../program/forgotten-kept.ts';
import { openStores } from '../program/open-stores.ts';
import { compileOrRefuse } from '../start/compile-or-refuse.ts';
import { endpointLines, endpointTable } from '../start/endpoint-table.ts';
import { findingsOf } from '../start/findings.ts';
import { checkPort, hold } from '../start/listen.ts';
import { openApplication } from '../start/open-application.ts';
import { openProcessLog } from '../start/open-log.ts';
import { checkStartOptions, startOptions } from '../start/options.ts';
import type { Runnable } from '../start/reload.ts';
import { serve } from '../start/serve.ts';
import { prepareStart, type StartJob } from '../start/start-job.ts';

export const command: Command = {
  name: 'start',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Serves an application: every walker an endpoint, every user a graph.',
  examples: [
    ['svc start main.svc --port 3000', 'on another port'],
    ['svc start --reload --workers 4', 'with four processes that follow changes'],
  ],
  options: startOptions,
  async run(args) {
    // Only a process that Node gave a channel can be a worker.
    if (process.channel !== undefined) {
      const { serveAsWorker } = await import('../start/serve-as-worker.ts');
      const served = await serveAsWorker(args);
      if (served !== undefined) return served;
    }
    delayOptimising();
    checkStartOptions(args.options);
    if (args.options['scale'] === true) return await scale(args);
    const job = prepareStart(args);
    if (job.isFaux) return await printEndpoints(job, await compileOrRefuse(job));
    // A page that is opened while its program is compiled waits; in production a port that answers means that it can.
    await using held = job.isDevelopment ? await hold(job.config, job.port) : undefined;
    if (held === undefined) await checkPort(job.config, job.port);
    const compiled = await compileOrRefuse(job, true);
    const runnable = job.isDevelopment ? compiled : await withPage(job, compiled, job.config);
    if (job.emulates === undefined) await warnOfForgotten(job.config, job.terminal);
    const findings = findingsOf(job, runnable);
    try {
      if (job.workers === 1) return await serve(job, runnable, findings, held);
      const { serveWithWorkers } = await import('../start/serve-with-workers.ts');
      return await serveWithWorkers(job, runnable, findings);
    } finally {
      await findings.tell();
    }
  },
};

async function scale(args: CommandArgs): Promise<number> {
  if (args.options['target'] === 'cloud') return await scaleToCloud(args);
  if (args.options['target'] === 'cloud_b') return await scaleToGoogle(args);
  if (args.options['dry-run'] === true || args.options['plan'] === true) {
    const { dryRun } = await import('../deploy/dry-run.ts');
    return await dryRun(args);
  }
  const { deploy } = await import('../deploy/deploy.ts');
  return await deploy(args);
}

async function scaleToCloud(args: CommandArgs): Promise<number> {
  const { deployToCloud, dryRunCloud } = await import('../deploy/deploy-cloud.ts');
  const isDry = args.options['dry-run'] === true || args.options['plan'] === true;
  return await (isDry ? dryRunCloud(args) : deployToCloud(args));
}

async function scaleToGoogle(args: CommandArgs): Promise<number> {
  const { deployToGoogle, dryRunGoogle } = await import('../deploy/google/deploy-google.ts');
  const isDry = args.options['dry-run'] === true || args.options['plan'] === true;
  return await (isDry ? dryRunGoogle(args) : deployToGoogle(args));
}

async function printEndpoints(job: StartJob, compiled: Runnable): Promise<number> {
  const { config, terminal, isJson } = job;
  const stores = await openStores(config, terminal, false);
  try {
    const application = await openApplication({
      job,
      compiled,
      stores,
      processLog: openProcessLog(config, terminal),
      buildStatus: () => ({ status: 'ok' }),
    });
    if (application === undefined) return exitCodes.failure;
    const { app, program } = application.first;
    for (const line of program.warnings) terminal.err(`warning: ${line}\n`);
    if (program.internal.length > 0) terminal.err(`internal functions: ${program.internal.join(', ')}\n`);
    const { targets, fixed } = app.routes;
    terminal.out(isJson ? endpointLines(targets, fixed) : endpointTable(targets, fixed));
    return exitCodes.success;
  } finally {
    await stores.close();
  }
}
