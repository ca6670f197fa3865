/**
 * The option table (docs/server/configuration.md#tables): one row per leaf of `Config`, by its path there. Defaults,
 * validation, environment names, the list of what `--reload` applies and the reference page all come from it. A row reads
 * `kind(default, extra)`; the name in `svc.toml` is the path in snake case (`tomlKey`). What each means stands in `option-meanings.ts`.
 */
import type { ConfigPath, ConfigValue, SsoProvider } from './config.ts';
import {
  anything,
  bytes,
  choice,
  count,
  countOrNone,
  days,
  daysOrForever,
  flag,
  leaseMilliseconds,
  milliseconds,
  mixed,
  numbers,
  type Option,
  port,
  portOrFree,
  ratio,
  seconds,
  table,
  text,
  texts,
} from './option.ts';

export const defaultJwtSecret = 'svc-insecure-development-secret!';
export const defaultWebhookSecret = 'webhook-secret-key';

const R = { reload: true } as const;

export const options: { readonly [P in ConfigPath]: Option<ConfigValue<P>> } = {
  'project.name': text('svc-app'),
  'project.version': text('0.1.0'),
  'project.description': text(''),
  'project.entryPoint': text('', { toml: 'project.entry-point' }),

  'serve.host': text('0.0.0.0'),
  'serve.port': portOrFree(8000, { env: ['SVC_SERVE_PORT', 'PORT'] }),
  'serve.workers': countOrNone(1),
  'serve.baseUrl': text(''),
  'serve.mirrorFields': flag(true, R),
  'serve.rootWalkerAlias': flag(true, R),
  'serve.functions': choice(['marked', 'all'], 'marked', R),
  'serve.healthEndpoints': flag(true),
  'serve.docsEnabled': flag(true, R),
  'serve.serializePrivate': flag(false, R),
  'serve.onConflict': choice(['retry', 'fail'], 'retry', R),
  'serve.conflictMaxAttempts': count(10, R),
  'serve.conflictBackoffMs': milliseconds(10, R),
  'serve.conflictLeaseMs': leaseMilliseconds(5000, R),
  'serve.isolation': choice(['serializable', 'merge'], 'serializable', R),
  'serve.requestTimeoutSeconds': seconds(60, R),
  'serve.drainDelaySeconds': seconds(0, {
    defaultIn: { production: 5 },
  }),
  'serve.drainTimeoutSeconds': seconds(10),
  'serve.keepaliveSeconds': seconds(65),
  'serve.maxConnections': count(10_000),
  'serve.maxConcurrent': count(512, R),
  'serve.maxBodyBytes': bytes(4_194_304, R),
  'serve.maxUploadBytes': bytes(104_857_600, R),
  'serve.maxFileBytes': bytes(52_428_800, R),
  'serve.maxUploadFiles': count(20, R),
  'serve.maxUrlBytes': bytes(8192),
  'serve.maxHeaderBytes': bytes(16_384),
  'serve.maxJsonDepth': count(64, R),
  'serve.trustedProxies': texts([]),
  'serve.idempotencyTtlSeconds': seconds(86_400, R),
  'serve.graphView': choice<'' | 'on' | 'off'>(['', 'on', 'off'], '') as Option<'on' | 'off'>,
  'serve.baseRouteApp': text('app'),

  'run.echoReports': flag(false),
  'run.compatWarnings': flag(true),
  'run.connectReturnsList': flag(false),
  'run.exitOrder': choice(['deferred', 'immediate'], 'deferred'),
  'run.forwardNestedReports': flag(true),

  'check.enforceAccess': flag(false),
  'check.legacy': choice(['allow', 'warn'], 'allow'),

  'placement.pins': table({}),

  'storage.storageType': text('local', { env: ['SVC_STORAGE_TYPE'] }),
  'storage.basePath': text('./storage', { env: ['SVC_STORAGE_PATH'] }),
  'storage.createDirs': flag(true, { env: ['SVC_STORAGE_CREATE_DIRS'] }),
  'storage.preferFile': flag(true),

  'storage.s3.bucket': text(''),
  'storage.s3.prefix': text(''),
  'storage.s3.region': text(''),
  'storage.s3.endpoint': text(''),
  'storage.s3.accessKeyId': text('', { secret: true }),
  'storage.s3.secretAccessKey': text('', { secret: true }),
  'storage.s3.timeoutMs': milliseconds(30_000),

  'schema.onIncompatible': choice(['quarantine', 'fail'], 'quarantine'),
  'schema.aliases': table({}),
  'schema.fields': table({}),

  responseHeaders: table(
    { 'X-Content-Type-Options': 'nosniff' },
    {
      toml: 'environments.response.headers',
      reload: true,
    },
  ),

  'client.port': portOrFree(5173),
  'client.typescript': flag(false),
  'client.outDir': text('.svc/client'),
  'client.publicDir': text('public'),
  'client.spaFallback': flag(true),
  'client.baseUrl': text(''),
  'client.router': choice(['auto', 'history', 'hash'], 'auto'),
  'client.paths': table({}),
  'client.appMetaData': table({}),
  'client.routing.authRedirect': text('/login'),
  'client.vite.plugins': texts([]),
  'client.vite.libImports': texts([]),
  'client.vite.define': mixed({}),
  'client.configs.postcss': anything({}),
  'client.configs.tailwind': anything({}),

  'dependencies.npm': table({}),
  'dependencies.npmDev': table(
    {},
    {
      toml: 'dependencies.npm.dev',
    },
  ),

  'studio.enabled': flag(false),
  'studio.sample': ratio(0),

  'byllm.defaultModel': text('', { env: ['SVC_LLM_MODEL'], reload: true }),
  'byllm.baseUrl': text('', { env: ['SVC_LLM_BASE_URL', 'OPENAI_BASE_URL', 'OPENAI_API_BASE'], reload: true }),
  'byllm.apiKey': text('', { env: ['SVC_LLM_API_KEY', 'OPENAI_API_KEY'], secret: true, reload: true }),
  'byllm.timeoutSeconds': seconds(60, R),
  'byllm.maxAttempts': count(4, R),
  'byllm.backoffMs': milliseconds(500, R),
  'byllm.maxRetries': countOrNone(2, R),
  'byllm.maxToolRounds': count(10, R),
  'byllm.maxAnswerBytes': bytes(4_194_304, R),

  'scale.repository': text(''),

  'scale.server.host': text(''),
  'scale.server.port': portOrFree(0),

  'scale.cors.allowOrigins': texts(['*'], R),
  'scale.cors.allowMethods': texts(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], R),
  'scale.cors.allowHeaders': texts(['*'], R),
  'scale.cors.exposeHeaders': texts(
    ['X-Request-ID', 'X-Trace-ID', 'Retry-After', 'Idempotent-Replayed', 'Svc-Auth-Status'],
    R,
  ),
  'scale.cors.allowCredentials': flag(false, R),
  'scale.cors.maxAgeSeconds': seconds(600, R),

  'scale.rateLimit.enabled': flag(false, R),
  'scale.rateLimit.requestsPerMinute': count(600, R),
  'scale.rateLimit.burst': count(100, R),

  'scale.jwt.secret': text(defaultJwtSecret, { env: ['JWT_SECRET'], secret: true }),
  'scale.jwt.algorithm': choice(['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'], 'HS256', {
    env: ['JWT_ALGORITHM'],
  }),
  'scale.jwt.expDeltaDays': days(7, { env: ['JWT_EXP_DELTA_DAYS'] }),
  'scale.jwt.previousSecrets': texts([], { secret: true }),
  'scale.jwt.privateKeyFile': text(''),
  'scale.jwt.publicKeyFile': text(''),
  'scale.jwt.issuer': text('svc'),
  'scale.jwt.leewaySeconds': seconds(30),
  'scale.jwt.refreshMaxAgeDays': days(30),
  'scale.jwt.refreshRevokesOld': flag(false),

  'scale.auth.allowRegistration': flag(true, R),
  'scale.auth.autoLoginOnRegister': flag(true, R),
  'scale.auth.passwordMinLength': count(8, {
    reload: true,
    defaultIn: { development: 1, test: 1 },
  }),
  'scale.auth.passwordMaxLength': count(128),
  'scale.auth.passwordHash': choice(['argon2id', 'scrypt'], 'argon2id'),
  'scale.auth.loginMaxFailures': count(10, R),
  'scale.auth.loginWindowSeconds': seconds(900, R),
  'scale.auth.loginMaxFailuresPerAddress': count(100, R),
  'scale.auth.sessionCacheSeconds': seconds(30, R),
  'scale.auth.admins': texts([], R),

  'scale.sso.host': text('', { env: ['SSO_HOST'] }),
  'scale.sso.clientAuthCallbackUrl': text(''),
  'scale.sso.tokenDelivery': choice(['fragment', 'query'], 'fragment'),
  'scale.sso.autoRegister': flag(true, R),
  'scale.sso.stateTtlSeconds': seconds(600),
  'scale.sso.allowLoopbackCallback': flag(true),
  'scale.sso.providers': {
    type: { kind: 'providers' },
    default: {},
    toml: 'plugins.scale.sso',
  },

  'scale.database.store': choice(['', 'sqlite', 'postgres', 'docdb', 'dynamodb'], ''),
  'scale.database.sqliteFile': text('svc.db'),
  'scale.database.durability': choice(['full', 'normal'], 'full', {
    defaultIn: { test: 'normal' },
  }),
  'scale.database.databaseUrl': text('', { env: ['DATABASE_URL'], secret: true }),
  'scale.database.docdbUri': text('', { env: ['DOCDB_URI'], secret: true }),
  'scale.database.docdbName': text('svc'),
  'scale.database.kvcacheUrl': text('', { env: ['KVCACHE_URL'], secret: true }),
  'scale.database.cacheTtlSeconds': seconds(300),
  'scale.database.connectTimeoutMs': milliseconds(5000),
  'scale.database.operationTimeoutMs': milliseconds(10_000),
  'scale.database.poolSize': count(20),
  'scale.database.dynamodbTablePrefix': text(''),
  'scale.database.dynamodbEndpoint': text(''),
  'scale.database.maxCommitOperations': count(10_000),
  'scale.database.nodeMaxBytes': bytes(1_048_576),

  'scale.permissions.onDenied': choice(['error', 'warn'], 'error', R),
  'scale.permissions.traverseRequires': choice(['read', 'connect'], 'read', R),

  'scale.webhook.secret': text(defaultWebhookSecret, { env: ['WEBHOOK_SECRET'], secret: true }),
  'scale.webhook.signatureHeader': text('X-Webhook-Signature'),
  'scale.webhook.verifySignature': flag(true),
  'scale.webhook.apiKeyExpiryDays': daysOrForever(365),
  'scale.webhook.replayToleranceSeconds': seconds(300, R),
  'scale.webhook.requireTimestamp': flag(false, R),
  'scale.webhook.requireSigningSecret': flag(false, R),
  'scale.webhook.maxBodyBytes': bytes(1_048_576, R),
  'scale.webhook.rateLimitPerMinute': countOrNone(0, R),
  'scale.webhook.maxKeysPerUser': count(100, R),

  'scale.live.topicBufferMessages': count(1000),
  'scale.live.topicBufferBytes': bytes(1_048_576),
  'scale.live.topicBufferSeconds': seconds(300),
  'scale.live.maxTopicsPerConnection': count(100),

  'scale.websocket.maxMessageBytes': bytes(65_536, R),
  'scale.websocket.maxMessagesPerSecond': count(20, R),
  'scale.websocket.maxConnectionsPerTarget': count(5000, R),
  'scale.websocket.maxConnectionsPerUser': count(10, R),
  'scale.websocket.maxAnonymousConnections': count(100, R),
  'scale.websocket.queueSize': count(32, R),
  'scale.websocket.executionTimeoutSeconds': seconds(30, R),
  'scale.websocket.heartbeatSeconds': seconds(30, R),
  'scale.websocket.idleSeconds': seconds(90, R),
  'scale.websocket.authTimeoutSeconds': seconds(10, R),
  'scale.websocket.sendTimeoutSeconds': seconds(5, R),
  'scale.websocket.sendBufferBytes': bytes(1_048_576, R),
  'scale.websocket.allowedOrigins': texts([], R),

  'scale.live.maxPerConnection': count(100, R),
  'scale.live.maxPerUser': count(1000, R),
  'scale.live.runTimeoutSeconds': seconds(10, R),
  'scale.live.maxResultBytes': bytes(1_048_576, R),
  'scale.live.minIntervalMs': countOrNone(50, R),

  'scale.traverse.maxDepth': count(32, R),
  'scale.traverse.maxObjects': count(10_000, R),

  'scale.metrics.enabled': flag(false),
  'scale.metrics.endpoint': text('/metrics'),
  'scale.metrics.namespace': text(''),
  'scale.metrics.walkerMetrics': flag(false),
  'scale.metrics.histogramBuckets': numbers([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10]),
  'scale.metrics.token': text('', { secret: true }),
  'scale.metrics.maxPaths': count(200),
  'scale.metrics.processMetrics': flag(true),

  'scale.logging.level': choice(['debug', 'info', 'warn', 'error'], 'info', {
    reload: true,
    defaultIn: { test: 'warn' },
  }),
  'scale.logging.format': choice<'' | 'text' | 'json'>(['', 'text', 'json'], '') as Option<'text' | 'json'>,
  'scale.logging.accessLog': flag(true, R),
  'scale.logging.redact': texts([], R),
  'scale.logging.slowRequestMs': milliseconds(1000, R),
  'scale.logging.traceEndpoint': text(''),
  'scale.logging.traceSampleRatio': ratio(1),

  'scale.secrets': table(
    {},
    {
      secret: true,
      deferred: true,
    },
  ),

  'scale.orchestrator.appName': text('', { env: ['APP_NAME'] }),
  'scale.orchestrator.namespace': text('default', { env: ['ORCH_NAMESPACE'] }),
  'scale.orchestrator.containerPort': port(8000),
  'scale.orchestrator.nodePort': port(30_001, { env: ['ORCH_NODE_PORT'] }),
  'scale.orchestrator.replicas': count(1),
  'scale.orchestrator.cpuRequest': text('', { env: ['ORCH_CPU_REQUEST'] }),
  'scale.orchestrator.cpuLimit': text('', { env: ['ORCH_CPU_LIMIT'] }),
  'scale.orchestrator.memoryRequest': text('', { env: ['ORCH_MEMORY_REQUEST'] }),
  'scale.orchestrator.memoryLimit': text('', { env: ['ORCH_MEMORY_LIMIT'] }),
  'scale.orchestrator.readinessPath': text('/healthz/ready'),
  'scale.orchestrator.readinessInitialDelay': seconds(10, { env: ['ORCH_READINESS_INITIAL_DELAY'] }),
  'scale.orchestrator.readinessPeriod': seconds(20, { env: ['ORCH_READINESS_PERIOD'] }),
  'scale.orchestrator.livenessPath': text('/healthz/live'),
  'scale.orchestrator.livenessInitialDelay': seconds(10, { env: ['ORCH_LIVENESS_INITIAL_DELAY'] }),
  'scale.orchestrator.livenessPeriod': seconds(20, { env: ['ORCH_LIVENESS_PERIOD'] }),
  'scale.orchestrator.livenessFailureThreshold': count(80, { env: ['ORCH_LIVENESS_FAILURE_THRESHOLD'] }),
  'scale.orchestrator.baseImage': text('node:22-slim'),
  'scale.orchestrator.image': text(''),
  'scale.orchestrator.imagePullSecrets': texts([]),
  'scale.orchestrator.serviceType': choice(['NodePort', 'ClusterIP', 'LoadBalancer'], 'NodePort'),
  'scale.orchestrator.rolloutTimeoutSeconds': seconds(450),
  'scale.orchestrator.context': text(''),
  'scale.orchestrator.storageSize': text(''),
  'scale.orchestrator.host': text(''),
  'scale.orchestrator.ingressClass': text(''),
  'scale.orchestrator.tlsSecret': text(''),
  'scale.orchestrator.adopt': flag(false),
  'scale.orchestrator.env': table({}, { deferred: true }),
  'scale.orchestrator.autoscale.min': countOrNone(0),
  'scale.orchestrator.autoscale.max': countOrNone(0),
  'scale.orchestrator.autoscale.cpu': countOrNone(80),
  'scale.orchestrator.pluginVersions.core': text('latest'),
  'scale.orchestrator.pluginVersions.scale': text('latest'),
  'scale.orchestrator.pluginVersions.client': text('latest'),
  'scale.orchestrator.pluginVersions.llm': text('latest'),
  'scale.orchestrator.docdb.enabled': flag(false, { env: ['ORCH_DOCDB'] }),
  'scale.orchestrator.docdb.image': text('mongo:7'),
  'scale.orchestrator.docdb.storageSize': text('5Gi'),
  'scale.orchestrator.docdb.storageClass': text(''),
  'scale.orchestrator.kvcache.enabled': flag(false, { env: ['ORCH_KVCACHE'] }),
  'scale.orchestrator.kvcache.image': text('valkey/valkey:8'),
  'scale.orchestrator.kvcache.storageSize': text('1Gi'),
  'scale.orchestrator.kvcache.storageClass': text(''),

  'scale.registry.kind': choice(['dockerhub', 'ecr', 'gcr'], 'dockerhub'),
  'scale.registry.repository': text(''),
  'scale.registry.username': text('', { env: ['REGISTRY_USERNAME'] }),
  'scale.registry.password': text('', { env: ['REGISTRY_PASSWORD'], secret: true }),
  'scale.registry.platform': text('linux/amd64'),
  'scale.registry.engine': choice(['', 'docker', 'podman', 'buildah'], ''),

  'scale.cloud.region': text('', { env: ['SVC_CLOUD_REGION', 'AWS_REGION'] }),
  'scale.cloud.stage': text('prod'),
  'scale.cloud.stackName': text(''),
  'scale.cloud.artifactBucket': text(''),
  'scale.cloud.baseImage': text(''),
  'scale.cloud.runtime': text('nodejs22.x'),
  'scale.cloud.architecture': choice(['arm64', 'x86_64'], 'arm64'),
  'scale.cloud.memoryMb': count(512),
  'scale.cloud.timeoutSeconds': seconds(29),
  'scale.cloud.websocketTimeoutSeconds': seconds(30),
  'scale.cloud.reservedConcurrency': countOrNone(0),
  'scale.cloud.logRetentionDays': days(30),
  'scale.cloud.checkRights': flag(true),
  'scale.cloud.live': flag(false),
  'scale.cloud.streamFunctionUrl': flag(false),
  'scale.cloud.domain': text(''),
  'scale.cloud.certificateArn': text(''),
  'scale.cloud.env': table({}, { deferred: true }),

  'scale.gcp.project': text(''),
  'scale.gcp.region': text(''),
  'scale.gcp.minInstances': countOrNone(0),
  'scale.gcp.maxInstances': count(10),
  'scale.gcp.cpu': text('1'),
  'scale.gcp.memory': text('512Mi'),
  'scale.gcp.concurrency': count(80),
  'scale.gcp.timeoutSeconds': seconds(300),
  'scale.gcp.cpuAlways': flag(false),
  'scale.gcp.public': flag(true),
  'scale.gcp.cloudSqlInstance': text(''),
  'scale.gcp.vpcConnector': text(''),
  'scale.gcp.serviceAccount': text(''),
  'scale.gcp.repository': text('svc'),
  'scale.gcp.env': table({}, { deferred: true }),
};

