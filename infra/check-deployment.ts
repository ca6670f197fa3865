/**
 * Checks of a configuration that count only when it is deployed (docs/server/configuration.md#validation,
 * docs/server/orchestrator.md#databases, docs/server/orchestrator.md#bundle, docs/server/orchestrator.md#steps).
 */
import type { Config, ConfigPath } from '../core/config/config.ts';
import { valueAt } from '../core/config/diff.ts';
import type { Finding } from '../core/config/finding.ts';
import { tomlKey } from '../core/config/options.ts';
import { isQuantity, nearestQuantity } from './orchestrator/quantities.ts';
import { cloudSettings } from './targets/cloud/check-cloud.ts';
import { googleSettings } from './targets/google/check-google.ts';

interface Problem {
  readonly path: ConfigPath;
  readonly problem: string;
  /** Instead of that of the path. */
  readonly key?: string;
}

type WhereOf = (path: ConfigPath) => string;
type Check = (config: Config) => Problem[];

/** Checks a configuration for the orchestrator. */
export function checkDeployment(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf(checks, config, whereOf);
}

/** Checks a configuration for cloud functions. */
export function checkFunctions(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf([appName, secretNames, functionVariables, certificate, cloud], config, whereOf);
}

/** Checks a configuration for functions behind another gateway, or of another platform. */
export function checkOtherFunctions(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf([appName, secretNames, functionVariables, certificate], config, whereOf);
}

/** Checks a configuration for what runs anywhere: an image, or one machine. */
export function checkPackage(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf([appName, secretNames, packageVersions], config, whereOf);
}

/** Checks a configuration for a worker at the edge (docs/hono.md#edge). */
export function checkWorker(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf([appName, secretNames, workerDatabases], config, whereOf);
}

/** Checks a configuration for Cloud Run. */
export function checkGoogle(config: Config, whereOf: WhereOf): Finding[] {
  return findingsOf([appName, secretNames, packageVersions, googleSettings], config, whereOf);
}

function findingsOf(made: readonly Check[], config: Config, whereOf: WhereOf): Finding[] {
  return made
    .flatMap((check) => check(config))
    .map(({ path, problem, key }) => {
      const where = whereOf(path);
      return {
        severity: 'error',
        where: where === 'default' ? 'svc.toml' : where,
        key: key ?? tomlKey(path).replace(/^plugins\.scale\./, ''),
        problem,
      };
    });
}

const checks: readonly Check[] = [
  appName,
  namespace,
  nodePort,
  secretNames,
  podVariables,
  quantities,
  replicas,
  autoscale,
  ingress,
  packageVersions,
];

/** Names of objects may have 63 characters; the longest thing added is `-kvcache-service`. */
const label = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;

function appName({ scale: { orchestrator } }: Config): Problem[] {
  const { appName: name } = orchestrator;
  if (label.test(name)) return [];
  const nearest = sanitizedName(name);
  const hint = nearest === '' ? '' : ` (did you mean '${nearest}'?)`;
  return [
    {
      path: 'scale.orchestrator.appName',
      problem: `'${name}' is not a name of a deployment: a letter, then a-z, 0-9 or -, at most 40${hint}`,
    },
  ];
}

function sanitizedName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/-+$/, '');
}

function namespace({ scale: { orchestrator } }: Config): Problem[] {
  const name = orchestrator.namespace;
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return [];
  return [{ path: 'scale.orchestrator.namespace', problem: `'${name}' is not a name of a namespace` }];
}

function nodePort({ scale: { orchestrator } }: Config): Problem[] {
  const { serviceType, nodePort: port } = orchestrator;
  if (serviceType !== 'NodePort' || (port >= 30_000 && port <= 32_767)) return [];
  return [{ path: 'scale.orchestrator.nodePort', problem: `expected 30000 to 32767, got ${port}` }];
}

function secretNames({ scale: { secrets } }: Config): Problem[] {
  return wrongNames('scale.secrets', 'secrets', secrets);
}

function podVariables({ scale: { orchestrator } }: Config): Problem[] {
  const path = 'scale.orchestrator.env';
  const wrong = wrongNames(path, 'orchestrator.env', orchestrator.env);
  if (!('SVC_ENV' in orchestrator.env)) return wrong;
  return [...wrong, { path, key: 'orchestrator.env.SVC_ENV', problem: 'is production in every deployment' }];
}

/** The service takes no name that begins otherwise, and keeps some for itself. */
function functionVariables({ scale: { cloud } }: Config): Problem[] {
  const path = 'scale.cloud.env';
  const kept = Object.keys(cloud.env).filter((name) => /^(AWS_(LAMBDA_|REGION$|DEFAULT_REGION$)|_)/.test(name));
  return [
    ...wrongNames(path, 'cloud.env', cloud.env),
    ...kept.map((name) => ({ path, key: `cloud.env.${name}`, problem: 'is set by the service' }) as const),
  ];
}

function certificate({ scale: { cloud } }: Config): Problem[] {
  if ((cloud.domain === '') === (cloud.certificateArn === '')) return [];
  return [{ path: 'scale.cloud.domain', problem: 'goes with certificate_arn, one does nothing without the other' }];
}

