/**
 * The stack as one template of CloudFormation: what osls makes of `serverless.yml`, under the same logical names, without osls. Where the
 * archives are is a parameter, and an image is in the account's own registry, so the same application gives the same template in every account.
 */
import type { Config } from '../../core/config/config.ts';
import { ownVariables, type Variables } from './environment.ts';
import { type FunctionName, type Needs, neededFunctions } from './needs.ts';
import { type Part, roleName, stackNames } from './roles.ts';
import { followedStreams, makeService, telling, timeoutOf } from './service.ts';
import { tablePrefix } from './tables.ts';

export interface Template {
  readonly AWSTemplateFormatVersion: '2010-09-09';
  readonly Description: string;
  /** Absent when the functions are in an image and read no files of pages. */
  readonly Parameters?: Readonly<Record<string, Part>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, Part>>;
}

export interface Resource extends Part {
  readonly Type: string;
  readonly Properties: Part;
}

export interface TemplateRequest {
  readonly config: Config;
  readonly needs: Needs;
  /** Variables that all functions have. */
  readonly common: Variables;
  readonly code: FunctionCode;
}

export type FunctionCode =
  /** Key of each function's archive in the artifact bucket. */
  | { readonly archives: Readonly<Partial<Record<FunctionName, string>>> }
  /** One image for all functions: `demo-prod@sha256:…`, in the registry of the account. */
  | { readonly image: string };

/** Name of the parameter with the bucket of the archives. */
export const bucketParameter = 'ArtifactBucket';

const bucketParameters = {
  [bucketParameter]: { Type: 'String', Description: 'Bucket with the archives of the functions, and files of pages' },
};

/** Names of the outputs with the addresses of a stack; the values of the last one have no scheme. */
export const outputs = { http: 'HttpApiUrl', stream: 'StreamLambdaFunctionUrl', socket: 'ServiceEndpointWebsocket' };

export function makeTemplate(request: TemplateRequest): Template {
  const { config, needs, common } = request;
  const { appName } = config.scale.orchestrator;
  const names = neededFunctions(needs);
  const { Resources: own, Outputs: further } = makeService(config, needs, common).resources;
  const given = filled(own, config) as Readonly<Record<string, Resource>>;
  const others = Object.entries(given).filter(([name]) => !names.some((one) => roleName(one) === name));
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `${appName}, a svc-scale application`,
    ...('image' in request.code && !needs.hasPages ? {} : { Parameters: bucketParameters }),
    Resources: {
      ...Object.assign({}, ...names.map((name) => functionParts(name, request, given[roleName(name)]!))),
      ...httpApi(config, needs),
      ...(needs.hasSockets ? socketApi(config) : {}),
      ...(needs.streams ? streamParts : {}),
      ...(needs.hasLive ? liveParts(needs) : {}),
      ...(names.includes('sweeper') ? clockParts('sweeper', 'rate(5 minutes)') : {}),
      ...Object.fromEntries(others),
    },
    Outputs: {
      [outputs.http]: { Value: joined('https://', ref('HttpApi'), ...gateway) },
      ...(needs.hasSockets ? { [outputs.socket]: { Value: socketAddress(config) } } : {}),
      ...(needs.streams ? { [outputs.stream]: { Value: attribute('StreamLambdaFunctionUrl', 'FunctionUrl') } } : {}),
      ...further,
    },
  };
}

/** The log group, the role and the function itself. */
function functionParts(name: FunctionName, request: TemplateRequest, role: Resource): Record<string, Resource> {
  const { config, needs, common, code } = request;
  const { cloud } = config.scale;
  const full = `${cloud.stackName}-${stackNames[name]}`;
  const isSweeper = name === 'sweeper';
  const variables = { ...common, ...ownVariables(name, config, needs) };
  return {
    [logical(name, 'LogGroup')]: {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: logGroup(full), RetentionInDays: cloud.logRetentionDays },
    },
    [roleName(name)]: role,
    [functionId(name)]: {
      Type: 'AWS::Lambda::Function',
      // Else the function's first call would make a group that keeps its lines for ever.
      DependsOn: logical(name, 'LogGroup'),
      Properties: {
        ...kindOf(name, full, request),
        Architectures: [cloud.architecture],
        MemorySize: cloud.memoryMb,
        Timeout: timeoutOf(name, config),
        ...(isSweeper || cloud.reservedConcurrency === 0
          ? {}
          : { ReservedConcurrentExecutions: cloud.reservedConcurrency }),
        Role: attribute(roleName(name), 'Arn'),
        Code:
          'image' in code
            ? { ImageUri: joined(...registry, code.image) }
            : { S3Bucket: ref(bucketParameter), S3Key: code.archives[name] ?? '' },
        Environment: {
          Variables: Object.fromEntries(
            Object.entries(variables).map(([key, { text, value }]) => [
              key,
              typeof text === 'string' ? value : filled(text, config),
            ]),
          ),
        },
      },
    },
  };
}

