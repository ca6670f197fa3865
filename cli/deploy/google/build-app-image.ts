import { shippedFolder } from '../../../adapters/client/built-client.ts';
import { buildImage } from '../../../infra/images/build-image.ts';
import { digestOfFiles } from '../../../infra/orchestrator/bundle/pack-bundle.ts';
import type { GoogleApp } from '../../../infra/targets/google/google-app.ts';
import { npmSettings } from '../../build/build-container.ts';
import { createSteps } from '../../steps.ts';
import type { Terminal } from '../../terminal.ts';
import { lockedFiles } from '../complete-app.ts';
import type { GoogleJob } from './google-job.ts';

/** Completes the application with its image, made without a container engine and not pushed yet. @throws DeployFailure */
export async function buildAppImage(
  { app, appFiles, input, read }: GoogleJob,
  terminal: Terminal,
  tell: (line: string) => void,
): Promise<GoogleApp> {
  const files = await lockedFiles({ appFiles, read, steps: createSteps(terminal, false), tell });
  const { orchestrator } = read.config.scale;
  const image = await buildImage({
    name: app.name,
    version: app.version,
    files,
    clientFolder: shippedFolder,
    entry: app.entry,
    port: app.port,
    filesPath: input.filesPath,
    livenessPath: app.livenessPath,
    base: orchestrator.baseImage,
    // Cloud Run runs no other: https://cloud.google.com/run/docs/container-contract#languages
    platforms: ['linux/amd64'],
    projectDir: read.config.projectDir,
    env: { ...read.env, ...npmSettings(orchestrator.env) },
  });
  return { ...app, sourceDigest: digestOfFiles(files), image };
}
