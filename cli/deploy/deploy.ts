import { relative } from 'node:path';
import type { DeployedApp } from '../../infra/orchestrator/deployment.ts';
import type { Deployed, DeployPlan, DeployTarget, Progress } from '../../infra/targets/target.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { createSteps } from '../steps.ts';
import { completeApp } from './complete-app.ts';
import { outFolder, prepareDeploy, type StoredTypes, withDeployFailures } from './deploy-job.ts';
import { withOrchestrator } from './open-target.ts';
import { showProgress } from './show-progress.ts';

/** `svc start --scale` (docs/server/orchestrator.md#steps): compiles, compares, applies, waits, and tells the address. */
export async function deploy(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const isJson = options['json'] === true;
  const job = await prepareDeploy(args, 'start');
  const { config } = job.read;
  const entry = relative(terminal.cwd, job.file.path) || job.input.entry;
  return await withDeployFailures(terminal, () =>
    withOrchestrator(job.read, args, entry, async ({ target, place, signal }) => {
      const [context, namespace] = [place.slice(0, place.lastIndexOf('/')), place.slice(place.lastIndexOf('/') + 1)];
      if (!isJson) terminal.out(`Cluster: ${context}  Namespace: ${namespace}\n`);
      const progress = showProgress(terminal, isJson, signal);
      progress.begin(3);
      const publishes = options['build'] === true;
      // Standard output is for JSON when that is asked for.
      const tell = isJson ? terminal.err : terminal.out;
      const out = outFolder(undefined, config.projectDir, terminal);
      const app = await progress.step(publishes ? 'build and push the image' : 'resolve images and packages', () =>
        completeApp({ ...job, args, out, publishes, steps: createSteps(terminal, false), tell }),
      );
      const { settings } = app;
      const noAddress = `It has no address outside of the cluster (service_type ${settings.serviceType}); kubectl port-forward service/${app.name}-service ${settings.containerPort} reaches it.`;
      return await applyTo({ target, app, types: job.types, progress, args, noAddress });
    }),
  );
}

export interface ApplyTo<App extends NamedApp, Plan extends DeployPlan> {
  readonly target: Pick<DeployTarget<App, Plan>, 'plan' | 'isUpToDate' | 'apply' | 'status'>;
  readonly app: App;
  readonly types: StoredTypes;
  readonly progress: Progress;
  readonly args: CommandArgs;
  /** Line about a deployment that nothing outside of its place reaches. */
  readonly noAddress?: string;
}

type NamedApp = Pick<DeployedApp, 'name' | 'version' | 'sourceDigest'>;

/** Plans, applies and tells, the same for every target. */
export async function applyTo<App extends NamedApp, Plan extends DeployPlan>(to: ApplyTo<App, Plan>): Promise<number> {
  const { target, app, types, progress, args } = to;
  const { terminal, options } = args;
  const isJson = options['json'] === true;
  const plan = await progress.step('compare with what is there', () => target.plan(app));
  const { place, digest, changes } = plan;
  if (await target.isUpToDate(plan)) {
    if (isJson) terminal.out(`${JSON.stringify({ event: 'unchanged', place, digest })}\n`);
    else terminal.out(`Nothing to change\n${urlLine((await target.status()).url)}`);
    return exitCodes.success;
  }
  if (isJson) terminal.out(`${JSON.stringify({ event: 'plan', place, digest, changes })}\n`);
  const request = {
    allowDataLoss: String(options['allow-data-loss'] ?? '')
      .split(',')
      .filter((name) => name !== ''),
    revision: { version: app.version, sourceDigest: app.sourceDigest, ...types },
  };
  tellDeployed(to, await target.apply(plan, request, progress));
  return exitCodes.success;
}

function tellDeployed(to: Pick<ApplyTo<NamedApp, DeployPlan>, 'app' | 'args' | 'noAddress'>, deployed: Deployed): void {
  const { app, args, noAddress } = to;
  const { terminal, options } = args;
  const { place, url, notes } = deployed;
  const { name, version } = app;
  if (options['json'] === true) {
    terminal.out(`${JSON.stringify({ event: 'deployed', name, version, place, url: url ?? null, notes })}\n`);
    return;
  }
  terminal.out(`Deployed ${name} ${version} to ${place}\n${urlLine(url)}${notes.map((note) => `${note}\n`).join('')}`);
  if (url === undefined && noAddress !== undefined) terminal.out(`${noAddress}\n`);
}

export function urlLine(url: string | undefined): string {
  return url === undefined ? '' : `URL: ${url}\n`;
}
