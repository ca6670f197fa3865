import { relative } from 'node:path';
import { toYaml } from '../../../base/to-yaml.ts';
import { digestOfFiles } from '../../../infra/orchestrator/bundle/pack-bundle.ts';
import { DeployFailure } from '../../../infra/orchestrator/deploy-failure.ts';
import { hasCredentials } from '../../../infra/targets/google/access.ts';
import { type GooglePlan, planAlone } from '../../../infra/targets/google/find-changes.ts';
import type { Google } from '../../../infra/targets/google/google.ts';
import type { GoogleApp } from '../../../infra/targets/google/google-app.ts';
import { shownThings } from '../../../infra/targets/google/shown-things.ts';
import type { CommandArgs } from '../../command.ts';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import { confirmed } from '../../prompt.ts';
import { applyTo } from '../deploy.ts';
import { withDeployFailures } from '../deploy-job.ts';
import { planText } from '../show-plan.ts';
import { showProgress } from '../show-progress.ts';
import { addImage } from './add-image.ts';
import { type GoogleJob, prepareGoogle } from './google-job.ts';
import { withGoogle } from './open-google.ts';

/** `svc start --scale --target cloud_b`: compiles, builds the image, compares, applies, waits, and tells the address. */
export async function deployToGoogle(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const isJson = options['json'] === true;
  const job = await prepareGoogle(args);
  return await withDeployFailures(terminal, () =>
    withGoogle(job.read, args, shownEntry(job, args), async ({ target, place, signal }) => {
      if (!isJson) terminal.out(`Project and region: ${place}\n`);
      const progress = showProgress(terminal, isJson, signal);
      progress.begin(2);
      // Standard output is for JSON when that is asked for.
      const tell = isJson ? terminal.err : terminal.out;
      const app = await progress.step('build the image', () => addImage(job, terminal, tell));
      return await applyTo({ target: asking(target, args), app, types: job.types, progress, args });
    }),
  );
}

function shownEntry({ file, input }: GoogleJob, { terminal }: CommandArgs): string {
  return relative(terminal.cwd, file.path) || input.entry;
}

/** The target, which enables APIs of the project only when somebody says so. */
function asking(target: Google, args: CommandArgs): Google {
  return {
    ...target,
    apply: async (plan, request, progress) => {
      await askForApis(plan, args);
      return await target.apply(plan, request, progress);
    },
  };
}

/** `--yes` has answered. @throws CommandFailure when the answer is no, or nobody is there to give one */
async function askForApis({ apisOff, project }: GooglePlan, { terminal, options }: CommandArgs): Promise<void> {
  if (apisOff.length === 0 || options['yes'] === true) return;
  const names = apisOff.map((api) => `${api}.googleapis.com`).join(', ');
  const question = `APIs that are off in project ${project} have to be enabled: ${names}`;
  if (!terminal.isInTerminal) throw new CommandFailure(exitCodes.prerequisite, question, '', ['--yes does that']);
  terminal.err(`${question}\n`);
  if (!(await confirmed('start', terminal))) throw new CommandFailure(exitCodes.failure, 'nothing was changed', '');
}

/**
 * `svc start --scale --target cloud_b --dry-run`: what would be made on standard output, on standard error what would change, the digest of the plan
 * and the rights it needs. Without credentials, and with `--offline`, no network is asked: everything is new then.
 */
export async function dryRunGoogle(args: CommandArgs): Promise<number> {
  const { terminal, options } = args;
  const job = await prepareGoogle(args);
  const { project } = job.app.settings;
  return await withDeployFailures(terminal, async () => {
    const isAlone = options['offline'] === true || !hasCredentials(job.read.env);
    const plan = isAlone ? undefined : await compared(job, args);
    const app: GoogleApp = plan?.app ?? { ...job.app, sourceDigest: digestOfFiles(job.appFiles.files) };
    if (app.image === undefined)
      terminal.err('note: the digest of the image is found when deploying; a tag of the source stands for it\n');
    const shown = shownThings(app, project);
    if (options['json'] === true) for (const thing of shown) terminal.out(`${JSON.stringify(thing)}\n`);
    else terminal.out(shown.map((thing) => `---\n${toYaml(thing)}`).join(''));
    terminal.err(planText(plan ?? planAlone(app, project)));
    return exitCodes.success;
  });
}

/** Undefined where nothing is deployed or nothing can be asked, which is told. */
async function compared(job: GoogleJob, args: CommandArgs): Promise<GooglePlan | undefined> {
  const { terminal } = args;
  try {
    return await withGoogle(job.read, args, shownEntry(job, args), async ({ target }) => {
      if ((await target.status()).version === '') return undefined;
      return await target.plan(await addImage(job, terminal, terminal.err));
    });
  } catch (error) {
    if (!(error instanceof DeployFailure) || error.kind !== 'prerequisite') throw error;
    terminal.err(`note: compared with nothing: ${error.message}\n`);
    return undefined;
  }
}
