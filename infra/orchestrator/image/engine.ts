/**
 * Container engines, driven by their command lines (docs/server/orchestrator.md#images). Secrets reach them through
 * standard input only.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeployFailure } from '../deploy-failure.ts';
import { type Environment, isOnPath, lastLines, runTool } from '../run-tool.ts';

const engines = ['docker', 'podman', 'buildah'] as const;
type EngineName = (typeof engines)[number];

export interface Engine {
  readonly name: EngineName;
  login(registry: string, username: string, password: string): Promise<void>;
  build(request: BuildRequest): Promise<void>;
  /** Gives the digest, as the registry has it. */
  push(image: string): Promise<string>;
  /** Writes an archive that engines load. */
  save(image: string, path: string): Promise<void>;
}

export interface BuildRequest {
  readonly dockerfile: string;
  /** Folder with everything the recipe may copy. */
  readonly context: string;
  readonly platform: string;
  readonly images: readonly string[];
}

/** The one that is configured, else the first that is there. @throws DeployFailure */
export function findEngine(configured: '' | EngineName, env: Environment): Engine {
  const name = (configured === '' ? engines : [configured]).find((one) => isOnPath(one, env));
  if (name !== undefined) return openEngine(name, env);
  const message = configured === '' ? 'no container engine found' : `container engine ${configured} not found`;
  throw new DeployFailure('prerequisite', message, {
    hints: [
      `a Dockerfile of the application's own needs one: install ${engines.join(', ')}, whichever you like`,
      'without a Dockerfile images are built without an engine',
    ],
  });
}

function openEngine(name: EngineName, env: Environment): Engine {
  const run = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, output } = await runTool(name, args, { env, ...(input === undefined ? {} : { input }) });
    if (code === 0) return output;
    throw new DeployFailure('failed', `${name} ${args[0]} failed`, { output: lastLines(output, 20) });
  };
  return {
    name,
    async login(registry, username, password) {
      await run(['login', '--username', username, '--password-stdin', registry], password);
    },
    async build({ dockerfile, context, platform, images }) {
      const tags = images.flatMap((image) => ['--tag', image]);
      await run(['build', '--platform', platform, '--file', dockerfile, ...tags, context]);
    },
    async save(image, path) {
      await run(name === 'buildah' ? ['push', image, `docker-archive:${path}`] : ['save', '--output', path, image]);
    },
    push: (image) => (name === 'docker' ? pushWithDocker(image, run) : pushWithDigestFile(image, run)),
  };
}

type Run = (args: readonly string[]) => Promise<string>;

async function pushWithDocker(image: string, run: Run): Promise<string> {
  return requireDigest(/digest: (sha256:[0-9a-f]{64})/.exec(await run(['push', image]))?.[1], image);
}

async function pushWithDigestFile(image: string, run: Run): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-push-'));
  try {
    const file = join(folder, 'digest');
    await run(['push', '--digestfile', file, image]);
    return requireDigest(/sha256:[0-9a-f]{64}/.exec(await readFile(file, 'utf8'))?.[0], image);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function requireDigest(digest: string | undefined, image: string): string {
  if (digest !== undefined) return digest;
  throw new DeployFailure('failed', `the push of ${image} named no digest`);
}
