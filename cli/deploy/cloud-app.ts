/** An application as it is deployed to the cloud: its archives, the template of its stack, and its secrets. */
import { createHash } from 'node:crypto';
import { keyFilePath } from '../../core/accounts/jwt-secret.ts';
import type { FunctionName } from '../../infra/cloud/needs.ts';
import { functionSecrets } from '../../infra/cloud/secrets.ts';
import { makeTemplate } from '../../infra/cloud/template.ts';
import { type Archive, archiveKey } from '../../infra/targets/cloud/artifacts.ts';
import type { CloudApp } from '../../infra/targets/cloud/find-changes.ts';
import { type PackagedFunctions, packageFunctions } from '../build/build-functions.ts';
import { zipFiles } from '../build/bundle-functions.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Steps } from '../steps.ts';
import { readKey, type StoredTypes, storedTypes } from './deploy-job.ts';

export interface CloudJob extends Pick<PackagedFunctions, 'file' | 'read'> {
  readonly app: CloudApp;
  /** Types that are stored: their fingerprints and fields. */
  readonly types: StoredTypes;
}

/** Variables of a shell that serve `osls offline`, and must not get into a deployment by chance. */
const ownOfShell = ['SVC_ENV', 'SVC_DATABASE_STORE', 'SVC_DATABASE_DYNAMODB_ENDPOINT'];

/** Everything that may be wrong with the application is found here, before anything is made. @throws CommandFailure */
export async function prepareCloudApp(args: CommandArgs, steps: Steps): Promise<CloudJob> {
  const { file, read, needs, variables, bundles } = await packageFunctions('start', args, steps, { ownOfShell });
  const { config } = read;
  const { stackName: stack } = config.scale.cloud;
  const archives: Partial<Record<FunctionName, Archive>> = {};
  for (const { name, files } of bundles.functions) {
    const bytes = await zipFiles(files);
    archives[name as FunctionName] = {
      key: archiveKey(stack, createHash('sha256').update(bytes).digest('hex')),
      bytes,
    };
  }
  const keys = Object.fromEntries(Object.entries(archives).map(([name, { key }]) => [name, key]));
  const app: CloudApp = {
    name: config.scale.orchestrator.appName,
    version: config.project.version,
    sourceDigest: createHash('sha256').update(JSON.stringify(keys)).digest('hex'),
    stack,
    template: makeTemplate({ config, needs, common: variables, archives: keys }),
    archives: Object.values(archives),
    secrets: secretsOf({ read }),
  };
  return { file, read, app, types: storedTypes() };
}

function secretsOf({ read }: Pick<PackagedFunctions, 'read'>): CloudApp['secrets'] {
  const { config } = read;
  const secrets = functionSecrets({
    config,
    configFile: read.parsed,
    lookup: (name) => read.env[name] || undefined,
    readKeyFile: (path) => readKey(keyFilePath(config, path)),
  });
  if (!('unresolved' in secrets)) return secrets;
  throw new CommandFailure(exitCodes.invalid, 'cannot resolve secrets', secrets.unresolved.join(', '));
}
