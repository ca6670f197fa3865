/**
 * The option table (server.md 5.4): one row per leaf of `Config`, by its path there. Defaults, validation, environment names, the
 * list of what `--reload` applies and the reference page all come from it. A row reads
 * `kind(default, part of server.md, meaning, extra)`; the name in `svc.toml` is the path in snake case (`tomlKey`).
 */
import type { ConfigPath, ConfigValue, SsoProvider } from './config.ts';
import {
  bytes,
  choice,
  count,
  countOrNone,
  days,
  daysOrForever,
  flag,
  leaseMilliseconds,
  milliseconds,
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
const idle = { idle: true } as const;

export const options: { readonly [P in ConfigPath]: Option<ConfigValue<P>> } = {
  'project.name': text(
    'svc-app',
    '5.4',
    'Name of the application; default for `app_name` and the title of the API description.',
  ),
  'project.version': text('0.1.0', '5.4', 'Version of the application.'),
  'project.description': text('', '5.4', 'One sentence for the API description.'),
  'project.entryPoint': text('', '3.1', 'Application file used when the command names none.', {
    toml: 'project.entry-point',
  }),

  'serve.host': text('0.0.0.0', '3.1', 'Bind address.'),
  'serve.port': portOrFree(8000, '3.1', 'Port; 0 picks a free one.', { env: ['SVC_SERVE_PORT', 'PORT'] }),
  'serve.workers': countOrNone(1, '3.4', 'Worker processes; 0 means one per CPU.'),
  'serve.baseUrl': text('', '5.4', 'Public address; empty: `http://localhost:<port>`.'),
  'serve.mirrorFields': flag(true, '6.2', 'Repeat `reports`, `result` … beside `data` in answers.', R),
  'serve.rootWalkerAlias': flag(true, '7.2', 'Serve public walkers at `POST /<WalkerName>` too.', R),
  'serve.functions': choice(
    ['marked', 'all'],
    'marked',
    '4.3',
    'Which functions are endpoints: those with `:pub`, `:priv`, `:protect` or `restspec`, or as in older programs all.',
    R,
  ),
  'serve.healthEndpoints': flag(true, '12.4', 'Serve `/healthz`, `/healthz/live` and `/healthz/ready`.'),
  'serve.docsEnabled': flag(true, '8.1', 'Serve `/docs`, `/redoc`, `/openapi.json` and `/asyncapi.json`.', R),
  'serve.serializePrivate': flag(false, '7.8', 'Include private fields in answers.', R),
  'serve.onConflict': choice(['retry', 'fail'], 'retry', '15.4', 'What a write conflict does.', R),
  'serve.conflictMaxAttempts': count(10, '15.4', 'Runs of one call before 409.', R),
  'serve.conflictBackoffMs': milliseconds(
    10,
    '15.4',
    'First delay between runs; doubles, full jitter, at most 500.',
    R,
  ),
  'serve.conflictLeaseMs': leaseMilliseconds(
    5000,
    '15.4',
    'How long what a call keeps from other processes outlives its process.',
    R,
  ),
  'serve.isolation': choice(
    ['serializable', 'merge'],
    'serializable',
    '15.4',
    'How strictly concurrent calls are kept apart.',
    R,
  ),
  'serve.requestTimeoutSeconds': seconds(60, '6.11', 'Longest time for a body to arrive, and for a call to run.', R),
  'serve.drainDelaySeconds': seconds(0, '3.5', 'Time between the stop signal and refusing connections.', {
    defaultIn: { production: 5 },
  }),
  'serve.drainTimeoutSeconds': seconds(10, '3.5', 'Time running calls get to finish at shutdown.'),
  'serve.keepaliveSeconds': seconds(65, '6.11', 'Idle keep-alive connections are closed after this.'),
  'serve.maxConnections': count(10_000, '6.11', 'Connections per process.'),
  'serve.maxConcurrent': count(512, '6.11', 'Running calls per worker.', R),
  'serve.maxBodyBytes': bytes(4_194_304, '6.11', 'JSON bodies.', R),
  'serve.maxUploadBytes': bytes(104_857_600, '6.11', 'A whole multipart body.', R),
  'serve.maxFileBytes': bytes(52_428_800, '6.11', 'One uploaded file.', R),
  'serve.maxUploadFiles': count(20, '6.11', 'Files in one upload.', R),
  'serve.maxUrlBytes': bytes(8192, '6.11', 'Request line.'),
  'serve.maxHeaderBytes': bytes(16_384, '6.11', 'All header fields together.'),
  'serve.maxJsonDepth': count(64, '6.11', 'Nesting of a JSON body.', R),
  'serve.trustedProxies': texts([], '6.9', 'Addresses or CIDR blocks whose `X-Forwarded-*` fields are honoured.'),
  'serve.idempotencyTtlSeconds': seconds(86_400, '11.6', 'How long an answer is kept for its idempotency key.', R),
  'serve.graphView': choice<'' | 'on' | 'off'>(
    ['', 'on', 'off'],
    '',
    '12.3',
    'The graph page; empty: on outside production.',
  ) as Option<'on' | 'off'>,
  'serve.baseRouteApp': text('app', '12.5', 'Client function mounted at `/`.', idle),

  'run.echoReports': flag(false, '4.4', '`svc start` prints reports to standard output.'),
  'run.compatWarnings': flag(true, '4.4', 'Notes about older idioms, once per place.'),
  'run.connectReturnsList': flag(false, '4.4', 'Connect expressions give lists, as in older programs.'),
  'run.exitOrder': choice(['deferred', 'immediate'], 'deferred', '4.4', 'When exit abilities of a walk run.'),
  'run.forwardNestedReports': flag(true, '4.4', 'Reports of a nested walk also reach the walk that spawned it.'),

  'check.enforceAccess': flag(false, '5.4', 'Use of a private name from another module is an error.'),
  'check.legacy': choice(['allow', 'warn'], 'allow', '5.4', 'Whether older spellings get a warning.'),

  'placement.pins': table(
    {},
    '2.3',
    '`"module"` or `"module.element"`, with `*`, to `"server"` or `"client"` (language).',
  ),

  'storage.storageType': text('local', '16.1', 'Kind of file storage.', { env: ['SVC_STORAGE_TYPE'] }),
  'storage.basePath': text('./storage', '16.1', 'Directory of local file storage.', { env: ['SVC_STORAGE_PATH'] }),
  'storage.createDirs': flag(true, '16.1', 'Create missing directories.', { env: ['SVC_STORAGE_CREATE_DIRS'] }),
  'storage.preferFile': flag(true, '5.1', 'In this table the file comes before the environment.'),

  'storage.s3.bucket': text('', '16.1', 'Bucket of storage type `s3`, which this makes available (decisions/0121).'),
  'storage.s3.prefix': text('', '16.1', 'Beginning of the keys of all files, such as `app/files`.'),
  'storage.s3.region': text('', '16.1', 'Region of the bucket; empty: that of the environment.'),
  'storage.s3.endpoint': text('', '16.1', 'Address of an S3-compatible service other than AWS.'),
  'storage.s3.accessKeyId': text('', '16.1', 'Key; empty: what the environment or the machine’s role gives.', {
    secret: true,
  }),
  'storage.s3.secretAccessKey': text('', '16.1', 'Its secret.', { secret: true }),
  'storage.s3.timeoutMs': milliseconds(30_000, '16.1', 'How long the service may keep silent.'),

  'schema.onIncompatible': choice(
    ['quarantine', 'fail'],
    'quarantine',
    '15.9',
    'What happens to a record that no longer fits its type.',
  ),
  'schema.aliases': table({}, '15.9', 'Old type name to new type name.'),
  'schema.fields': table({}, '15.9', '`Type.old_field` to new field.'),

  responseHeaders: table({ 'X-Content-Type-Options': 'nosniff' }, '6.7', 'Fields added to every response.', {
    toml: 'environments.response.headers',
    reload: true,
  }),

  'client.port': portOrFree(5173, '3.3', 'Port of the client development server.', idle),
  'client.typescript': flag(false, '12.5', 'Check the types of TypeScript files of the client.', idle),
  'client.outDir': text('.svc/client', '12.5', 'Output of the client build, served below `/static/`.'),
  'client.publicDir': text('public', '12.5', 'Folder of files that are served as they are; empty: none.'),
  'client.spaFallback': flag(true, '12.5', 'Unknown pages give the start page.'),
  'client.baseUrl': text('', '12.5', 'Public address of a client that is served from elsewhere.', idle),
  'client.router': choice(['history', 'hash'], 'history', '12.5', 'Where the router keeps the page.', idle),
  'client.paths': table({}, '4.5', 'Names of modules in client code, with `*`, to where they are.', idle),
  'client.appMetaData': table({}, '12.5', 'Members of the page’s head: `title`, `description` …', idle),
  'client.routing.authRedirect': text('/login', '12.5', 'Page for those who are not signed in.', idle),
  'client.vite.plugins': texts([], '4.5', 'Plugins of the bundler, as expressions.', idle),
  'client.vite.libImports': texts([], '4.5', 'Imports those expressions need.', idle),

  'dependencies.npm': table({}, '4.5', 'Packages of client code and their versions.', idle),
  'dependencies.npmDev': table({}, '4.5', 'Packages that only its build needs.', {
    toml: 'dependencies.npm.dev',
    ...idle,
  }),

  'studio.enabled': flag(false, '12.3', 'Serve the studio in production, for administrators.', idle),

  'byllm.defaultModel': text('', '2.14', 'Model of `llm` where a program declares none (language).', {
    env: ['SVC_LLM_MODEL'],
    reload: true,
  }),
  'byllm.baseUrl': text('', '2.14', 'Address of a chat-completions service; empty: that of the model’s provider.', {
    env: ['SVC_LLM_BASE_URL', 'OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    reload: true,
  }),
  'byllm.apiKey': text('', '2.14', 'Key for the service; empty: the provider’s own variable.', {
    env: ['SVC_LLM_API_KEY', 'OPENAI_API_KEY'],
    secret: true,
    reload: true,
  }),
  'byllm.timeoutSeconds': seconds(60, '2.14', 'Longest time for one answer of a model.', R),
  'byllm.maxAttempts': count(4, '2.14', 'Tries of one request that meets 408, 429, 5xx or a broken connection.', R),
  'byllm.backoffMs': milliseconds(500, '2.14', 'First delay between them; doubles, full jitter, at most 8000.', R),
  'byllm.maxRetries': countOrNone(2, '2.14', 'How often a model may correct an answer of the wrong type.', R),
  'byllm.maxToolRounds': count(10, '2.14', 'Rounds of tool calls in one delegated call.', R),
  'byllm.maxAnswerBytes': bytes(4_194_304, '2.14', 'Largest reply of a service.', R),

  'scale.repository': text('', '20.6', 'Git address `--experimental` installs from.', idle),

  'scale.server.host': text('', '5.4', 'Older place of `[serve] host`, which wins.'),
  'scale.server.port': portOrFree(0, '5.4', 'Older place of `[serve] port`, which wins.'),

  'scale.cors.allowOrigins': texts(['*'], '6.8', 'Origins that may call.', R),
  'scale.cors.allowMethods': texts(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    '6.8',
    'Methods they may use.',
    R,
  ),
  'scale.cors.allowHeaders': texts(['*'], '6.8', 'Request header fields they may send.', R),
  'scale.cors.exposeHeaders': texts(
    ['X-Request-ID', 'X-Trace-ID', 'Retry-After', 'Idempotent-Replayed', 'Svc-Auth-Status'],
    '6.8',
    'Response header fields they may read.',
    R,
  ),
  'scale.cors.allowCredentials': flag(false, '6.8', 'Whether cookies may come along.', R),
  'scale.cors.maxAgeSeconds': seconds(600, '6.8', 'How long a browser may remember a preflight answer.', R),

  'scale.rateLimit.enabled': flag(false, '6.11', 'General rate limit; login limits are separate.', R),
  'scale.rateLimit.requestsPerMinute': count(600, '6.11', 'Per user, else per address.', R),
  'scale.rateLimit.burst': count(100, '6.11', 'Requests that may come at once.', R),

  'scale.jwt.secret': text(defaultJwtSecret, '5.5', 'Key of HS tokens; `auto`: random, kept under `.svc/secrets`.', {
    env: ['JWT_SECRET'],
    secret: true,
  }),
  'scale.jwt.algorithm': choice(
    ['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'],
    'HS256',
    '9.4',
    'Signature algorithm.',
    {
      env: ['JWT_ALGORITHM'],
    },
  ),
  'scale.jwt.expDeltaDays': days(7, '9.4', 'Life of a token.', { env: ['JWT_EXP_DELTA_DAYS'] }),
  'scale.jwt.previousSecrets': texts([], '9.4', 'Accepted for verification during rotation.', { secret: true }),
  'scale.jwt.privateKeyFile': text('', '9.4', 'PEM file for RS256, ES256, EdDSA.'),
  'scale.jwt.publicKeyFile': text('', '9.4', 'PEM file for RS256, ES256, EdDSA.'),
  'scale.jwt.issuer': text('svc', '9.4', 'Claim `iss`.'),
  'scale.jwt.leewaySeconds': seconds(30, '9.4', 'Tolerance for clocks that differ.'),
  'scale.jwt.refreshMaxAgeDays': days(30, '9.5', 'A session is refreshed at most this long after its sign-in.'),
  'scale.jwt.refreshRevokesOld': flag(false, '9.5', 'A refresh revokes the token it replaces.'),

  'scale.auth.allowRegistration': flag(true, '9.2', 'Whether `/user/register` is open.', R),
  'scale.auth.autoLoginOnRegister': flag(true, '9.2', 'Registration answers with a token.', R),
  'scale.auth.passwordMinLength': count(8, '9.8', 'Shortest password.', {
    reload: true,
    defaultIn: { development: 1, test: 1 },
  }),
  'scale.auth.passwordMaxLength': count(128, '9.8', 'Longest password.'),
  'scale.auth.passwordHash': choice(
    ['argon2id', 'scrypt'],
    'argon2id',
    '9.8',
    'argon2id falls back to scrypt where its driver is missing.',
  ),
  'scale.auth.loginMaxFailures': count(10, '9.3', 'Failed logins per identity and window.', R),
  'scale.auth.loginWindowSeconds': seconds(900, '9.3', 'Length of that window.', R),
  'scale.auth.loginMaxFailuresPerAddress': count(100, '9.3', 'Failed logins per address and window.', R),
  'scale.auth.sessionCacheSeconds': seconds(30, '9.4', 'How long an account is remembered between requests.', R),
  'scale.auth.admins': texts([], '9.1', 'Identities given the role `admin`.', R),

  'scale.sso.host': text('', '10.1', 'Address of the callback endpoints; empty: `{base_url}/sso`.', {
    env: ['SSO_HOST'],
  }),
  'scale.sso.clientAuthCallbackUrl': text('', '10.5', 'Where the browser is sent after the callback.'),
  'scale.sso.tokenDelivery': choice(['fragment', 'query'], 'fragment', '10.5', 'How the token reaches the client.'),
  'scale.sso.autoRegister': flag(true, '10.4', 'An unknown person gets an account.', R),
  'scale.sso.stateTtlSeconds': seconds(600, '10.3', 'Life of a started sign-in.'),
  'scale.sso.allowLoopbackCallback': flag(true, '10.5', 'Native clients may be called back on a loopback address.'),
  'scale.sso.providers': {
    type: { kind: 'providers' },
    default: {},
    spec: '10.1',
    about: 'One table per provider: `google`, or any other name with an `issuer`.',
    toml: 'plugins.scale.sso',
  },

  'scale.database.store': choice(
    ['', 'sqlite', 'docdb', 'dynamodb'],
    '',
    '15.1',
    'Persistent store; empty: chosen from what is configured.',
  ),
  'scale.database.sqliteFile': text('svc.db', '15.6', 'File under the data directory.'),
  'scale.database.durability': choice(
    ['full', 'normal'],
    'full',
    '15.6',
    'Whether every commit reaches the disk before its answer.',
    {
      defaultIn: { test: 'normal' },
    },
  ),
  'scale.database.docdbUri': text('', '15.7', 'Address of the document database.', {
    env: ['DOCDB_URI'],
    secret: true,
  }),
  'scale.database.docdbName': text('svc', '15.7', 'Name of its database.'),
  'scale.database.kvcacheUrl': text('', '15.8', 'Address of the key-value store.', {
    env: ['KVCACHE_URL'],
    secret: true,
  }),
  'scale.database.cacheTtlSeconds': seconds(300, '15.1', 'Life of a cached record.'),
  'scale.database.connectTimeoutMs': milliseconds(5000, '15.7', 'For opening a connection.'),
  'scale.database.operationTimeoutMs': milliseconds(10_000, '15.7', 'For one operation.'),
  'scale.database.poolSize': count(20, '15.7', 'Connections to the database.'),
  'scale.database.dynamodbTablePrefix': text('', '15.8', 'Prefix of table names; empty: `<app_name>-`.'),
  'scale.database.dynamodbEndpoint': text('', '15.8', 'For local emulators.'),
  'scale.database.maxCommitOperations': count(10_000, '15.4', 'Largest unit of work.'),
  'scale.database.nodeMaxBytes': bytes(1_048_576, '15.3', 'Largest stored object.'),

  'scale.permissions.onDenied': choice(['error', 'warn'], 'error', '14.5', 'What a denied operation does.', R),
  'scale.permissions.traverseRequires': choice(
    ['read', 'connect'],
    'read',
    '14.4',
    'Level that following an edge needs.',
    R,
  ),

  'scale.webhook.secret': text(
    defaultWebhookSecret,
    '11.3',
    'Signing secret accepted besides API keys; never the default.',
    {
      env: ['WEBHOOK_SECRET'],
      secret: true,
    },
  ),
  'scale.webhook.signatureHeader': text('X-Webhook-Signature', '11.2', 'Header field with the signature.'),
  'scale.webhook.verifySignature': flag(true, '11.4', 'Verify signatures of incoming calls.'),
  'scale.webhook.apiKeyExpiryDays': daysOrForever(365, '11.1', 'Life of an API key; 0: permanent.'),
  'scale.webhook.replayToleranceSeconds': seconds(300, '11.5', 'Oldest timestamp accepted.', R),
  'scale.webhook.requireTimestamp': flag(false, '11.5', 'Refuse calls without a timestamp.', R),
  'scale.webhook.requireSigningSecret': flag(false, '11.3', 'Refuse calls signed with an API key.', R),
  'scale.webhook.maxBodyBytes': bytes(1_048_576, '6.11', 'Body of a webhook call.', R),
  'scale.webhook.rateLimitPerMinute': countOrNone(0, '11.2', 'Per key; 0: off.', R),
  'scale.webhook.maxKeysPerUser': count(100, '11.1', 'API keys of one user.', R),

  'scale.websocket.maxMessageBytes': bytes(65_536, '13.8', 'One message.', R),
  'scale.websocket.maxMessagesPerSecond': count(20, '13.8', 'Per connection.', R),
  'scale.websocket.maxConnectionsPerTarget': count(5000, '13.8', 'Connections of one endpoint.', R),
  'scale.websocket.maxConnectionsPerUser': count(10, '13.8', 'Connections of one user per endpoint.', R),
  'scale.websocket.maxAnonymousConnections': count(100, '13.8', 'Connections of guests per endpoint.', R),
  'scale.websocket.queueSize': count(32, '13.4', 'Messages waiting per connection.', R),
  'scale.websocket.executionTimeoutSeconds': seconds(30, '13.4', 'One message’s run.', R),
  'scale.websocket.heartbeatSeconds': seconds(30, '13.6', 'Between pings.', R),
  'scale.websocket.idleSeconds': seconds(90, '13.6', 'Silence before a connection is closed.', R),
  'scale.websocket.authTimeoutSeconds': seconds(10, '13.2', 'For the first message with a token.', R),
  'scale.websocket.sendTimeoutSeconds': seconds(5, '13.7', 'For one frame to leave.', R),
  'scale.websocket.sendBufferBytes': bytes(1_048_576, '13.7', 'Unsent bytes per connection.', R),
  'scale.websocket.allowedOrigins': texts([], '13.1', 'Empty: the rule of `cors.allow_origins`.', R),

  'scale.traverse.maxDepth': count(32, '12.1', 'Deepest traversal.', R),
  'scale.traverse.maxObjects': count(10_000, '12.1', 'Objects in one answer.', R),

  'scale.metrics.enabled': flag(false, '18.1', 'Collect metrics and serve them.'),
  'scale.metrics.endpoint': text('/metrics', '18.1', 'Path of the scrape endpoint.'),
  'scale.metrics.namespace': text('', '18.2', 'Prefix of metric names.'),
  'scale.metrics.walkerMetrics': flag(false, '18.3', 'Time of each walker.'),
  'scale.metrics.histogramBuckets': numbers(
    [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10],
    '18.3',
    'Upper bounds in seconds.',
  ),
  'scale.metrics.token': text('', '18.4', 'Bearer token that scrapers must send.', { secret: true }),
  'scale.metrics.maxPaths': count(200, '18.3', 'Distinct values of the label `path`.'),
  'scale.metrics.processMetrics': flag(true, '18.3', 'Metrics of the process.'),

  'scale.logging.level': choice(['debug', 'info', 'warn', 'error'], 'info', '19.1', 'Lowest level written.', {
    reload: true,
    defaultIn: { test: 'warn' },
  }),
  'scale.logging.format': choice<'' | 'text' | 'json'>(
    ['', 'text', 'json'],
    '',
    '19.1',
    'Empty: json in production or when piped.',
  ) as Option<'text' | 'json'>,
  'scale.logging.accessLog': flag(true, '19.1', 'One record per request.', R),
  'scale.logging.redact': texts([], '19.1', 'Names of further fields whose values are hidden.', R),
  'scale.logging.slowRequestMs': milliseconds(1000, '19.1', 'Requests above this get a warning as well.', R),
  'scale.logging.traceEndpoint': text('', '19.2', 'OTLP/HTTP collector; empty: no export.'),
  'scale.logging.traceSampleRatio': ratio(1, '19.2', 'Share of requests that are traced.'),

  'scale.secrets': table({}, '20.5', 'Environment of the deployed application, kept in its secret store.', {
    secret: true,
    deferred: true,
  }),

  'scale.orchestrator.appName': text('', '20.2', 'Name of the deployment; empty: the project’s name.', {
    env: ['APP_NAME'],
  }),
  'scale.orchestrator.namespace': text('default', '20.2', 'Namespace.', { env: ['ORCH_NAMESPACE'] }),
  'scale.orchestrator.containerPort': port(8000, '20.3', 'Port inside the container.'),
  'scale.orchestrator.nodePort': port(30_001, '20.2', 'Port on the nodes.', { env: ['ORCH_NODE_PORT'] }),
  'scale.orchestrator.replicas': count(1, '20.2', 'Pods.'),
  'scale.orchestrator.cpuRequest': text('', '20.3', 'CPU request.', { env: ['ORCH_CPU_REQUEST'] }),
  'scale.orchestrator.cpuLimit': text('', '20.3', 'CPU limit.', { env: ['ORCH_CPU_LIMIT'] }),
  'scale.orchestrator.memoryRequest': text('', '20.3', 'Memory request.', { env: ['ORCH_MEMORY_REQUEST'] }),
  'scale.orchestrator.memoryLimit': text('', '20.3', 'Memory limit.', { env: ['ORCH_MEMORY_LIMIT'] }),
  'scale.orchestrator.readinessPath': text('/healthz/ready', '20.3', 'Readiness probe.'),
  'scale.orchestrator.readinessInitialDelay': seconds(10, '20.3', 'Its initial delay.', {
    env: ['ORCH_READINESS_INITIAL_DELAY'],
  }),
  'scale.orchestrator.readinessPeriod': seconds(20, '20.3', 'Its period.', { env: ['ORCH_READINESS_PERIOD'] }),
  'scale.orchestrator.livenessPath': text('/healthz/live', '20.3', 'Liveness probe.'),
  'scale.orchestrator.livenessInitialDelay': seconds(10, '20.3', 'Its initial delay.', {
    env: ['ORCH_LIVENESS_INITIAL_DELAY'],
  }),
  'scale.orchestrator.livenessPeriod': seconds(20, '20.3', 'Its period.', { env: ['ORCH_LIVENESS_PERIOD'] }),
  'scale.orchestrator.livenessFailureThreshold': count(80, '20.3', 'Failures before a restart.', {
    env: ['ORCH_LIVENESS_FAILURE_THRESHOLD'],
  }),
  'scale.orchestrator.baseImage': text('node:22-slim', '20.3', 'Image the application runs in without `--build`.'),
  'scale.orchestrator.image': text('', '20.7', 'Skip the build and run this image.'),
  'scale.orchestrator.imagePullSecrets': texts([], '20.3', 'Secrets for pulling images.'),
  'scale.orchestrator.serviceType': choice(
    ['NodePort', 'ClusterIP', 'LoadBalancer'],
    'NodePort',
    '20.2',
    'Kind of service.',
  ),
  'scale.orchestrator.rolloutTimeoutSeconds': seconds(450, '20.8', 'How long to wait for the rollout.', idle),
  'scale.orchestrator.context': text('', '20.1', 'Context of the kubeconfig.', idle),
  'scale.orchestrator.storageSize': text('', '20.2', 'Volume for file storage and SQLite, such as `5Gi`.'),
  'scale.orchestrator.host': text('', '20.2', 'Name under which an Ingress makes the application known.', idle),
  'scale.orchestrator.ingressClass': text('', '20.2', 'Class of that Ingress.', idle),
  'scale.orchestrator.tlsSecret': text('', '20.2', 'Secret with its certificate.', idle),
  'scale.orchestrator.adopt': flag(false, '20.8', 'Take over objects that svc did not create.', idle),
  'scale.orchestrator.env': table({}, '20.3', 'Plain environment of the container.', { deferred: true }),
  'scale.orchestrator.autoscale.min': countOrNone(0, '20.2', 'Fewest pods.', idle),
  'scale.orchestrator.autoscale.max': countOrNone(0, '20.2', 'Most pods; 0: as many as `replicas` says.', idle),
  'scale.orchestrator.autoscale.cpu': countOrNone(
    80,
    '20.2',
    'Load that adds pods, in percent of `cpu_request`.',
    idle,
  ),
  'scale.orchestrator.pluginVersions.core': text('latest', '20.6', 'Version of the language package.'),
  'scale.orchestrator.pluginVersions.scale': text('latest', '20.6', 'Version of this package.'),
  'scale.orchestrator.pluginVersions.client': text('latest', '20.6', 'Version of the client package.'),
  'scale.orchestrator.pluginVersions.llm': text('latest', '20.6', 'Version of the model package; `none` skips it.'),
  'scale.orchestrator.docdb.enabled': flag(false, '20.4', 'Deploy a document database.', { env: ['ORCH_DOCDB'] }),
  'scale.orchestrator.docdb.image': text('mongo:7', '20.4', 'Its image.'),
  'scale.orchestrator.docdb.storageSize': text('5Gi', '20.4', 'Its volume.'),
  'scale.orchestrator.docdb.storageClass': text('', '20.4', 'Storage class of that volume.'),
  'scale.orchestrator.kvcache.enabled': flag(false, '20.4', 'Deploy a key-value store.', { env: ['ORCH_KVCACHE'] }),
  'scale.orchestrator.kvcache.image': text('valkey/valkey:8', '20.4', 'Its image.'),
  'scale.orchestrator.kvcache.storageSize': text('1Gi', '20.4', 'Its volume.'),
  'scale.orchestrator.kvcache.storageClass': text('', '20.4', 'Storage class of that volume.'),

  'scale.registry.kind': choice(['dockerhub', 'ecr', 'gcr'], 'dockerhub', '20.7', 'Kind of image registry.'),
  'scale.registry.repository': text('', '20.7', 'dockerhub: `<user>/<app>`; else the full repository address.'),
  'scale.registry.username': text('', '20.7', 'For pushing.', { env: ['REGISTRY_USERNAME'] }),
  'scale.registry.password': text('', '20.7', 'For pushing.', { env: ['REGISTRY_PASSWORD'], secret: true }),
  'scale.registry.platform': text('linux/amd64', '20.7', 'Platform of the image.'),
  'scale.registry.engine': choice(['', 'docker', 'podman', 'buildah'], '', '20.7', 'Build engine; empty: first found.'),

  'scale.cloud.region': text('', '21.2', 'Region; empty: us-east-1.', { env: ['SVC_CLOUD_REGION', 'AWS_REGION'] }),
  'scale.cloud.stage': text('prod', '21.2', 'Stage.'),
  'scale.cloud.stackName': text('', '21.2', 'Name of the stack; empty: `<app_name>-<stage>`.'),
  'scale.cloud.artifactBucket': text('', '21.2', 'Bucket for packages; empty: created.'),
  'scale.cloud.runtime': text('nodejs22.x', '21.2', 'Function runtime.'),
  'scale.cloud.architecture': choice(['arm64', 'x86_64'], 'arm64', '21.2', 'Processor.'),
  'scale.cloud.memoryMb': count(512, '21.2', 'Memory of a function.'),
  'scale.cloud.timeoutSeconds': seconds(29, '21.2', 'Longest call.'),
  'scale.cloud.websocketTimeoutSeconds': seconds(30, '21.2', 'Longest run for one message.'),
  'scale.cloud.reservedConcurrency': countOrNone(0, '21.2', 'Reserved concurrency; 0: none.'),
  'scale.cloud.logRetentionDays': days(30, '21.2', 'Life of log records.'),
  'scale.cloud.streamFunctionUrl': flag(false, '21.2', 'A function address that can stream.'),
  'scale.cloud.domain': text('', '21.2', 'Own domain name.'),
  'scale.cloud.certificateArn': text('', '21.2', 'Certificate of that domain.'),
  'scale.cloud.env': table({}, '21.5', 'Plain environment of the functions.', { deferred: true }),

  'scale.gcp.project': text('', '21.1', 'Project; empty: that of the credentials.', idle),
  'scale.gcp.region': text('', '21.1', 'Region.', idle),
  'scale.gcp.minInstances': countOrNone(0, '21.1', 'Fewest instances.', idle),
  'scale.gcp.maxInstances': count(10, '21.1', 'Most instances.', idle),
  'scale.gcp.cpu': text('1', '21.1', 'Processors of an instance.', idle),
  'scale.gcp.memory': text('512Mi', '21.1', 'Memory of an instance.', idle),
  'scale.gcp.concurrency': count(80, '21.1', 'Calls an instance takes at once.', idle),
  'scale.gcp.timeoutSeconds': seconds(300, '21.1', 'Longest call.', idle),
  'scale.gcp.cpuAlways': flag(false, '21.1', 'Instances work between calls too.', idle),
  'scale.gcp.public': flag(true, '21.1', 'Anybody may call.', idle),
  'scale.gcp.cloudSqlInstance': text('', '21.1', 'Database instance to connect with.', idle),
  'scale.gcp.vpcConnector': text('', '21.1', 'Connector to a private network.', idle),
  'scale.gcp.serviceAccount': text('', '21.1', 'Account the instances run as; empty: one is made.', idle),
  'scale.gcp.repository': text('svc', '21.1', 'Repository of images.', idle),
};

/** Keys of one `[plugins.scale.sso.<provider>]` table (server.md 10.1). */
export const providerOptions: { readonly [K in keyof SsoProvider]: Option<SsoProvider[K]> } = {
  clientId: text('', '10.1', 'Client id at the provider.'),
  clientSecret: text('', '10.1', 'Client secret at the provider.', { secret: true }),
  scopes: texts(['openid', 'email', 'profile'], '10.1', 'Requested scopes.'),
  issuer: text('', '10.1', 'Issuer of a generic OpenID Connect provider.'),
  displayName: text('', '10.1', 'Name shown to people.'),
  allowPrivateIssuer: flag(false, '10.6', 'The issuer may have a private address.'),
  responseMode: choice(['query', 'form_post'], 'query', '10.1', 'How the provider calls back.'),
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

/** Environment variables of a key in the order they are asked (server.md 5.2). */
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
