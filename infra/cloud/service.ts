/**
 * The stack of the cloud target as osls takes it: `serverless.yml` as data (docs/server/cloud.md#resources). Names like
 * `${self:custom.stack}` are filled in by osls, those like `${AWS::Region}` by CloudFormation.
 */
import type { Config } from '../../core/config/config.ts';
import { awsLimits } from '../limits/aws-limits.ts';
import { domainOutputs, domainParts } from './domain.ts';
import { ownVariables, type Variables } from './environment.ts';
import { type Gateway, httpApi } from './gateways.ts';
import { type FunctionName, type Needs, neededFunctions } from './needs.ts';
import { makeRole, type Part, roleName, stackNames } from './roles.ts';
import { connectionsTable, graphTable, liveTable, tablePrefix, toldGraphTable } from './tables.ts';

/** The part of `serverless.yml` in each member. Archives are in the folder `${self:custom.archives}`. */
export interface Service {
  readonly service: string;
  readonly provider: Part;
  readonly package: Part;
  readonly custom: Part;
  readonly functions: Readonly<Record<string, Part>>;
  readonly resources: {
    readonly Resources: Readonly<Record<string, Part>>;
    readonly Outputs: Readonly<Record<string, Part>>;
  };
}

/** `common`: variables all functions have. `gateway`: what calls the http function; only an HTTP API has the application's own name. */
export function makeService(config: Config, needs: Needs, common: Variables, gateway: Gateway = httpApi): Service {
  const { orchestrator, cloud } = config.scale;
  const { appName } = orchestrator;
  const usualStack = `${appName}-${cloud.stage}`;
  const prefix = tablePrefix(config);
  const names = neededFunctions(needs);
  const tables = {
    ...(needs.hasGraphTable ? { GraphTable: needs.hasLive ? toldGraphTable : graphTable } : {}),
    ...(needs.hasSockets ? { ConnectionsTable: connectionsTable } : {}),
    ...(needs.hasLive ? { LiveTable: liveTable } : {}),
  };
  return {
    service: appName,
    provider: { ...makeProvider(config, needs, common), ...gateway.provider },
    package: { individually: true },
    custom: {
      archives: '.',
      stack: cloud.stackName === usualStack ? '${self:service}-${self:provider.stage}' : cloud.stackName,
      ...(needs.hasPages ? { bucket: cloud.artifactBucket || bucketOfOsls } : {}),
      tables: prefix === `${cloud.stackName}-` ? '${self:custom.stack}-' : prefix,
    },
    functions: Object.fromEntries(names.map((name) => [stackNames[name], makeFunction(name, config, needs, gateway)])),
    resources: {
      Resources: {
        ...Object.fromEntries(names.map((name) => [roleName(name), makeRole(name, needs)])),
        ...tables,
        ...(gateway === httpApi ? domainParts(cloud) : {}),
      },
      Outputs: gateway === httpApi ? domainOutputs(cloud) : {},
    },
  };
}

/** The bucket that osls makes for archives, in texts of `Fn::Sub`. */
const bucketOfOsls = '${ServerlessDeploymentBucket}';

function makeProvider(config: Config, needs: Needs, common: Variables): Part {
  const { cloud } = config.scale;
  return {
    name: 'aws',
    runtime: cloud.runtime,
    architecture: cloud.architecture,
    memorySize: cloud.memoryMb,
    region: `\${env:AWS_REGION, '${cloud.region}'}`,
    stage: `\${opt:stage, '${cloud.stage}'}`,
    stackName: '${self:custom.stack}',
    ...(cloud.artifactBucket === '' ? {} : { deploymentBucket: { name: cloud.artifactBucket } }),
    logRetentionInDays: cloud.logRetentionDays,
    ...(needs.hasSockets ? { websocketsApiRouteSelectionExpression: '$request.body.action' } : {}),
    stackTags: { managed: 'svc-scale' },
    versionFunctions: false,
    environment: textsOf(common),
  };
}

