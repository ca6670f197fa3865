/** The image of a deployment, built and pushed (docs/server/orchestrator.md#images). */
import type { Files } from '../../infra/files.ts';
import { digestOfFiles } from '../../infra/orchestrator/bundle/pack-bundle.ts';
import type { DeployedApp } from '../../infra/orchestrator/deployment.ts';
import { findLogin, findRegistry, imageTag, prepareRepository } from '../../infra/orchestrator/image/registry.ts';
import type { CommandArgs } from '../command.ts';
import type { Steps } from '../steps.ts';
import { buildAppImage } from './build-app-image.ts';
import { findRecipe } from './build-with-engine.ts';
import { type DeployJob, pullSecret, registryRequest } from './deploy-job.ts';

export interface PublishJob extends DeployJob {
  readonly args: CommandArgs;
  readonly steps: Steps;
  /** Prints a line of what was resolved. */
  readonly tell: (line: string) => void;
  /** Folder for what is made. */
  readonly out: string;
}

export type Publish = (files: Files) => Promise<Pick<DeployedApp, 'source' | 'pullSecret'>>;

/** Finds out what is missing before anything takes time. @throws DeployFailure */
export async function preparePublish(job: PublishJob): Promise<Publish> {
  const { read, input, args, steps, tell, out } = job;
  const request = registryRequest(job, args);
  const registry = await findRegistry(request);
  const login = await findLogin(request, registry, read.env);
  const engine = findRecipe(read);
  const { repository } = registry;
  return async (files) => {
    const { name, version, entry, filesPath } = input;
    const tags = [imageTag(version, digestOfFiles(files)), 'latest'];
    const image = await steps.run(`Building and pushing ${repository}`, async () => {
      await prepareRepository(request, registry);
      if (engine === undefined) {
        const built = await buildAppImage({ read, name, version, entry, files, filesPath });
        return await built.push(`${repository}:${tags[0]}`, { credentials: login, alsoAs: tags.slice(1) });
      }
      const images = tags.map((tag) => `${repository}:${tag}`);
      await engine.build({ files, out, images, login });
      return await engine.push(images);
    });
    tell(`  ${image}\n`);
    return { source: { kind: 'image', image }, ...pullSecret(job, registry) };
  };
}
