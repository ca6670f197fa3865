import { relative } from 'node:path';
import { toYaml } from '../../base/to-yaml.ts';
import { DeployFailure } from '../../infra/orchestrator/deploy-failure.ts';
import { type CloudPlan, planAlone } from '../../infra/targets/cloud/find-changes.ts';
import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { createSteps } from '../steps.ts';
import { type CloudJob, prepareCloudApp } from './cloud-app.ts';
import { applyTo } from './deploy.ts';
import { withDeployFailures } from './deploy-job.ts';
import { withCloud } from './open-cloud.ts';
import { planText } from './show-plan.ts';
import { showProgress } from './show-progress.ts';

/** `svc start --scale --target cloud`: packages, compares, applies, waits, tries it, and tells the addresses. */
export async function deployToCloud(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  refuseOptions(args);
  const isJson = options['json'] === true;
  return await withDeployFailures(terminal, async () => {
    const { read, file, app, types } = await prepareCloudApp(args, createSteps(terminal, !isJson), false);
    return await withCloud(read, args, relative(terminal.cwd, file.path), async ({ target, place, signal }) => {
      if (!isJson) terminal.out(`Account, region and stack: ${place}\n`);
      const progress = showProgress(terminal, isJson, signal);
      progress.begin(2);
      await progress.step('check rights', () => target.requireRights(app, progress.note));
      return await applyTo({ target, app, types, progress, args });
    });
  });
}

/**
 * `svc start --scale --target cloud --dry-run`: the template and the policy that deploying needs on standard output; on standard error what would
 * change, the digest of the plan and the rights. Without credentials, and with `--offline`, no network is asked: everything is new then.
 */
export async function dryRunCloud(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  refuseOptions(args);
  return await withDeployFailures(terminal, async () => {
    const job = await prepareCloudApp(args, createSteps(terminal, false), true);
    const plan = (await compared(job, args)) ?? planAlone(job.app, job.read.config);
    const { policy } = plan;
    const { template } = job.app;
    if (options['json'] === true) terminal.out(`${JSON.stringify({ template })}\n${JSON.stringify({ policy })}\n`);
    else terminal.out(`# The stack\n---\n${toYaml(template)}# The policy of who deploys\n---\n${toYaml(policy)}`);
    terminal.err(planText(plan));
    return exitCodes.success;
  });
}

/** Undefined where nothing can be asked, which is told. */
async function compared({ read, file, app }: CloudJob, args: CommandArgs): Promise<CloudPlan | undefined> {
  const { terminal, options } = args;
  if (options['offline'] === true || !hasCredentials(read.env)) return undefined;
  try {
    return await withCloud(read, args, file.shown, ({ target }) => target.plan(app));
  } catch (error) {
    if (!(error instanceof DeployFailure) || error.kind !== 'prerequisite') throw error;
    terminal.err(`note: compared with nothing: ${error.message}\n`);
    return undefined;
  }
}

/** Credentials that the environment names. Those that only a service of the machine would give are not asked for. */
function hasCredentials(env: Readonly<Record<string, string | undefined>>): boolean {
  const names = [
    'AWS_ACCESS_KEY_ID',
    'AWS_PROFILE',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  ];
  return names.some((name) => Boolean(env[name]));
}

function refuseOptions({ options }: CommandArgs): void {
  if (options['experimental'] === true)
    throw usageFailure('--experimental', 'functions hold the runtime of this installation, no packages', [
      'install svc from the repository, and deploy with that',
    ]);
}
