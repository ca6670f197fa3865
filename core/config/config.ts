/**
 * Everything that can be configured (docs/server/configuration.md#tables), resolved and validated. Keys are the
 * camel-case form of those in `svc.toml`;
 * `[plugins.scale.x]` is `config.scale.x`. The rules of each key (default, range, environment name) are rows of `options.ts`,
 * which must name exactly the leaves of this type.
 */
export interface Config {
  readonly mode: Mode;
  /** Active `[environments.<profile>]`, if any. */
  readonly profile: string | undefined;
  /** Directory of `svc.toml`, or of the application file when there is none. Absolute. */
  readonly projectDir: string;
  /** Folder of the embedded store (`.svc/data` or `SVC_DATA_PATH`). Absolute. */
  readonly dataDir: string;
  readonly project: {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly entryPoint: string;
  };
  readonly serve: ServeConfig;
  readonly run: {
    readonly echoReports: boolean;
    readonly compatWarnings: boolean;
    readonly connectReturnsList: boolean;
    readonly exitOrder: 'deferred' | 'immediate';
    readonly forwardNestedReports: boolean;
  };
  readonly check: {
    readonly enforceAccess: boolean;
    readonly legacy: 'allow' | 'warn';
  };
  /**
   * Placement of declarations whatever their marks say: `module` or `module.element`, with `*` -> `server` or `client`.
   */
  readonly placement: { readonly pins: TextTable };
  readonly storage: {
    readonly storageType: string;
    /** Path as written; relative ones count from `projectDir`. */
    readonly basePath: string;
    readonly createDirs: boolean;
    readonly preferFile: boolean;
    readonly s3: {
      /** '' when storage type `s3` is not available. */
      readonly bucket: string;
      readonly prefix: string;
      readonly region: string;
      readonly endpoint: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly timeoutMs: number;
    };
  };
  readonly schema: {
    readonly onIncompatible: 'quarantine' | 'fail';
    /** Old type name -> new type name. */
    readonly aliases: TextTable;
    /** `Type.old_field` -> new field. */
    readonly fields: TextTable;
  };
  /** `[environments.response.headers]`: added to every response. */
  readonly responseHeaders: TextTable;
  readonly client: {
    readonly port: number;
    readonly typescript: boolean;
    readonly outDir: string;
    readonly publicDir: string;
    readonly spaFallback: boolean;
    /** Address of the API for pages that another host serves. */
    readonly baseUrl: string;
    /** `auto`: behind `#` for programs that show `HashRouter` or import the runtime by its early name, else `history`. */
    readonly router: 'auto' | 'history' | 'hash';
    readonly routing: { readonly authRedirect: string };
    /** Names of modules in client code -> where they are. */
    readonly paths: TextTable;
    readonly vite: {
      readonly plugins: readonly string[];
      readonly libImports: readonly string[];
      /** Names in client code -> expressions that stand for them. */
      readonly define: TextTable;
    };
    /** Settings of tools, as their own files `postcss.config.js` and `tailwind.config.js` would have them. */
    readonly configs: { readonly postcss: AnyTable; readonly tailwind: AnyTable };
    /** Members of the page's head: `title`, `description` … */
    readonly appMetaData: TextTable;
  };
  /** Packages of client code and their versions. */
  readonly dependencies: { readonly npm: TextTable; readonly npmDev: TextTable };
  readonly studio: {
    readonly enabled: boolean;
    /** Share of the calls that production records, from 0 to 1. */
    readonly sample: number;
  };
  /** Models behind `by` (docs/language/delegation.md#by). */
  readonly byllm: ByllmConfig;
  readonly scale: ScaleConfig;
}

export interface ByllmConfig {
  /** Model of the ambient `llm` and of `Model()` without a name. */
  readonly defaultModel: string;
  /** Address of a chat-completions service, up to and without `/chat/completions`. Empty: that of the model's provider. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutSeconds: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly maxRetries: number;
  readonly maxToolRounds: number;
  readonly maxAnswerBytes: number;
}

export type Mode = 'development' | 'production' | 'test';
export type TextTable = Readonly<Record<string, string>>;
export type AnyTable = Readonly<Record<string, unknown>>;

export interface ServeConfig {
  readonly host: string;
  readonly port: number;
  /** 0: one per CPU. */
  readonly workers: number;
  /** Public address without a trailing slash; empty: `http://localhost:<port>`. */
  readonly baseUrl: string;
  readonly mirrorFields: boolean;
  readonly rootWalkerAlias: boolean;
  /** Functions that are endpoints: those marked for it, or all. */
  readonly functions: 'marked' | 'all';
  readonly healthEndpoints: boolean;
  readonly docsEnabled: boolean;
  readonly serializePrivate: boolean;
  readonly onConflict: 'retry' | 'fail';
  readonly conflictMaxAttempts: number;
  readonly conflictBackoffMs: number;
  readonly conflictLeaseMs: number;
  readonly isolation: 'serializable' | 'merge';
  readonly requestTimeoutSeconds: number;
  readonly drainDelaySeconds: number;
  readonly drainTimeoutSeconds: number;
  readonly keepaliveSeconds: number;
  readonly maxConnections: number;
  readonly maxConcurrent: number;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  readonly maxFileBytes: number;
  readonly maxUploadFiles: number;
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxJsonDepth: number;
  /** Addresses or CIDR blocks. */
  readonly trustedProxies: readonly string[];
  readonly idempotencyTtlSeconds: number;
  /** Resolved: never empty. */
  readonly graphView: 'on' | 'off';
  readonly baseRouteApp: string;
}

