import { digestOfFiles } from '../../../infra/orchestrator/bundle/pack-bundle.ts';
import type { GoogleApp } from '../../../infra/targets/google/google-app.ts';
import { createSteps } from '../../steps.ts';
import type { Terminal } from '../../terminal.ts';
import { buildAppImage } from '../build-app-image.ts';
import { lockedFiles } from '../complete-app.ts';
import type { GoogleJob } from './google-job.ts';

/** Completes the application with its image, made without a container engine and not pushed yet. @throws DeployFailure */
export async function addImage(
  { app, appFiles, input, read }: GoogleJob,
  terminal: Terminal,
  tell: (line: string) => void,
): Promise<GoogleApp> {
  const files = await lockedFiles({ appFiles, read, steps: createSteps(terminal, false), tell });
  const { name, version, entry } = app;
  const image = await buildAppImage({
    ...{ read, name, version, entry, files },
    filesPath: input.filesPath,
    // Cloud Run runs no other: https://cloud.google.com/run/docs/container-contract#languages
    platforms: 'linux/amd64',
  });
  return { ...app, sourceDigest: digestOfFiles(files), image };
}
