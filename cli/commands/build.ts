import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { buildTargetType, registryType } from '../target.ts';

export const command: Command = {
  name: 'build',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Packages an application for deployment without deploying it.',
  examples: [
    ['svc build --target cloud', 'archives of functions'],
    ['svc build --target container --push ghcr.io/acme/shop:1.2', 'an image, without Docker'],
  ],
  options: [
    {
      name: 'target',
      short: 't',
      type: buildTargetType,
      about: 'What to build for: cloud, orchestrator, container, machine or worker.',
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
    {
      name: 'push',
      type: { kind: 'optional', placeholder: 'REF', isValue: isImageName },
      about:
        'Push the image: to REF with --target container, to the registry of the configuration with --target orchestrator.',
    },
    {
      name: 'load',
      type: { kind: 'text', placeholder: 'FILE.tar' },
      about: 'Where --target container writes the archive that docker load and podman load read.',
      default: '.svc/build/container/image.tar, without --push',
    },
    {
      name: 'base',
      type: { kind: 'text', placeholder: 'IMAGE' },
      about: 'Image that --target container begins with; oci:DIR is a folder.',
      default: 'orchestrator.base_image',
    },
    {
      name: 'platform',
      type: { kind: 'text', placeholder: 'LIST' },
      about:
        'Platforms of the image or the machine: linux/amd64, linux/arm64 or both, with a comma. With --target function: aws-v1, alb or azure.',
      default: 'registry.platform',
    },
    {
      name: 'compose',
      type: { kind: 'optional', placeholder: 'LIST', isValue: isDatabases },
      about:
        'Write compose.yaml too: the application and the databases of LIST, of postgres or docdb, and kvcache; without one those of the configuration.',
    },
    {
      name: 'experimental',
      short: 'e',
      type: flagType,
      about: 'Take the packages from the repository instead of the index.',
    },
    { name: 'registry', short: 'r', type: registryType, about: 'Image registry, with --push.', default: 'dockerhub' },
    configOption,
    profileOption,
  ],
  notes: [
    'For the cloud it writes an archive for each function the program needs: http.zip always; webhook.zip and websocket.zip when it has walkers of these protocols, stream.zip when an address that streams is configured: the program and the runtime, without the compiler; and sweeper.zip, which clears away what connections and broken-off commits leave behind. serverless.yml beside them describes the deployment to osls. Source maps are in the folder maps.',
    'With --target function, another name of the cloud, --platform names what calls the function instead of an HTTP API: aws-v1, a REST API of API Gateway; alb, a load balancer; azure, Azure Functions. DEPLOY.md beside the archive has the steps; docs/guide/deploy/other-functions.md says what such a platform cannot do.',
    'For the orchestrator it writes manifests.yaml: every object of the deployment but its Secrets, with images by their digests. The application is in it as a bundle; with --push it is in an image, built as for a container.',
    'For a container it writes an image that Docker, podman and every service for containers run: the base image, the packages and the program, a user without rights. No engine is needed; an application with a Dockerfile of its own is built by docker, podman or buildah. Two builds of the same files give the same digest. sbom-*.spdx.json beside it lists the packages, and is pushed with the image. Who pushes: docker login, or REGISTRY_USERNAME and REGISTRY_PASSWORD.',
    'For Google Cloud, --target cloud_b, it is the same image; svc start --scale --target cloud_b builds and deploys it.',
    'For a machine it writes an archive of the program with its packages, a unit for systemd, snippets for Caddy and nginx, and install.sh, which installs all that on a server as root.',
    'For a worker at the edge it writes the modules of one and what deploys it: wrangler.toml for Cloudflare Workers, config.capnp for workerd. The graph is in DynamoDB; docs/hono.md says what a worker cannot do.',
    'With --client it writes the pages of the program and what they load to dist, or --out: index.html, 404.html with the same page for hosts that know no addresses of a router, static/, and the files of public/ and assets/. [plugins.client] base_url is the address of the API that they call.',
    'To see what the program declares its modules are loaded, with an empty store that is forgotten.',
  ],
  run: build,
};

async function build(args: CommandArgs): Promise<number> {
  const target = args.options['target'] ?? 'cloud';
  const { push, platform } = args.options;
  const isPushed = push !== undefined && push !== false;
  if (args.options['client'] === true) {
    const { buildStatic } = await import('../client/build-static.ts');
    return await buildStatic(args);
  }
  refuseForeign(String(target), args);
  if (args.options['registry'] !== undefined && !isPushed)
    args.terminal.err('note: --registry means nothing without --push\n');
  // Cloud Run takes any image.
  if (target === 'container' || target === 'cloud_b') {
    if (push === true) throw usageFailure('--push', 'needs a name: --push ghcr.io/acme/shop:1.2');
    const { buildContainer } = await import('../build/build-container.ts');
    return await buildContainer(args);
  }
  if (target === 'machine') {
    const { buildMachine } = await import('../build/build-machine.ts');
    return await buildMachine(args);
  }
  if (target === 'worker') {
    const { buildWorker } = await import('../build/build-worker.ts');
    return await buildWorker(args);
  }
  if (target === 'orchestrator') {
    if (typeof push === 'string')
      throw usageFailure('--push', '[plugins.scale.registry] says where images of --target orchestrator go');
    const { buildDeployment } = await import('../deploy/build-deployment.ts');
    return await buildDeployment(args);
  }
  if (isPushed) throw usageFailure('--push', 'needs --target orchestrator, --target container or --target cloud_b');
  if (platform !== undefined) {
    const { buildPlatform, platforms } = await import('../build/build-platform.ts');
    const named = platforms.find((name) => name === platform);
    if (named === undefined) throw usageFailure('--platform', `of functions is one of ${platforms.join(', ')}`);
    return await buildPlatform(args, named);
  }
  const { buildFunctions } = await import('../build/build-functions.ts');
  return await buildFunctions(args);
}

/** Options that mean something for some targets only. */
const targetsOf: Readonly<Record<string, readonly string[]>> = {
  load: ['container', 'cloud_b'],
  base: ['container', 'cloud_b'],
  platform: ['container', 'cloud_b', 'machine', 'cloud'],
  compose: ['container', 'cloud_b'],
  experimental: ['container', 'cloud_b', 'machine', 'orchestrator'],
};

/** Tells names of databases from the application file, which may follow `--compose` as well. */
function isDatabases(argument: string): boolean {
  return /^(postgres|docdb|kvcache)(,|$)/.test(argument);
}

function refuseForeign(target: string, { options }: CommandArgs): void {
  for (const [name, targets] of Object.entries(targetsOf)) {
    if (options[name] !== undefined && !targets.includes(target))
      throw usageFailure(`--${name}`, `needs ${targets.map((one) => `--target ${one}`).join(' or ')}`);
  }
}

/** Tells a name of an image from the application file, which may follow `--push` as well. */
function isImageName(argument: string): boolean {
  return /^[^-].*[/:]/.test(argument) && !/\.(svc|[mc]?[jt]sx?)$/.test(argument);
}
