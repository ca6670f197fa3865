/** Builds the image of an application and pushes it (docs/server/orchestrator.md#images). */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../../files.ts';
import type { Engine } from './engine.ts';
import { type ImageRegistry, imageTag, type Login } from './registry.ts';

export interface ImageRecipe {
  readonly dockerfile: string;
  readonly dockerignore: string;
  /** Lines of `.dockerignore`: the files the image may copy. */
  readonly files: Files;
}

/** Writes the recipe, and beside it the folder `context` with exactly the files that may be in a layer. */
export async function writeRecipe(folder: string, { dockerfile, dockerignore, files }: ImageRecipe): Promise<void> {
  await rm(join(folder, 'context'), { recursive: true, force: true });
  const all: Files = { ...files, '.dockerignore': Buffer.from(dockerignore) };
  for (const [path, contents] of Object.entries(all)) {
    const to = join(folder, 'context', path);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, contents);
  }
  await writeFile(join(folder, 'Dockerfile'), dockerfile);
}

export interface PublishRequest {
  /** Folder with the recipe in it. */
  readonly folder: string;
  readonly engine: Engine;
  readonly registry: ImageRegistry;
  readonly login: Login;
  readonly platform: string;
  readonly version: string;
  readonly sourceDigest: string;
}

/** The image by the digest that the push gave. @throws DeployFailure */
export async function publishImage(request: PublishRequest): Promise<string> {
  const { folder, engine, registry, login, platform } = request;
  const { repository } = registry;
  const images = [`${repository}:${imageTag(request.version, request.sourceDigest)}`, `${repository}:latest`];
  await engine.login(registry.host, login.username, login.password);
  await engine.build({ dockerfile: join(folder, 'Dockerfile'), context: join(folder, 'context'), platform, images });
  const digests: string[] = [];
  for (const image of images) digests.push(await engine.push(image));
  return `${repository}@${digests[0]}`;
}