/** Keys of one `[plugins.scale.sso.<provider>]` table (docs/server/sign-on.md#providers). */
export const providerOptions: { readonly [K in keyof SsoProvider]: Option<SsoProvider[K]> } = {
  clientId: text(''),
  clientSecret: text('', { secret: true }),
  scopes: texts(['openid', 'email', 'profile']),
  issuer: text(''),
  displayName: text(''),
  allowPrivateIssuer: flag(false),
  responseMode: choice(['query', 'form_post'], 'query'),
};

/** Every path of the table, in its order. */
export const optionPaths = Object.keys(options) as ConfigPath[];

export function optionAt(path: ConfigPath): Option {
  return options[path];
}

/** Name in `svc.toml`: `scale.jwt.expDeltaDays` is `plugins.scale.jwt.exp_delta_days`. */
export function tomlKey(path: ConfigPath): string {
  const own = optionAt(path).toml;
  if (own !== undefined) return own;
  const key = path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return /^(scale|client|byllm)\./.test(key) ? `plugins.${key}` : key;
}

/** Environment variables of a key in the order they are asked (docs/server/configuration.md#variables). */
export function envNames(path: ConfigPath): readonly string[] {
  const fixed = optionAt(path).env ?? [];
  const generated = generatedEnvName(tomlKey(path));
  return fixed.includes(generated) ? fixed : [...fixed, generated];
}

/** `SSO_GOOGLE_CLIENT_SECRET` of provider `google` and `client_secret`, in either spelling. */
export function providerVariable(provider: string, field: string): string {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter}`);
  return `SSO_${provider}_${name}`.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

function generatedEnvName(key: string): string {
  return `SVC_${key
    .replace(/^plugins\.(scale\.|(?=byllm\.))/, '')
    .replace(/[^A-Za-z0-9]/g, '_')
    .toUpperCase()}`;
}
