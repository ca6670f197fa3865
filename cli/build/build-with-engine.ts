import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Credentials } from '../../infra/images/credentials.ts';
import { parseReference } from '../../infra/images/reference.ts';
import { ownFile } from '../../infra/orchestrator/bundle/app-files.ts';
import { dockerignore } from '../../infra/orchestrator/image/dockerfile.ts';
import { findEngine } from '../../infra/orchestrator/image/engine.ts';
import { writeRecipe } from '../../infra/orchestrator/image/publish-image.ts';
import type { PackagedApp } from './package-app.ts';

export interface EngineBuild {
  readonly app: PackagedApp;
  /** Contents of the application's `Dockerfile`. */
  readonly recipe: string;
  readonly tag: string;
  /** File for the archive, if there is to be one. */
  readonly path: string | undefined;
  readonly isPushed: boolean;
  readonly login: Credentials | undefined;
}

/** Builds by the application's own `Dockerfile`, which only an engine can do. Gives the name of the image. @throws DeployFailure */
export async function buildWithEngine({ app, recipe, tag, path, isPushed, login }: EngineBuild): Promise<string> {
  const { config, env } = app.read;
  const { engine: configured, platform } = config.scale.registry;
  const engine = findEngine(configured, env);
  await writeRecipe(app.out, {
    dockerfile: recipe,
    dockerignore: dockerignore(ownFile(config.projectDir, '.dockerignore')),
    files: app.files,
  });
  const request = {
    dockerfile: join(app.out, 'Dockerfile'),
    context: join(app.out, 'context'),
    platform,
    images: [tag],
  };
  await app.steps.run(`Building with ${engine.name}`, () => engine.build(request), { always: true });
  if (path !== undefined) {
    await mkdir(dirname(path), { recursive: true });
    await engine.save(tag, path);
  }
  if (!isPushed) return tag;
  const { host, name } = parseReference(tag);
  if (login !== undefined && 'password' in login) await engine.login(host, login.username, login.password);
  return `${name}@${await engine.push(tag)}`;
}
