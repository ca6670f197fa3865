import { flagType } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { registryType, requireTarget, targetType } from '../target.ts';

export const command: Command = {
  name: 'build',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Packages an application for deployment without deploying it.',
  examples: [
    ['svc build --target cloud', 'archives of functions'],
    ['svc build --target orchestrator --out deploy', 'manifests'],
  ],
  options: [
    {
      name: 'target',
      short: 't',
      type: targetType,
      about: 'What to build for: cloud or orchestrator.',
      default: 'cloud',
    },
    {
      name: 'out',
      short: 'o',
      type: { kind: 'text', placeholder: 'DIR' },
      about: 'Output folder.',
      default: '.svc/build/<target>',
    },
    { name: 'client', type: flagType, about: 'Write the browser application for any host of files, to dist.' },
    { name: 'push', type: flagType, about: 'Build a container image and push it, with --target orchestrator.' },
    { name: 'registry', short: 'r', type: registryType, about: 'Image registry, with --push.', default: 'dockerhub' },
    { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'Configuration file.', default: 'svc.toml' },
    {
      name: 'profile',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Apply [environments.<name>] over the file.',
      default: 'SVC_PROFILE',
    },
  ],
  notes: [
    'For the cloud it writes an archive for each function the program needs: http.zip always; webhook.zip and websocket.zip when it has walkers of these protocols, stream.zip when an address that streams is configured: the program and the runtime, without the compiler; and sweeper.zip, which clears away what connections and broken-off commits leave behind. serverless.yml beside them describes the deployment to osls. Source maps are in the folder maps.',
    'For the orchestrator it writes manifests.yaml: every object of the deployment but its Secrets, with images by their digests. The application is in it as a bundle; with --push it is in an image, whose recipe is in the same folder.',
    'With --client it writes the pages of the program and what they load to dist, or --out: index.html, 404.html with the same page for hosts that know no addresses of a router, static/, and the files of public/ and assets/. [plugins.client] base_url is the address of the API that they call.',
    'To see what the program declares its modules are loaded, with an empty store that is forgotten.',
  ],
  run: build,
};

async function build(args: CommandArgs): Promise<number> {
  const target = args.options['target'] ?? 'cloud';
  requireTarget(target);
  const isPushed = args.options['push'] === true;
  if (args.options['client'] === true) {
    const { buildStatic } = await import('../client/build-static.ts');
    return await buildStatic(args);
  }
  if (args.options['registry'] !== undefined && !isPushed)
    args.terminal.err('note: --registry means nothing without --push\n');
  if (target === 'orchestrator') {
    const { buildDeployment } = await import('../deploy/build-deployment.ts');
    return await buildDeployment(args);
  }
  if (isPushed) throw usageFailure('--push', 'needs --target orchestrator');
  const { buildFunctions } = await import('../build/build-functions.ts');
  return await buildFunctions(args);
}
