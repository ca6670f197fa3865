import { relative } from 'node:path';
import type { DeployedApp } from '../../infra/orchestrator/deployment.ts';
import type { Deployed } from '../../infra/targets/target.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { createSteps } from '../steps.ts';
import { completeApp } from './complete-app.ts';
import { outFolder, prepareDeploy, withDeployFailures } from './deploy-job.ts';
import { withTarget } from './open-target.ts';
import { showProgress } from './show-progress.ts';

/** `svc start --scale` (docs/server/orchestrator.md#steps): compiles, compares, applies, waits, and tells the address. */
export async function deploy(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const isJson = options['json'] === true;
  const job = await prepareDeploy(args, 'start');
  const { config } = job.read;
  const progress = showProgress(terminal, isJson);
  return await withDeployFailures(terminal, () =>
    withTarget(
      job.read,
      args,
      relative(terminal.cwd, job.file.path) || job.input.entry,
      async ({ target, context, namespace }) => {
        if (!isJson) terminal.out(`Cluster: ${context}  Namespace: ${namespace}\n`);
        progress.begin(3);
        const publishes = options['build'] === true;
        // Standard output is for JSON when that is asked for.
        const tell = isJson ? terminal.err : terminal.out;
        const out = outFolder(undefined, config.projectDir, terminal);
        const app = await progress.step(publishes ? 'build and push the image' : 'resolve images and packages', () =>
          completeApp({ ...job, args, out, publishes, steps: createSteps(terminal, false), tell }),
        );
        const plan = await progress.step('compare with what is there', () => target.plan(app));
        const url = async () => (await target.status()).url;
        if (await target.isUpToDate(plan)) {
          if (isJson)
            terminal.out(`${JSON.stringify({ event: 'unchanged', place: plan.place, digest: plan.digest })}\n`);
          else terminal.out(`Nothing to change\n${urlLine(await url())}`);
          return exitCodes.success;
        }
        const { place, digest, changes } = plan;
        if (isJson) terminal.out(`${JSON.stringify({ event: 'plan', place, digest, changes })}\n`);
        const request = {
          allowDataLoss: String(options['allow-data-loss'] ?? '')
            .split(',')
            .filter((name) => name !== ''),
          revision: { version: app.version, sourceDigest: app.sourceDigest, ...job.types },
        };
        const deployed = await target.apply(plan, request, progress);
        tellDeployed(app, deployed, args);
        return exitCodes.success;
      },
    ),
  );
}

function tellDeployed(app: DeployedApp, { place, url }: Deployed, { terminal, options }: CommandArgs): void {
  const { name, version, settings } = app;
  if (options['json'] === true) {
    terminal.out(`${JSON.stringify({ event: 'deployed', name, version, place, url: url ?? null })}\n`);
    return;
  }
  terminal.out(`Deployed ${name} ${version} to ${place}\n${urlLine(url)}`);
  if (url === undefined)
    terminal.out(
      `It has no address outside of the cluster (service_type ${settings.serviceType}); kubectl port-forward service/${name}-service ${settings.containerPort} reaches it.\n`,
    );
}

export function urlLine(url: string | undefined): string {
  return url === undefined ? '' : `URL: ${url}\n`;
}
