import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { toYaml } from '../../base/to-yaml.ts';
import { bytesOf } from '../../infra/images/blob.ts';
import type { BuiltImage } from '../../infra/images/built-image.ts';
import { type ComposeDatabase, composeDatabases, composeFile } from '../../infra/images/compose.ts';
import type { Credentials } from '../../infra/images/credentials.ts';
import { parseReference } from '../../infra/images/reference.ts';
import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { buildAppImage } from '../deploy/build-app-image.ts';
import { findRecipe, type RecipeEngine } from '../deploy/build-with-engine.ts';
import { withDeployFailures } from '../deploy/deploy-job.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { filesPathOf, type PackagedApp, packageApp } from './package-app.ts';

/** `svc build --target container`: an image in the OCI format, made without a container engine (docs/guide/images.md). */
export async function buildContainer(args: CommandArgs): Promise<number> {
  return await withDeployFailures(args.terminal, () => buildAndWrite(args));
}

async function buildAndWrite(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const pushed = pushName(args);
  if (pushed !== undefined) parseReference(pushed);
  const databases = namedDatabases(args);
  const app = await packageApp(args, 'container');
  const engine = findRecipe(app.read);
  const tag = pushed ?? `${app.name}:${tagOf(app.version)}`;
  const image = engine === undefined ? await build(app, args) : undefined;
  const load = options['load'] as string | undefined;
  const isKept = load !== undefined || pushed === undefined;
  const path = isKept ? resolve(terminal.cwd, load ?? join(app.out, 'image.tar')) : undefined;
  if (image === undefined) terminal.out(`  ${await buildByRecipe(engine!, { app, tag, path, pushed })}\n`);
  else await deliver(image, { app, tag, path, pushed, terminal });
  const name = image === undefined ? tag : nameOf(image, tag, pushed);
  if (databases !== undefined) await writeCompose(app, name, databases, args);
  else if (options['compose'] === true) await writeCompose(app, name, ownDatabases(app), args);
  return exitCodes.success;
}

async function build(app: PackagedApp, { options }: CommandArgs): Promise<BuiltImage> {
  const { read, name, version, entry, files, steps } = app;
  const base = options['base'] as string | undefined;
  const platforms = options['platform'] as string | undefined;
  const wanted = { read, name, version, entry, files, filesPath: filesPathOf(app), base, platforms };
  return await steps.run('Building the image', () => buildAppImage(wanted), { always: true });
}

/** Gives the name of the image. */
async function buildByRecipe(engine: RecipeEngine, { app, tag, path, pushed }: Omit<Delivery, 'terminal'>) {
  const { files, out, steps } = app;
  const images = [tag];
  const request = { files, out, images, login: pushed === undefined ? undefined : loginOf(app) };
  await steps.run(`Building with ${engine.name}`, () => engine.build(request), { always: true });
  if (path !== undefined) {
    await mkdir(dirname(path), { recursive: true });
    await engine.save(tag, path);
  }
  return pushed === undefined ? tag : await engine.push(images);
}

interface Delivery {
  readonly app: PackagedApp;
  readonly tag: string;
  /** File for the archive, if there is to be one. */
  readonly path: string | undefined;
  readonly pushed: string | undefined;
  readonly terminal: Terminal;
}

async function deliver(image: BuiltImage, { app, tag, path, pushed, terminal }: Delivery): Promise<void> {
  for (const { platform, layers, baseLayers } of image.images) {
    const bytes = layers.slice(baseLayers).reduce((sum, { descriptor }) => sum + descriptor.size, 0);
    terminal.out(`  ${platform}  ${(bytes / 1e6).toFixed(1)} MB over ${image.base.name}@${image.base.digest}\n`);
  }
  await mkdir(app.out, { recursive: true });
  for (const { platform, sbom } of image.images) {
    if (sbom === undefined) continue;
    const file = join(app.out, `sbom-${platform.replace('/', '-')}.spdx.json`);
    await writeFile(file, await bytesOf(sbom.contents));
    terminal.out(`  ${shownPathFrom(terminal.cwd, file)}\n`);
  }
  if (path !== undefined) {
    await app.steps.run('Writing the archive', () => image.save(path, tag));
    terminal.out(`  ${shownPathFrom(terminal.cwd, path)}  ${tag}\n`);
  }
  const name =
    pushed === undefined
      ? image.digest
      : await app.steps.run(`Pushing ${pushed}`, () => image.push(pushed, { credentials: loginOf(app) }), {
          always: true,
        });
  terminal.out(`  ${name}\n`);
}

/** The account of the configuration; else `docker login` knows one. */
function loginOf({ read }: PackagedApp): Credentials | undefined {
  const { username, password } = read.config.scale.registry;
  return username === '' || password === '' ? undefined : { username, password };
}

/** `--push REF`, or `--push` alone with the repository of the configuration. */
function pushName({ options }: CommandArgs): string | undefined {
  const given = options['push'];
  return typeof given === 'string' ? given : undefined;
}

function tagOf(version: string): string {
  return version.replace(/[^\w.-]/g, '_').slice(0, 100);
}

function nameOf(image: BuiltImage, tag: string, pushed: string | undefined): string {
  return pushed === undefined ? tag : `${parseReference(pushed).name}@${image.digest}`;
}

/** Databases that `--compose` names. */
function namedDatabases({ options }: CommandArgs): readonly ComposeDatabase[] | undefined {
  const given = options['compose'];
  if (typeof given !== 'string') return undefined;
  const names = given.split(',');
  const unknown = names.find((name) => !composeDatabases.some((one) => one === name));
  if (unknown !== undefined) throw usageFailure('--compose', `'${unknown}' is none of ${composeDatabases.join(', ')}`);
  if (names.includes('postgres') && names.includes('docdb'))
    throw usageFailure('--compose', 'postgres and docdb both keep the graph: name one of them');
  return composeDatabases.filter((one) => names.includes(one));
}

/** Databases of the configuration, which a cluster gets as well. */
function ownDatabases({ read }: PackagedApp): readonly ComposeDatabase[] {
  const { orchestrator } = read.config.scale;
  return (['docdb', 'kvcache'] as const).filter((one) => orchestrator[one].enabled);
}

async function writeCompose(
  app: PackagedApp,
  image: string,
  databases: readonly ComposeDatabase[],
  { terminal }: CommandArgs,
): Promise<void> {
  const { config } = app.read;
  const path = join(app.out, 'compose.yaml');
  await mkdir(app.out, { recursive: true });
  await writeFile(
    path,
    toYaml(
      composeFile({ config, databases, secrets: app.secrets, name: app.name, image, filesPath: filesPathOf(app) }),
    ),
  );
  terminal.out(`  ${shownPathFrom(terminal.cwd, path)}\n`);
}