function makeFunction(name: FunctionName, config: Config, needs: Needs, gateway: Gateway): Part {
  const { reservedConcurrency } = config.scale.cloud;
  const runsProgram = name !== 'sweeper';
  const environment = textsOf(ownVariables(name, config, needs));
  return {
    name: `\${self:custom.stack}-${stackNames[name]}`,
    handler: `handlers/${name}.handler`,
    role: roleName(name),
    timeout: timeoutOf(name, config, gateway),
    ...(runsProgram && reservedConcurrency > 0 ? { reservedConcurrency } : {}),
    package: { artifact: `\${self:custom.archives}/${name}.zip` },
    ...(Object.keys(environment).length > 0 ? { environment } : {}),
    ...(name === 'http' ? { events: gateway.events } : name === 'live' ? { events: toldEvents(needs) } : called[name]),
  };
}

/** Seconds that an event of a function may take: no more than the gateway waits, so that it is the application that says 504. */
export function timeoutOf(name: FunctionName, { scale: { cloud } }: Config, gateway: Gateway = httpApi): number {
  if (name === 'sweeper') return sweeperSeconds;
  if (name === 'live') return liveSeconds;
  if (name === 'websocket') return cloud.websocketTimeoutSeconds;
  const isWaitedFor = gateway === httpApi && name !== 'stream';
  return isWaitedFor ? Math.min(cloud.timeoutSeconds, awsLimits.gatewaySeconds.value) : cloud.timeoutSeconds;
}

const sweeperSeconds = 30;
/** A batch of changes may concern many. */
const liveSeconds = 120;

/** Streams that the function is called for, with what it can use of them: the first letters of keys (docs/server/cloud.md#live). */
export function followedStreams({ hasGraphTable }: Pick<Needs, 'hasGraphTable'>): readonly FollowedStream[] {
  return [
    ...(hasGraphTable ? [{ table: 'GraphTable', pattern: ofGraph }] : []),
    { table: 'LiveTable', pattern: ofTopics },
  ];
}

export interface FollowedStream {
  readonly table: string;
  readonly pattern: Part;
}

const startsWith = (...texts: readonly string[]) => texts.map((prefix) => ({ prefix }));
const ofGraph = {
  dynamodb: { Keys: { pk: { S: [...startsWith('N#', 'E#', 'U#', 'J#'), 'R'] }, sk: { S: ['A', '#'] } } },
};
const ofTopics = {
  eventName: ['INSERT'],
  dynamodb: { Keys: { pk: { S: startsWith('T#') }, sk: { S: startsWith('M#', 'X#') } } },
};

/** Settings of how changes are told: at once, together with those that are there already; for an hour again when it did not work. */
export const telling = { batchSize: 100, attempts: 20, ageSeconds: 3600 };

function toldEvents(needs: Needs): Part[] {
  const { batchSize, attempts, ageSeconds } = telling;
  return [
    ...followedStreams(needs).map(({ table, pattern }) => ({
      stream: {
        type: 'dynamodb',
        arn: { 'Fn::GetAtt': [table, 'StreamArn'] },
        batchSize,
        startingPosition: 'LATEST',
        maximumRetryAttempts: attempts,
        maximumRecordAgeInSeconds: ageSeconds,
        bisectBatchOnFunctionError: true,
        filterPatterns: [pattern],
      },
    })),
    { schedule: 'rate(1 minute)' },
  ];
}

/**
 * Events that call each function. The application itself answers preflights and knows callers, so an API has neither
 * CORS nor authorizers.
 */
const called: Readonly<Record<Exclude<FunctionName, 'http' | 'live'>, Part>> = {
  stream: { url: { invokeMode: 'RESPONSE_STREAM' } },
  webhook: { events: [{ httpApi: 'POST /webhook/{name}' }] },
  websocket: { events: [{ websocket: '$connect' }, { websocket: '$default' }, { websocket: '$disconnect' }] },
  sweeper: { events: [{ schedule: 'rate(5 minutes)' }] },
};

function textsOf(variables: Variables): Part {
  return Object.fromEntries(Object.entries(variables).map(([name, { text }]) => [name, text]));
}