export interface ScaleConfig {
  /** Git address `--experimental` installs from; empty: none. */
  readonly repository: string;
  /** The older place of host and port, already applied to `serve`. */
  readonly server: { readonly host: string; readonly port: number };
  readonly cors: {
    readonly allowOrigins: readonly string[];
    readonly allowMethods: readonly string[];
    readonly allowHeaders: readonly string[];
    readonly exposeHeaders: readonly string[];
    readonly allowCredentials: boolean;
    readonly maxAgeSeconds: number;
  };
  readonly rateLimit: {
    readonly enabled: boolean;
    readonly requestsPerMinute: number;
    readonly burst: number;
  };
  readonly jwt: {
    /** `auto`: a random one under `.svc/secrets`. May be the built-in default outside production. */
    readonly secret: string;
    readonly algorithm: 'HS256' | 'HS384' | 'HS512' | 'RS256' | 'ES256' | 'EdDSA';
    readonly expDeltaDays: number;
    readonly previousSecrets: readonly string[];
    readonly privateKeyFile: string;
    readonly publicKeyFile: string;
    readonly issuer: string;
    readonly leewaySeconds: number;
    readonly refreshMaxAgeDays: number;
    readonly refreshRevokesOld: boolean;
  };
  readonly auth: {
    readonly allowRegistration: boolean;
    readonly autoLoginOnRegister: boolean;
    readonly passwordMinLength: number;
    readonly passwordMaxLength: number;
    readonly passwordHash: 'argon2id' | 'scrypt';
    readonly loginMaxFailures: number;
    readonly loginWindowSeconds: number;
    readonly loginMaxFailuresPerAddress: number;
    readonly sessionCacheSeconds: number;
    readonly admins: readonly string[];
  };
  readonly sso: {
    /** Empty: `{base_url}/sso`. */
    readonly host: string;
    readonly clientAuthCallbackUrl: string;
    readonly tokenDelivery: 'fragment' | 'query';
    readonly autoRegister: boolean;
    readonly stateTtlSeconds: number;
    readonly allowLoopbackCallback: boolean;
    /** Providers by name; `google` is always there, configured or not. */
    readonly providers: Readonly<Record<string, SsoProvider>>;
  };
  readonly database: {
    readonly store: '' | 'sqlite' | 'postgres' | 'docdb' | 'dynamodb';
    readonly sqliteFile: string;
    readonly durability: 'full' | 'normal';
    readonly databaseUrl: string;
    readonly docdbUri: string;
    readonly docdbName: string;
    readonly kvcacheUrl: string;
    readonly cacheTtlSeconds: number;
    readonly connectTimeoutMs: number;
    readonly operationTimeoutMs: number;
    readonly poolSize: number;
    readonly dynamodbTablePrefix: string;
    readonly dynamodbEndpoint: string;
    readonly maxCommitOperations: number;
    readonly nodeMaxBytes: number;
  };
  readonly permissions: {
    readonly onDenied: 'error' | 'warn';
    readonly traverseRequires: 'read' | 'connect';
  };
  readonly webhook: {
    /** Empty when not configured: the built-in default is never used for verification in production. */
    readonly secret: string;
    readonly signatureHeader: string;
    readonly verifySignature: boolean;
    readonly apiKeyExpiryDays: number;
    readonly replayToleranceSeconds: number;
    readonly requireTimestamp: boolean;
    readonly requireSigningSecret: boolean;
    readonly maxBodyBytes: number;
    readonly rateLimitPerMinute: number;
    readonly maxKeysPerUser: number;
  };
  /** Topics (docs/server/topics.md). */
  readonly live: {
    readonly maxPerConnection: number;
    readonly maxPerUser: number;
    readonly runTimeoutSeconds: number;
    readonly maxResultBytes: number;
    readonly minIntervalMs: number;
    readonly topicBufferMessages: number;
    readonly topicBufferBytes: number;
    readonly topicBufferSeconds: number;
    readonly maxTopicsPerConnection: number;
  };
  readonly websocket: {
    readonly maxMessageBytes: number;
    readonly maxMessagesPerSecond: number;
    readonly maxConnectionsPerTarget: number;
    readonly maxConnectionsPerUser: number;
    readonly maxAnonymousConnections: number;
    readonly queueSize: number;
    readonly executionTimeoutSeconds: number;
    readonly heartbeatSeconds: number;
    readonly idleSeconds: number;
    readonly authTimeoutSeconds: number;
    readonly sendTimeoutSeconds: number;
    readonly sendBufferBytes: number;
    readonly allowedOrigins: readonly string[];
  };
  readonly traverse: { readonly maxDepth: number; readonly maxObjects: number };
  readonly metrics: {
    readonly enabled: boolean;
    readonly endpoint: string;
    /** Resolved: never empty (docs/server/observability.md#metric-names). */
    readonly namespace: string;
    readonly walkerMetrics: boolean;
    readonly histogramBuckets: readonly number[];
    readonly token: string;
    readonly maxPaths: number;
    readonly processMetrics: boolean;
  };
  readonly logging: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    /** Resolved: never empty. */
    readonly format: 'text' | 'json';
    readonly accessLog: boolean;
    readonly redact: readonly string[];
    readonly slowRequestMs: number;
    readonly traceEndpoint: string;
    readonly traceSampleRatio: number;
  };
  /** Unresolved: `${NAME}` references are filled in when deploying. */
  readonly secrets: TextTable;
  readonly orchestrator: OrchestratorConfig;
  readonly registry: {
    readonly kind: 'dockerhub' | 'ecr' | 'gcr';
    readonly repository: string;
    readonly username: string;
    readonly password: string;
    readonly platform: string;
    readonly engine: '' | 'docker' | 'podman' | 'buildah';
  };
  readonly cloud: {
    readonly region: string;
    readonly stage: string;
    readonly stackName: string;
    readonly artifactBucket: string;
    readonly baseImage: string;
    readonly runtime: string;
    readonly architecture: 'arm64' | 'x86_64';
    readonly memoryMb: number;
    readonly timeoutSeconds: number;
    readonly websocketTimeoutSeconds: number;
    readonly reservedConcurrency: number;
    readonly logRetentionDays: number;
    readonly checkRights: boolean;
    readonly live: boolean;
    readonly streamFunctionUrl: boolean;
    readonly domain: string;
    readonly certificateArn: string;
    readonly env: TextTable;
  };
  /** Google Cloud (docs/server/google-cloud.md#settings). */
  readonly gcp: {
    readonly project: string;
    readonly region: string;
    readonly minInstances: number;
    readonly maxInstances: number;
    readonly cpu: string;
    readonly memory: string;
    readonly concurrency: number;
    readonly timeoutSeconds: number;
    readonly cpuAlways: boolean;
    readonly public: boolean;
    readonly cloudSqlInstance: string;
    readonly vpcConnector: string;
    readonly serviceAccount: string;
    readonly repository: string;
    readonly env: TextTable;
  };
}

