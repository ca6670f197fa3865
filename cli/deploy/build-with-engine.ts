/** Images by the application's own `Dockerfile`, which only an engine can follow. */
import { join } from 'node:path';
import type { ReadConfig } from '../../adapters/config/read-config.ts';
import type { Files } from '../../infra/files.ts';
import type { Credentials } from '../../infra/images/credentials.ts';
import { dockerHub, parseReference } from '../../infra/images/reference.ts';
import { ownFile } from '../../infra/orchestrator/bundle/app-files.ts';
import { type Engine, findEngine } from '../../infra/orchestrator/image/engine.ts';
import { dockerignore, writeRecipe } from '../../infra/orchestrator/image/write-recipe.ts';

export interface EngineBuild {
  /** Files of the application, which are all the recipe may copy. */
  readonly files: Files;
  /** Folder for the recipe and these files. */
  readonly out: string;
  /** Names that the image gets. */
  readonly images: readonly string[];
  /** Account at the registry of these names, which may hold the recipe's base image as well. */
  readonly login: Credentials | undefined;
}

export interface RecipeEngine {
  readonly name: string;
  build(request: EngineBuild): Promise<void>;
  save(image: string, path: string): Promise<void>;
  /** Gives the name by digest. */
  push(images: readonly string[]): Promise<string>;
}

/** Finds the engine for the application's own recipe; undefined without one. @throws DeployFailure when no engine is there */
export function findRecipe({ config, env }: ReadConfig): RecipeEngine | undefined {
  const recipe = ownFile(config.projectDir, 'Dockerfile');
  if (recipe === undefined) return undefined;
  const { engine: configured, platform } = config.scale.registry;
  const engine = findEngine(configured, env);
  return {
    name: engine.name,
    save: (image, path) => engine.save(image, path),
    push: (images) => push(engine, images),
    async build({ files, out, images, login }) {
      const { host } = parseReference(images[0]!);
      if (login !== undefined && 'password' in login)
        await engine.login(host === dockerHub ? 'docker.io' : host, login.username, login.password);
      const ignored = dockerignore(ownFile(config.projectDir, '.dockerignore'));
      await writeRecipe(out, { dockerfile: recipe, dockerignore: ignored, files });
      await engine.build({ dockerfile: join(out, 'Dockerfile'), context: join(out, 'context'), platform, images });
    },
  };
}

async function push(engine: Engine, images: readonly string[]): Promise<string> {
  const digests: string[] = [];
  for (const image of images) digests.push(await engine.push(image));
  return `${parseReference(images[0]!).name}@${digests[0]}`;
}
