import { parseAddress } from '../../base/parse-address.ts';
import type { Config, ConfigPath } from './config.ts';
import type { Finding } from './finding.ts';
import { defaultJwtSecret, tomlKey } from './options.ts';
import type { Source } from './source.ts';

export interface CheckContext {
  readonly whereOf: (path: ConfigPath) => string;
  readonly sourceOf: (path: ConfigPath) => Source;
  readonly isScript: boolean;
}

type Check = (config: Config, context: CheckContext) => readonly Problem[];
interface Problem {
  readonly path: ConfigPath;
  readonly problem: string;
  /** Overrides the key of `path`: secrets are known by their variable. */
  readonly key?: string;
}

/**
 * Rules between keys, and rules that a type cannot say (docs/server/configuration.md#default-secrets,
 * docs/server/configuration.md#validation).
 */
export function checkConfig(config: Config, context: CheckContext): Finding[] {
  return checks.flatMap((check) =>
    check(config, context).map(({ path, problem, key }) => ({
      severity: 'error' as const,
      where: placeOf(context.whereOf(path)),
      key: key ?? tomlKey(path).replace(/^plugins\.scale\./, ''),
      problem,
    })),
  );
}

function placeOf(where: string): string {
  return where === 'default' ? 'svc.toml' : where;
}

const checks: readonly Check[] = [
  corsCredentials,
  trustedProxies,
  histogramBuckets,
  metricsEndpoint,
  traceEndpoint,
  jwtKeyFiles,
  jwtSecretStrength,
  webhookSecretStrength,
  bucketOfStorage,
  databaseAddresses,
  baseUrl,
  publicFolder,
  storeFromConfig,
  placementPins,
  passwordLengths,
  ssoProviders,
  ssoAddresses,
];

function corsCredentials({ scale: { cors } }: Config): Problem[] {
  if (!cors.allowCredentials || !cors.allowOrigins.includes('*')) return [];
  return [
    {
      path: 'scale.cors.allowCredentials',
      problem: "cannot be true while allow_origins contains '*'; list the origins",
    },
  ];
}

function trustedProxies(config: Config): Problem[] {
  const path = 'serve.trustedProxies';
  return config.serve.trustedProxies.flatMap((entry): Problem[] => {
    if (!isAddressOrCidr(entry)) return [{ path, problem: `'${entry}' is not an address or CIDR block` }];
    const everyone = entry === '0.0.0.0/0' || entry === '::/0';
    return everyone && config.mode === 'production'
      ? [{ path, problem: `'${entry}' trusts everyone; refused in production` }]
      : [];
  });
}

function isAddressOrCidr(entry: string): boolean {
  const [address, bits, ...rest] = entry.split('/');
  if (parseAddress(address ?? '') === undefined || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (address!.includes(':') ? 128 : 32));
}

function histogramBuckets({ scale: { metrics } }: Config): Problem[] {
  const path = 'scale.metrics.histogramBuckets';
  const buckets = metrics.histogramBuckets;
  if (buckets.length === 0) return [{ path, problem: 'must not be empty' }];
  if (buckets.length > 50) return [{ path, problem: `has ${buckets.length} entries, at most 50 are allowed` }];
  const ascending = buckets.every((bucket, i) => i === 0 || bucket > buckets[i - 1]!);
  return ascending ? [] : [{ path, problem: 'must be ascending' }];
}

const reservedSegments = [
  '/walker',
  '/walkers',
  '/function',
  '/functions',
  '/webhook',
  '/ws',
  '/user',
  '/api-key',
  '/sso',
  '/traverse',
  '/graph',
  '/static',
  '/cl',
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/redoc',
  '/__build_status',
  '/healthz',
];

function metricsEndpoint({ scale: { metrics } }: Config): Problem[] {
  const path = 'scale.metrics.endpoint';
  if (!metrics.endpoint.startsWith('/')) return [{ path, problem: `'${metrics.endpoint}' must start with /` }];
  const first = `/${metrics.endpoint.split('/')[1]}`;
  return reservedSegments.includes(first) || first === '/'
    ? [{ path, problem: `'${metrics.endpoint}' collides with a route of the server` }]
    : [];
}

