/**
 * Facts of the discovery documents of the services that a deployment asks, as far as it sends them: Cloud Run v2, Artifact Registry v1, Secret Manager
 * v1, IAM v1, Logging v2, Service Usage v1 and Cloud Resource Manager v1, in their state of 2025 (`https://run.googleapis.com/$discovery/rest?version=v2`
 * and so on). A type is `string`, `int32`, `bool`, `duration`, `bytes`, `map`, `=A|B` for an enumeration, the name of another schema, or any of these in
 * `[…]`; `!` marks what is required. Everything else in a body is refused, as the services do.
 */
export type Schema = Readonly<Record<string, string>>;

export const schemas: Readonly<Record<string, Schema>> = {
  Service: {
    name: 'string',
    description: 'string',
    labels: 'map',
    annotations: 'map',
    client: 'string',
    ingress: '=INGRESS_TRAFFIC_ALL|INGRESS_TRAFFIC_INTERNAL_ONLY|INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER',
    invokerIamDisabled: 'bool',
    defaultUriDisabled: 'bool',
    customAudiences: '[string]',
    template: 'RevisionTemplate',
    traffic: '[TrafficTarget]',
    etag: 'string',
  },
  RevisionTemplate: {
    revision: 'string',
    labels: 'map',
    annotations: 'map',
    scaling: 'RevisionScaling',
    vpcAccess: 'VpcAccess',
    timeout: 'duration',
    serviceAccount: 'string',
    containers: '[Container]!',
    volumes: '[Volume]',
    executionEnvironment: '=EXECUTION_ENVIRONMENT_GEN1|EXECUTION_ENVIRONMENT_GEN2',
    maxInstanceRequestConcurrency: 'int32',
    sessionAffinity: 'bool',
    healthCheckDisabled: 'bool',
  },
  RevisionScaling: { minInstanceCount: 'int32', maxInstanceCount: 'int32' },
  VpcAccess: { connector: 'string', egress: '=ALL_TRAFFIC|PRIVATE_RANGES_ONLY' },
  Container: {
    name: 'string',
    image: 'string!',
    command: '[string]',
    args: '[string]',
    env: '[EnvVar]',
    resources: 'ResourceRequirements',
    ports: '[ContainerPort]',
    volumeMounts: '[VolumeMount]',
    workingDir: 'string',
    livenessProbe: 'Probe',
    startupProbe: 'Probe',
  },
  EnvVar: { name: 'string!', value: 'string', valueSource: 'EnvVarSource' },
  EnvVarSource: { secretKeyRef: 'SecretKeySelector' },
  SecretKeySelector: { secret: 'string!', version: 'string' },
  ResourceRequirements: { limits: 'map', cpuIdle: 'bool', startupCpuBoost: 'bool' },
  ContainerPort: { name: '=http1|h2c', containerPort: 'int32' },
  VolumeMount: { name: 'string!', mountPath: 'string!' },
  Volume: { name: 'string!', cloudSqlInstance: 'CloudSqlInstance' },
  CloudSqlInstance: { instances: '[string]' },
  Probe: {
    initialDelaySeconds: 'int32',
    timeoutSeconds: 'int32',
    periodSeconds: 'int32',
    failureThreshold: 'int32',
    httpGet: 'HTTPGetAction',
  },
  HTTPGetAction: { path: 'string', port: 'int32' },
  TrafficTarget: {
    type: '=TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST|TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION',
    revision: 'string',
    percent: 'int32',
    tag: 'string',
  },
  SetIamPolicyRequest: { policy: 'Policy!', updateMask: 'string' },
  GetIamPolicyRequest: { options: 'GetPolicyOptions' },
  GetPolicyOptions: { requestedPolicyVersion: 'int32' },
  Policy: { version: 'int32', bindings: '[Binding]', etag: 'bytes' },
  Binding: { role: 'string!', members: '[string]!', condition: 'Expr' },
  Expr: { title: 'string', description: 'string', expression: 'string' },
  TestIamPermissionsRequest: { permissions: '[string]!' },
  Repository: { format: '=DOCKER|NPM|MAVEN', description: 'string', labels: 'map', mode: '=STANDARD_REPOSITORY' },
  Secret: { replication: 'Replication!', labels: 'map', annotations: 'map' },
  Replication: { automatic: 'Automatic' },
  Automatic: {},
  AddSecretVersionRequest: { payload: 'SecretPayload!' },
  SecretPayload: { data: 'bytes!', dataCrc32c: 'string' },
  DestroySecretVersionRequest: { etag: 'string' },
  CreateServiceAccountRequest: { accountId: 'string!', serviceAccount: 'ServiceAccount' },
  ServiceAccount: { displayName: 'string', description: 'string' },
  ListLogEntriesRequest: {
    resourceNames: '[string]!',
    filter: 'string',
    orderBy: '=timestamp asc|timestamp desc',
    pageSize: 'int32',
    pageToken: 'string',
  },
  BatchEnableServicesRequest: { serviceIds: '[string]!' },
};

/** Gives what is wrong with a body, in the words of the services; undefined: nothing. */
export function problemOf(body: unknown, type: string, at = 'body'): string | undefined {
  const [, list, inner = type] = /^(\[)(.+)\]$/.exec(type.replace(/!$/, '')) ?? [];
  if (list !== undefined) {
    if (!Array.isArray(body)) return `Invalid value at '${at}', not a list`;
    return first(body.map((item, i) => problemOf(item, inner, `${at}[${i}]`)));
  }
  const name = type.replace(/!$/, '');
  if (name.startsWith('='))
    return typeof body === 'string' && name.slice(1).split('|').includes(body)
      ? undefined
      : `Invalid value at '${at}', ${JSON.stringify(body)}`;
  if (name in scalars) return scalars[name]!(body) ? undefined : `Invalid value at '${at}' (${name})`;
  const schema = schemas[name]!;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return `Invalid value at '${at}', no object`;
  const unknown = Object.keys(body).find((key) => schema[key] === undefined);
  if (unknown !== undefined)
    return `Invalid JSON payload received. Unknown name "${unknown}" at '${at}': Cannot find field.`;
  const missing = Object.keys(schema).find((key) => schema[key]!.endsWith('!') && !(key in body));
  if (missing !== undefined) return `'${at}.${missing}' is required`;
  return first(Object.entries(body).map(([key, value]) => problemOf(value, schema[key]!, `${at}.${key}`)));
}

const scalars: Readonly<Record<string, (value: any) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  int32: (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  duration: (value) => /^\d+(\.\d{1,9})?s$/.test(value),
  bytes: (value) => typeof value === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value),
  map: (value) =>
    typeof value === 'object' && !Array.isArray(value) && Object.values(value).every((one) => typeof one === 'string'),
};

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