/** Names that are made of that of the application are wrong with it, and are not told besides. */
function cloud(config: Config): Problem[] {
  return appName(config).length > 0 ? [] : cloudSettings(config);
}

/** Connections of other databases belong to the request that opened them, there. */
function workerDatabases({ scale: { database } }: Config): Problem[] {
  const isElsewhere = database.store !== '' && database.store !== 'dynamodb';
  return [
    ...(isElsewhere || database.databaseUrl !== '' || database.docdbUri !== ''
      ? [
          {
            path: isElsewhere
              ? 'scale.database.store'
              : database.databaseUrl !== ''
                ? 'scale.database.databaseUrl'
                : 'scale.database.docdbUri',
            problem: 'a worker keeps its graph in DynamoDB: store = "dynamodb", in a profile for it if need be',
          } as const,
        ]
      : []),
    ...(database.kvcacheUrl !== ''
      ? [{ path: 'scale.database.kvcacheUrl', problem: 'a worker has no connection to a key-value store' } as const]
      : []),
  ];
}

function wrongNames(path: ConfigPath, table: string, variables: Readonly<Record<string, unknown>>): Problem[] {
  return Object.keys(variables)
    .filter((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map((name) => ({ path, key: `${table}.${name}`, problem: 'is not a name of an environment variable' }));
}

const ofOrchestrator = (key: string, of: 'cpu' | 'bytes') => [`scale.orchestrator.${key}` as ConfigPath, of] as const;

const quantityPaths = [
  ofOrchestrator('cpuRequest', 'cpu'),
  ofOrchestrator('cpuLimit', 'cpu'),
  ofOrchestrator('memoryRequest', 'bytes'),
  ofOrchestrator('memoryLimit', 'bytes'),
  ofOrchestrator('storageSize', 'bytes'),
  ofOrchestrator('docdb.storageSize', 'bytes'),
  ofOrchestrator('kvcache.storageSize', 'bytes'),
];

function quantities(config: Config): Problem[] {
  return quantityPaths.flatMap(([path, of]) => {
    const text = String(valueAt(config, path));
    if (isQuantity(text) || (text === '' && !path.includes('docdb') && !path.includes('kvcache'))) return [];
    const nearest = nearestQuantity(text, of);
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
    return [{ path, problem: `'${text}' is not a quantity${hint}` }];
  });
}

function replicas({ scale: { orchestrator } }: Config): Problem[] {
  if (orchestrator.replicas === 1 || orchestrator.storageSize === '') return [];
  return [{ path: 'scale.orchestrator.replicas', problem: 'must be 1 with storage_size: the volume admits one pod' }];
}

function autoscale({ scale: { orchestrator } }: Config): Problem[] {
  const { min, max, cpu } = orchestrator.autoscale;
  const path = 'scale.orchestrator.autoscale.max';
  if (max === 0) return min === 0 ? [] : [{ path, problem: 'is needed with autoscale.min' }];
  if (max < Math.max(min, 1)) return [{ path, problem: `must be at least autoscale.min, ${min}` }];
  if (orchestrator.storageSize !== '' && max > 1)
    return [{ path, problem: 'must be 1 with storage_size: the volume admits one pod' }];
  if (orchestrator.cpuRequest === '')
    return [{ path: 'scale.orchestrator.cpuRequest', problem: `is needed with autoscale: ${cpu} % of it is the goal` }];
  return [];
}

function ingress({ scale: { orchestrator } }: Config): Problem[] {
  const { host, ingressClass, tlsSecret } = orchestrator;
  if (host === '' && (ingressClass !== '' || tlsSecret !== ''))
    return [{ path: 'scale.orchestrator.host', problem: 'is needed with ingress_class and tls_secret' }];
  if (host === '' || /^(\*\.)?([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(host)) return [];
  return [{ path: 'scale.orchestrator.host', problem: `'${host}' is not a name of a host` }];
}

/** All of them are one package (decisions/0186). */
function packageVersions({ scale: { orchestrator } }: Config): Problem[] {
  const { core, scale, client, llm } = orchestrator.pluginVersions;
  const path = (name: string) => `scale.orchestrator.pluginVersions.${name}` as ConfigPath;
  const missing = Object.entries({ core, scale }).filter(([, version]) => version === 'none');
  if (missing.length > 0)
    return missing.map(([name]) => ({ path: path(name), problem: "cannot be 'none': nothing runs without it" }));
  const exact = Object.entries({ scale, core, client, llm }).filter(([, one]) => one !== 'latest' && one !== 'none');
  const wrong = exact.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version));
  if (wrong.length > 0)
    return wrong.map(([name, version]) => ({
      path: path(name),
      problem: `expected a version such as 1.2.3, latest or none, got '${version}'`,
    }));
  return exact
    .filter(([, version]) => version !== exact[0]![1])
    .map(([name, version]) => ({
      path: path(name),
      problem: `is ${version} and ${exact[0]![0]} is ${exact[0]![1]}, but they are one package`,
    }));
}

/** The version of the package that is deployed, or `latest`. */
export function packageVersion({ scale: { orchestrator } }: Config): string {
  const { scale, core, client, llm } = orchestrator.pluginVersions;
  return [scale, core, client, llm].find((version) => version !== 'latest' && version !== 'none') ?? 'latest';
}