function traceEndpoint({ scale: { logging } }: Config): Problem[] {
  const path = 'scale.logging.traceEndpoint';
  const { traceEndpoint: address } = logging;
  if (address === '' || (/^https?:\/\//.test(address) && URL.canParse(address))) return [];
  return [{ path, problem: 'must be an address that begins with http:// or https://' }];
}

function jwtKeyFiles({ scale: { jwt } }: Config): Problem[] {
  if (jwt.algorithm.startsWith('HS') || (jwt.privateKeyFile !== '' && jwt.publicKeyFile !== '')) return [];
  return [{ path: 'scale.jwt.algorithm', problem: `${jwt.algorithm} needs private_key_file and public_key_file` }];
}

const secretBytes: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** The rules for the secret hold for every earlier one: whoever knows one of them can sign tokens that are accepted. */
function jwtSecretStrength({ mode, scale: { jwt } }: Config, { sourceOf, isScript }: CheckContext): Problem[] {
  const needed = secretBytes[jwt.algorithm];
  if (mode !== 'production' || isScript || needed === undefined) return [];
  const isUnset = sourceOf('scale.jwt.secret') === 'default' && jwt.secret === defaultJwtSecret;
  const current = isUnset
    ? `is not set and the built-in default ${publicKnowledge(needed)}`
    : jwt.secret === 'auto'
      ? undefined
      : weakness(jwt.secret, jwt.algorithm, needed);
  const previous = jwt.previousSecrets.flatMap((secret, i): Problem[] => {
    const problem = secret === '' ? undefined : weakness(secret, jwt.algorithm, needed);
    return problem === undefined
      ? []
      : [{ path: 'scale.jwt.previousSecrets', problem: `entry ${i + 1} ${problem}; remove it` }];
  });
  return current === undefined
    ? previous
    : [{ path: 'scale.jwt.secret', key: 'JWT_SECRET', problem: current }, ...previous];
}

function weakness(secret: string, algorithm: string, needed: number): string | undefined {
  if (secret === defaultJwtSecret) return `is the built-in default, which ${publicKnowledge(needed)}`;
  const length = Buffer.byteLength(secret);
  return length < needed ? `has ${length} bytes, ${algorithm} needs ${needed} or more in production` : undefined;
}

function publicKnowledge(needed: number): string {
  return `is public knowledge; set it to ${needed} random bytes or more`;
}

function webhookSecretStrength({ mode, scale: { webhook } }: Config): Problem[] {
  const length = Buffer.byteLength(webhook.secret);
  if (mode !== 'production' || length === 0 || length >= 24) return [];
  return [
    {
      path: 'scale.webhook.secret',
      key: 'WEBHOOK_SECRET',
      problem: `has ${length} bytes, 24 or more are needed in production`,
    },
  ];
}

/** Other storage types are known when the program has been loaded, which may register some. */
function bucketOfStorage({ storage: { storageType, s3 } }: Config): Problem[] {
  if (storageType !== 's3' || s3.bucket !== '') return [];
  return [{ path: 'storage.storageType', problem: 's3 needs storage.s3.bucket' }];
}

function databaseAddresses({ scale: { database } }: Config): Problem[] {
  const check = (path: ConfigPath, address: string, schemes: readonly string[]): Problem[] => {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
    if (address === '' || (scheme !== undefined && schemes.includes(scheme))) return [];
    return [{ path, problem: `must start with ${schemes.map((item) => `${item}://`).join(' or ')}` }];
  };
  return [
    ...check('scale.database.databaseUrl', database.databaseUrl, ['postgres', 'postgresql']),
    ...check('scale.database.docdbUri', database.docdbUri, ['mongodb', 'mongodb+srv']),
    ...check('scale.database.kvcacheUrl', database.kvcacheUrl, ['redis', 'rediss']),
  ];
}

function baseUrl({ serve }: Config): Problem[] {
  const path = 'serve.baseUrl';
  const [, below] = /^https?:\/\/[^/\s?#]+(\/[^\s?#]*)?$/.exec(serve.baseUrl) ?? [];
  if (below === undefined)
    return serve.baseUrl === '' || /^https?:\/\/[^/\s?#]+$/.test(serve.baseUrl)
      ? []
      : [{ path, problem: `'${serve.baseUrl}' is not an http or https address` }];
  const [first, ...more] = below.slice(1).split('/');
  if ([first, ...more].some((name) => !/^[\w.~@+-]+$/.test(name!) || /^\.\.?$/.test(name!)))
    return [
      { path, problem: `names in the path '${below}' have letters, digits and -._~@+, and none is empty, . or ..` },
    ];
  return reservedSegments.includes(`/${first}`)
    ? [{ path, problem: `the path '${below}' begins as a route of the server, /${first}` }]
    : [];
}

/** Checks the public folder: everything in it can be had by anybody. */
function publicFolder({ client, projectDir }: Config): Problem[] {
  const names: string[] = client.publicDir.startsWith('/') ? [] : projectDir.split('/');
  for (const name of client.publicDir.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  const folder = `/${names.filter((name) => name !== '').join('/')}`;
  const holdsSources = `${projectDir}/`.startsWith(folder === '/' ? folder : `${folder}/`);
  if (client.publicDir === '' || !holdsSources) return [];
  return [
    {
      path: 'client.publicDir',
      problem: `'${client.publicDir}' holds svc.toml and the sources, which must not be served`,
    },
  ];
}

function storeFromConfig({ scale: { database } }: Config): Problem[] {
  const { store, databaseUrl, docdbUri } = database;
  const [address, name] =
    store === 'postgres' ? [databaseUrl, 'database_url (DATABASE_URL)'] : [docdbUri, 'docdb_uri (DOCDB_URI)'];
  if (address !== '' || (store !== 'postgres' && store !== 'docdb')) return [];
  return [{ path: 'scale.database.store', problem: `'${store}' needs database.${name}` }];
}

function passwordLengths({ scale: { auth } }: Config): Problem[] {
  if (auth.passwordMinLength <= auth.passwordMaxLength) return [];
  return [
    {
      path: 'scale.auth.passwordMinLength',
      problem: `must not exceed password_max_length (${auth.passwordMaxLength})`,
    },
  ];
}

function placementPins({ placement }: Config): Problem[] {
  return Object.entries(placement.pins)
    .filter(([, side]) => side !== 'server' && side !== 'client')
    .map(([name, side]) => ({
      path: 'placement.pins',
      problem: `'${name}': expected server or client, got '${side}'`,
    }));
}

function ssoProviders({ scale: { sso } }: Config): Problem[] {
  const path = 'scale.sso.providers';
  return Object.entries(sso.providers).flatMap(([name, provider]): Problem[] => {
    const problem = (text: string): Problem[] => [{ path, key: `sso.${name}`, problem: text }];
    const { issuer, clientId, clientSecret, allowPrivateIssuer } = provider;
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name))
      return problem('names of providers are a-z, then a-z, 0-9 or -, at most 31');
    if (issuer === '' && name !== 'google')
      return problem('issuer is needed: the address of an OpenID Connect provider');
    if (issuer !== '' && !isIssuer(issuer, allowPrivateIssuer))
      return problem(`issuer '${issuer}' is not an https address`);
    if (clientId === '' && clientSecret !== '') return problem('has client_secret but no client_id');
    return clientId !== '' && clientSecret === '' ? problem('has client_id but no client_secret') : [];
  });
}

/** Plain http is for tests on this machine (docs/server/sign-on.md#outgoing). */
function isIssuer(text: string, allowsHttp: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return (protocol === 'https:' || (allowsHttp && protocol === 'http:')) && search === '' && hash === '';
}

function ssoAddresses({ scale: { sso } }: Config): Problem[] {
  const isAddress = (text: string) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text));
  return (['scale.sso.host', 'scale.sso.clientAuthCallbackUrl'] as const).flatMap((path) =>
    isAddress(path === 'scale.sso.host' ? sso.host : sso.clientAuthCallbackUrl)
      ? []
      : [{ path, problem: 'must be an address that begins with http:// or https://' }],
  );
}