function kindOf(name: FunctionName, full: string, { config, code }: TemplateRequest): Part {
  if ('archives' in code)
    return { FunctionName: full, Handler: `handlers/${name}.handler`, Runtime: config.scale.cloud.runtime };
  return {
    // A function of an archive never becomes one of an image. Under another name the stack makes it while the first one serves.
    FunctionName: `${full}-image`,
    PackageType: 'Image',
    ImageConfig: { Command: [imageHandler(name)] },
    LoggingConfig: { LogGroup: logGroup(full) },
  };
}

function logGroup(full: string): string {
  return `/aws/lambda/${full}`;
}

/** Gives the image of a template's functions, `demo-prod@sha256:…`; undefined when they are archives. */
export function imageOf({ Resources }: Pick<Template, 'Resources'>): string | undefined {
  for (const { Properties } of Object.values(Resources)) {
    const { ImageUri } = (Properties?.['Code'] ?? {}) as {
      readonly ImageUri?: { readonly 'Fn::Join': [string, unknown[]] };
    };
    if (ImageUri !== undefined) return String(ImageUri['Fn::Join'][1].at(-1));
  }
  return undefined;
}

/** Handler of a function in the image that holds all of them, each in a folder of its own. */
export function imageHandler(name: FunctionName): string {
  return `${name}/handlers/${name}.handler`;
}

/** The application answers preflights and knows its callers, so the API has neither CORS nor authorizers. */
function httpApi(config: Config, { hasWebhooks }: Needs): Record<string, Resource> {
  const { appName } = config.scale.orchestrator;
  return {
    HttpApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: `${config.scale.cloud.stage}-${appName}`, ProtocolType: 'HTTP' },
    },
    HttpApiStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId: ref('HttpApi'),
        StageName: '$default',
        AutoDeploy: true,
        DefaultRouteSettings: { DetailedMetricsEnabled: false },
      },
    },
    ...httpRoutes('http', { HttpApiRouteAnyProxyVar: 'ANY /{proxy+}', HttpApiRouteAny: 'ANY /' }),
    ...(hasWebhooks ? httpRoutes('webhook', { HttpApiRoutePostWebhookNameVar: 'POST /webhook/{name}' }) : {}),
  };
}

function httpRoutes(name: FunctionName, routes: Readonly<Record<string, string>>): Record<string, Resource> {
  const integration = `HttpApiIntegration${short(name)}`;
  return {
    [logical(name, 'LambdaPermissionHttpApi')]: permission(name, 'apigateway.amazonaws.com', {
      SourceArn: joined('arn:', ref('AWS::Partition'), ':execute-api:', ...here, ref('HttpApi'), '/*'),
    }),
    [integration]: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: ref('HttpApi'),
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: attribute(functionId(name), 'Arn'),
        PayloadFormatVersion: '2.0',
        TimeoutInMillis: 30_000,
      },
    },
    ...Object.fromEntries(
      Object.entries(routes).map(([id, RouteKey]) => [
        id,
        {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: { ApiId: ref('HttpApi'), RouteKey, Target: target(integration) },
        },
      ]),
    ),
  };
}

/** No message has the member that routes are selected by, so all of them reach `$default`. */
function socketApi(config: Config): Record<string, Resource> {
  const { cloud, orchestrator } = config.scale;
  const routes = { Sconnect: '$connect', Sdefault: '$default', Sdisconnect: '$disconnect' };
  return {
    WebsocketsApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Name: `${cloud.stage}-${orchestrator.appName}-websockets`,
        ProtocolType: 'WEBSOCKET',
        RouteSelectionExpression: '$request.body.action',
      },
    },
    WsLambdaPermissionWebsockets: permission('websocket', 'apigateway.amazonaws.com', {}),
    WsWebsocketsIntegration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: ref('WebsocketsApi'),
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: joined(
          'arn:',
          ref('AWS::Partition'),
          ':apigateway:',
          ref('AWS::Region'),
          ':lambda:path/2015-03-31/functions/',
          attribute(functionId('websocket'), 'Arn'),
          '/invocations',
        ),
      },
    },
    ...Object.fromEntries(
      Object.entries(routes).map(([id, RouteKey]) => [
        `${id}WebsocketsRoute`,
        {
          Type: 'AWS::ApiGatewayV2::Route',
          Properties: {
            ApiId: ref('WebsocketsApi'),
            RouteKey,
            AuthorizationType: 'NONE',
            Target: target('WsWebsocketsIntegration'),
          },
        },
      ]),
    ),
    // Its routes never change: a stack has one deployment of them.
    WebsocketsDeployment: {
      Type: 'AWS::ApiGatewayV2::Deployment',
      DependsOn: Object.keys(routes).map((id) => `${id}WebsocketsRoute`),
      Properties: { ApiId: ref('WebsocketsApi') },
    },
    WebsocketsDeploymentStage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: {
        ApiId: ref('WebsocketsApi'),
        StageName: cloud.stage,
        DeploymentId: ref('WebsocketsDeployment'),
      },
    },
  };
}

