/**
 * The stack of the cloud target as osls takes it: `serverless.yml` as data (docs/server/cloud.md#resources). Names like
 * `${self:custom.stack}` are filled in by osls, those like `${AWS::Region}` by CloudFormation.
 */
import type { Config } from '../../core/config/config.ts';
import { domainOutputs, domainParts } from './domain.ts';
import { ownVariables, type Variables } from './environment.ts';
import { type Gateway, httpApi } from './gateways.ts';
import { type FunctionName, type Needs, neededFunctions } from './needs.ts';
import { makeRole, type Part, roleName, stackNames } from './roles.ts';
import { connectionsTable, graphTable, tablePrefix } from './tables.ts';

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
    ...(needs.hasGraphTable ? { GraphTable: graphTable } : {}),
    ...(needs.hasSockets ? { ConnectionsTable: connectionsTable } : {}),
  };
  return {
    service: appName,
    provider: { ...makeProvider(config, needs, common), ...gateway.provider },
    package: { individually: true },
    custom: {
      archives: '.',
      stack: cloud.stackName === usualStack ? '${self:service}-${self:provider.stage}' : cloud.stackName,
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
  const { timeoutSeconds, websocketTimeoutSeconds, reservedConcurrency } = config.scale.cloud;
  const runsProgram = name !== 'sweeper';
  const environment = textsOf(ownVariables(name, config, needs));
  return {
    name: `\${self:custom.stack}-${stackNames[name]}`,
    handler: `handlers/${name}.handler`,
    role: roleName(name),
    timeout: name === 'sweeper' ? sweeperSeconds : name === 'websocket' ? websocketTimeoutSeconds : timeoutSeconds,
    ...(runsProgram && reservedConcurrency > 0 ? { reservedConcurrency } : {}),
    package: { artifact: `\${self:custom.archives}/${name}.zip` },
    ...(Object.keys(environment).length > 0 ? { environment } : {}),
    ...(name === 'http' ? { events: gateway.events } : called[name]),
  };
}

const sweeperSeconds = 30;

/**
 * Events that call each function. The application itself answers preflights and knows callers, so an API has neither
 * CORS nor authorizers.
 */
const called: Readonly<Record<Exclude<FunctionName, 'http'>, Part>> = {
  stream: { url: { invokeMode: 'RESPONSE_STREAM' } },
  webhook: { events: [{ httpApi: 'POST /webhook/{name}' }] },
  websocket: { events: [{ websocket: '$connect' }, { websocket: '$default' }, { websocket: '$disconnect' }] },
  sweeper: { events: [{ schedule: 'rate(5 minutes)' }] },
};

function textsOf(variables: Variables): Part {
  return Object.fromEntries(Object.entries(variables).map(([name, { text }]) => [name, text]));
}
