import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { toYaml } from '../../base/to-yaml.ts';
import type { KubeObject } from '../../infra/orchestrator/kubernetes.ts';
import { makePlan } from '../../infra/orchestrator/plan.ts';
import { sentObject, shownSecret } from '../../infra/orchestrator/show-objects.ts';
import type { CommandArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { createSteps } from '../steps.ts';
import type { Terminal } from '../terminal.ts';
import { completeApp } from './complete-app.ts';
import { outFolder, prepareDeploy, withDeployFailures } from './deploy-job.ts';

/** `svc build --target orchestrator`: the deployment as files for other tools to apply, everything in it named exactly (decisions/0186). */
export async function buildDeployment(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const job = await prepareDeploy(args, 'build');
  const out = outFolder(options['out'], job.read.config.projectDir, terminal);
  const build = {
    ...job,
    args,
    out,
    steps: createSteps(terminal, true),
    tell: terminal.out,
    publishes: options['push'] === true,
  };
  const plan = makePlan(await withDeployFailures(terminal, () => completeApp(build)));
  const sent = plan.flatMap((object) => (object.kind === 'Secret' ? [] : [`---\n${toYaml(sentObject(object))}`]));
  const path = join(out, 'manifests.yaml');
  await mkdir(out, { recursive: true });
  await writeFile(path, sent.join(''));
  terminal.out(`  ${shownPathFrom(terminal.cwd, path)}  ${sent.length} objects\n`);
  tellSecrets(plan, terminal);
  return exitCodes.success;
}

/** Secrets are in no file: who applies the others makes them. */
function tellSecrets(plan: readonly KubeObject[], terminal: Terminal): void {
  const secrets = plan.flatMap((object) => (object.kind === 'Secret' ? [object] : []));
  if (secrets.length > 0) terminal.err('note: Secrets are in no file; these have to be in the cluster first:\n');
  for (const { metadata, type, values } of secrets) {
    const keys = Object.entries(values).map(([name, value]) => `${name} ${shownSecret(value)}`);
    terminal.err(`  ${metadata.name}${type === 'Opaque' ? '' : `, ${type}`}: ${keys.join(', ')}\n`);
  }
}
