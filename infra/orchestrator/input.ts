/**
 * Step from a configuration to a deployment: everything checked and filled in before anything is made (docs/server/orchestrator.md#steps,
 * step 1). Pure.
 */
import { posix } from 'node:path';
import type { Config, ConfigPath } from '../../core/config/config.ts';
import type { Finding } from '../../core/config/finding.ts';
import { defaultJwtSecret } from '../../core/config/options.ts';
import { unknownVariables } from '../../core/config/own-variables.ts';
import { packSettings, unpackSettings } from '../../core/config/packed-settings.ts';
import { prefixOf } from '../../core/config/prefix.ts';
import { type ConfigFile, type Resolved, resolveConfig } from '../../core/config/resolve.ts';
import { checkDeployment } from '../check-deployment.ts';
import { appDirectory, type DeployedApp, type Texts } from './deployment.ts';
import { type Lookup, resolveTexts, settingsSecrets } from './settings-secrets.ts';

export interface DeployRequest {
  readonly config: Config;
  readonly whereOf: (path: ConfigPath) => string;
  readonly configFile: ConfigFile | undefined;
  /** The deploying machine's environment, with `.env`. */
  readonly lookup: Lookup;
  /** The application file below the project directory. */
  readonly entry: string;
  /** Contents of a key file named in the configuration. @throws when it cannot be read */
  readonly readKeyFile: (path: string) => string;
}

/** All of a deployment that does not depend on how the application travels. */
export type DeployInput = Omit<DeployedApp, 'source' | 'sourceDigest' | 'pullSecret'>;

export type Deploy =
  | { readonly input: DeployInput; readonly warnings: readonly string[] }
  /** Named references that nothing resolves. */
  | { readonly unresolved: readonly string[] }
  | { readonly problems: readonly Finding[] };

export function deployInput(request: DeployRequest): Deploy {
  const { config, configFile, lookup } = request;
  const { orchestrator } = config.scale;
  const problems = checkDeployment(config, request.whereOf);
  if (problems.length > 0) return { problems };

  const secrets = resolveTexts(config.scale.secrets, lookup);
  const env = resolveTexts(orchestrator.env, lookup);
  // A variable of the Secret may be what a key of the file refers to.
  const written =
    configFile === undefined
      ? { texts: {}, unresolved: [] }
      : settingsSecrets(configFile.root, config.profile, (name) => secrets.texts[name] ?? lookup(name));
  const unresolved = [...new Set([secrets, env, written].flatMap((table) => table.unresolved))];
  if (unresolved.length > 0) return { unresolved };

  const texts = { ...(config.profile === undefined ? {} : { SVC_PROFILE: config.profile }), ...env.texts };
  const own = without(written.texts, secrets.texts);
  const first = configOfPod(request, { ...own, ...secrets.texts, ...texts });
  const { algorithm, secret } = first.config.scale.jwt;
  const isShared = algorithm.startsWith('HS');
  const makesJwtSecret = isShared && (secret === defaultJwtSecret || secret === 'auto');
  const settingsTexts = { ...own, ...(isShared ? {} : keyPair(first.config, request.readKeyFile)) };
  const pod = configOfPod(request, {
    ...(makesJwtSecret ? { JWT_SECRET: 'x'.repeat(64) } : {}),
    ...settingsTexts,
    ...deployedAddresses(config),
    ...secrets.texts,
    ...texts,
  });
  if (pod.problems.length > 0) return { problems: pod.problems };
  const store = storeOf(pod.config);
  const tooMany = replicaProblem(config, store, request.whereOf);
  if (tooMany !== undefined) return { problems: [tooMany] };
  const input: DeployInput = {
    name: orchestrator.appName,
    version: config.project.version,
    settings: orchestrator,
    entry: request.entry,
    prefix: prefixOf(pod.config.serve.baseUrl),
    filesPath: posix.resolve(appDirectory, posix.dirname(request.entry), pod.config.storage.basePath),
    store,
    secrets: secrets.texts,
    settingsSecrets: settingsTexts,
    makesJwtSecret,
    env: texts,
  };
  return { input, warnings: [...pod.warnings.map(textOf), ...warningsOf(input)] };
}