export interface SsoProvider {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly issuer: string;
  readonly displayName: string;
  readonly allowPrivateIssuer: boolean;
  readonly responseMode: 'query' | 'form_post';
}

export interface OrchestratorConfig {
  /** Resolved: `APP_NAME`, else the project's name, else `svc-app`. */
  readonly appName: string;
  readonly namespace: string;
  readonly containerPort: number;
  readonly nodePort: number;
  readonly replicas: number;
  readonly cpuRequest: string;
  readonly cpuLimit: string;
  readonly memoryRequest: string;
  readonly memoryLimit: string;
  readonly readinessPath: string;
  readonly readinessInitialDelay: number;
  readonly readinessPeriod: number;
  readonly livenessPath: string;
  readonly livenessInitialDelay: number;
  readonly livenessPeriod: number;
  readonly livenessFailureThreshold: number;
  readonly baseImage: string;
  readonly image: string;
  readonly imagePullSecrets: readonly string[];
  readonly serviceType: 'NodePort' | 'ClusterIP' | 'LoadBalancer';
  readonly rolloutTimeoutSeconds: number;
  readonly context: string;
  readonly storageSize: string;
  /** Name under which an Ingress makes the application known; empty: no Ingress. */
  readonly host: string;
  readonly ingressClass: string;
  readonly tlsSecret: string;
  /** Pods by load; `max` 0: as many as `replicas` says. `cpu` in percent of the request. */
  readonly autoscale: { readonly min: number; readonly max: number; readonly cpu: number };
  readonly adopt: boolean;
  readonly env: TextTable;
  readonly pluginVersions: {
    readonly core: string;
    readonly scale: string;
    readonly client: string;
    readonly llm: string;
  };
  readonly docdb: ComponentConfig;
  readonly kvcache: ComponentConfig;
}

export interface ComponentConfig {
  readonly enabled: boolean;
  readonly image: string;
  readonly storageSize: string;
  readonly storageClass: string;
}

/** Dotted path of every leaf that a row of the option table describes: `serve.port`, `scale.jwt.secret` … */
export type ConfigPath = LeafPath<Omit<Config, 'mode' | 'profile' | 'projectDir' | 'dataDir'>>;

/** Type of the value at a path. */
export type ConfigValue<Path extends string, From = Config> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof From
    ? ConfigValue<Rest, From[Head]>
    : never
  : Path extends keyof From
    ? From[Path]
    : never;

type LeafPath<T> = {
  [K in keyof T & string]: T[K] extends readonly unknown[] | string | number | boolean
    ? K
    : string extends keyof T[K]
      ? K
      : `${K}.${LeafPath<T[K]>}`;
}[keyof T & string];