/** Nobody is checked at the address that streams: the application does that. */
const streamParts: Readonly<Record<string, Resource>> = {
  StreamLambdaFunctionUrl: {
    Type: 'AWS::Lambda::Url',
    Properties: {
      AuthType: 'NONE',
      TargetFunctionArn: attribute(functionId('stream'), 'Arn'),
      InvokeMode: 'RESPONSE_STREAM',
    },
  },
  StreamLambdaPermissionFnUrl: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      FunctionName: attribute(functionId('stream'), 'Arn'),
      Action: 'lambda:InvokeFunctionUrl',
      Principal: '*',
      FunctionUrlAuthType: 'NONE',
    },
  },
  StreamLambdaPermissionFn: permission('stream', '*', { InvokedViaFunctionUrl: true }),
};

/** Changes of tables and a clock call it. */
function liveParts(needs: Needs): Record<string, Resource> {
  const { batchSize, attempts, ageSeconds } = telling;
  const mappings = followedStreams(needs).map(({ table, pattern }): [string, Resource] => [
    `LiveEventSourceMappingDynamodb${table}`,
    {
      Type: 'AWS::Lambda::EventSourceMapping',
      DependsOn: [roleName('live')],
      Properties: {
        BatchSize: batchSize,
        EventSourceArn: attribute(table, 'StreamArn'),
        FunctionName: attribute(functionId('live'), 'Arn'),
        StartingPosition: 'LATEST',
        Enabled: true,
        MaximumRetryAttempts: attempts,
        MaximumRecordAgeInSeconds: ageSeconds,
        BisectBatchOnFunctionError: true,
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] },
      },
    },
  ]);
  return { ...Object.fromEntries(mappings), ...clockParts('live', 'rate(1 minute)') };
}

/** A rule that calls a function. */
function clockParts(name: 'live' | 'sweeper', ScheduleExpression: string): Record<string, Resource> {
  const rule = `${short(name)}EventsRuleSchedule1`;
  return {
    [rule]: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression,
        State: 'ENABLED',
        Targets: [{ Arn: attribute(functionId(name), 'Arn'), Id: `${stackNames[name]}Schedule` }],
      },
    },
    [logical(name, 'LambdaPermissionEventsRuleSchedule1')]: permission(name, 'events.amazonaws.com', {
      SourceArn: attribute(rule, 'Arn'),
    }),
  };
}

function permission(name: FunctionName, Principal: string, more: Part): Resource {
  return {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      FunctionName: attribute(functionId(name), 'Arn'),
      Action: 'lambda:InvokeFunction',
      Principal,
      ...more,
    },
  };
}

function socketAddress({ scale: { cloud } }: Config): Part {
  return joined('wss://', ref('WebsocketsApi'), ...gateway, `/${cloud.stage}`);
}

function functionId(name: FunctionName): string {
  return logical(name, 'LambdaFunction');
}

function logical(name: FunctionName, what: string): string {
  return `${short(name)}${what}`;
}

function short(name: FunctionName): string {
  return roleName(name).replace(/Role$/, '');
}

function ref(name: string): Part {
  return { Ref: name };
}

function attribute(name: string, attributeName: string): Part {
  return { 'Fn::GetAtt': [name, attributeName] };
}

function joined(...parts: readonly unknown[]): Part {
  return { 'Fn::Join': ['', parts] };
}

function target(integration: string): Part {
  return { 'Fn::Join': ['/', ['integrations', ref(integration)]] };
}

const gateway = ['.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }] as const;
const registry = [
  { Ref: 'AWS::AccountId' },
  '.dkr.ecr.',
  { Ref: 'AWS::Region' },
  '.',
  { Ref: 'AWS::URLSuffix' },
  '/',
] as const;
const here = [{ Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, ':'] as const;

/** Fills in what osls would, in every text of some data. */
function filled(data: unknown, config: Config): unknown {
  const { cloud } = config.scale;
  const values: Readonly<Record<string, string>> = {
    'custom.stack': cloud.stackName,
    'custom.bucket': `\${${bucketParameter}}`,
    'custom.tables': tablePrefix(config),
    'provider.stage': cloud.stage,
  };
  const texts = JSON.stringify(data);
  return JSON.parse(
    texts.replace(/\$\{self:([\w.]+)\}/g, (_, name: string) => JSON.stringify(values[name]!).slice(1, -1)),
  );
}