/** The configuration that the application will have in its pod: the packaged file, and the variables it is given there. */
function configOfPod({ config, configFile, entry }: DeployRequest, env: Texts): Resolved {
  const file = configFile === undefined ? undefined : unpackSettings(packSettings(configFile).settings);
  const found = resolveConfig({
    file,
    env,
    mode: 'production',
    profile: env['SVC_PROFILE'],
    flags: { 'serve.host': '0.0.0.0', 'serve.port': config.scale.orchestrator.containerPort },
    projectDir: posix.dirname(posix.join(appDirectory, entry)),
    dataDir: `${appDirectory}/.svc/data`,
  });
  return { ...found, warnings: [...found.warnings, ...unknownVariables(env, file?.root)] };
}

/** Contents may stand where paths of key files do, so keys travel as other secrets do. */
export function keyPair({ scale: { jwt } }: Config, read: (path: string) => string): Texts {
  const contents = (text: string) => (text.includes('-----BEGIN') ? text : read(text));
  return {
    SVC_JWT_PRIVATE_KEY_FILE: contents(jwt.privateKeyFile),
    ...(jwt.publicKeyFile === '' ? {} : { SVC_JWT_PUBLIC_KEY_FILE: contents(jwt.publicKeyFile) }),
    ...(jwt.previousSecrets.length === 0
      ? {}
      : { SVC_JWT_PREVIOUS_SECRETS: jwt.previousSecrets.map(contents).join(',') }),
  };
}

function deployedAddresses({ scale: { orchestrator } }: Config): Texts {
  return {
    ...(orchestrator.docdb.enabled ? { DOCDB_URI: 'mongodb://deployed' } : {}),
    ...(orchestrator.kvcache.enabled ? { KVCACHE_URL: 'redis://deployed' } : {}),
  };
}

/** The store of the graph that a configuration means. */
export function storeOf({ scale: { database } }: Config): DeployedApp['store'] {
  if (database.store !== '') return database.store;
  if (database.databaseUrl !== '') return 'postgres';
  return database.docdbUri === '' ? 'sqlite' : 'docdb';
}

function replicaProblem(
  { scale: { orchestrator } }: Config,
  store: DeployedApp['store'],
  whereOf: DeployRequest['whereOf'],
): Finding | undefined {
  if ((orchestrator.replicas === 1 && orchestrator.autoscale.max <= 1) || store !== 'sqlite') return undefined;
  const where = whereOf('scale.orchestrator.replicas');
  const problem = 'must be 1 without a document database: each pod would have a graph of its own; set ORCH_DOCDB=true';
  return { severity: 'error', where, key: 'orchestrator.replicas', problem };
}

function warningsOf({ settings, store, secrets, settingsSecrets: own }: DeployInput): string[] {
  const doubled = (['docdb', 'kvcache'] as const).flatMap((component) => {
    const variable = component === 'docdb' ? 'DOCDB_URI' : 'KVCACHE_URL';
    if (!settings[component].enabled) return [];
    if (variable in secrets)
      return `${variable} of [plugins.scale.secrets] is used, not the ${component} that is deployed`;
    return variable in own ? `the ${component} that is deployed is used, not ${variable} of the configuration` : [];
  });
  const isLost = store === 'sqlite' && settings.storageSize === '';
  return [
    ...doubled,
    ...(isLost ? ['data lives in the pod and is lost with it; set ORCH_DOCDB=true or storage_size'] : []),
  ];
}

function textOf({ where, key, problem }: Finding): string {
  return `${where}: ${key}: ${problem}`;
}

function without(texts: Texts, others: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !(name in others)));
}
