/**
 * The rights that deploying needs, as a policy: those of our own requests, and those that CloudFormation asks of who deploys for each kind of
 * resource (`handlers` in https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html): all that
 * they read, which finding drift needs, and of what they write as much as the template has.
 */
import { imageOf, type Template } from '../../cloud/template.ts';
import { usesOwnRepository } from './place.ts';

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface PolicyRequest {
  readonly partition: string;
  /** `*` while it is not known. */
  readonly account: string;
  readonly region: string;
  readonly stack: string;
  readonly bucket: string;
  readonly ownsBucket: boolean;
  readonly repository: string;
  /** True when rights are asked for before anything changes. */
  readonly checksRights: boolean;
  /** Names of the tables that deployments may have made. */
  readonly tables: readonly string[];
  readonly template: Template;
  /** The template that the stack has now: what the wanted one lacks is deleted. */
  readonly before: Template | undefined;
}

/** The right to ask what somebody may do. */
export const askAction = 'iam:SimulatePrincipalPolicy';

/** Allows the whole life of a deployment: from the first one to its end, with its data. */
export function deployPolicy(request: PolicyRequest): Policy {
  const { partition, account, region, stack, bucket, ownsBucket, repository, checksRights, template } = request;
  const resources = [template, request.before].flatMap((one) => Object.values(one?.Resources ?? {}));
  const arn = (service: string, name: string, where = region) =>
    `arn:${partition}:${service}:${where}:${account}:${name}`;
  const bucketArn = `arn:${partition}:s3:::${bucket}`;
  const tableArn = (name: string) => arn('dynamodb', `table/${name}`);
  const tables = new Set(
    resources
      .filter(({ Type }) => Type === 'AWS::DynamoDB::Table')
      .map(({ Properties }) => String(Properties['TableName'])),
  );
  const others = request.tables.filter((name) => !tables.has(name));
  const has = (type: string) => resources.some(({ Type }) => Type === type);
  const ofFunctions = { ArnLike: { 'lambda:FunctionArn': arn('lambda', `function:${stack}-*`) } };
  const concurrency = JSON.stringify(resources).includes('"ReservedConcurrentExecutions"');
  return {
    Version: '2012-10-17',
    Statement: [
      ...(checksRights
        ? [allow('Asking', 'iam', [askAction.split(':')[1]!], [arn('iam', 'user/*', ''), arn('iam', 'role/*', '')])]
        : []),
      allow('Stack', 'cloudformation', stackActions, [arn('cloudformation', `stack/${stack}/*`)]),
      // The service has no finer resource for these.
      allow('Drift', 'cloudformation', ['BatchDescribeTypeConfigurations', 'DescribeStackDriftDetectionStatus'], ['*']),
      ...(ownsBucket
        ? [allow('Bucket', 's3', bucketActions, [bucketArn])]
        : [allow('Bucket', 's3', ['ListBucket'], [bucketArn])]),
      allow('Artifacts', 's3', ['GetObject', 'PutObject', 'DeleteObject'], [`${bucketArn}/${stack}/*`]),
      ...(imageOf(template) === undefined
        ? []
        : [
            usesOwnRepository(template, request)
              ? allow('Images', 'ecr', imageActions, [arn('ecr', `repository/${repository}`)])
              : allow('Images', 'ecr', pushActions, [arn('ecr', `repository/${imageOf(template)!.split(/[@:]/)[0]}`)]),
            // The service has no finer resource for it.
            allow('ImageSignIn', 'ecr', ['GetAuthorizationToken'], ['*']),
          ]),
      // Asked for the path, whatever is below it; everything else for a parameter.
      allow('SecretNames', 'ssm', ['GetParametersByPath'], [arn('ssm', `parameter/${stack}`)]),
      allow('Secrets', 'ssm', parameterActions, [arn('ssm', `parameter/${stack}/*`)]),
      allow(
        'Functions',
        'lambda',
        [
          ...functionActions,
          ...(concurrency ? concurrencyActions : []),
          ...(has('AWS::Lambda::Url') ? urlActions : []),
        ],
        [arn('lambda', `function:${stack}-*`)],
      ),
      ...(has('AWS::Lambda::EventSourceMapping')
        ? [
            // The service has no finer resource for making one, and names them by chance: what counts is the function that is called.
            { ...allow('NewMappings', 'lambda', ['CreateEventSourceMapping'], ['*']), Condition: ofFunctions },
            {
              ...allow('Mappings', 'lambda', changeMappingActions, [arn('lambda', 'event-source-mapping:*')]),
              Condition: ofFunctions,
            },
            allow('MappingDetails', 'lambda', readMappingActions, [arn('lambda', 'event-source-mapping:*')]),
          ]
        : []),
      allow('Roles', 'iam', roleActions, [arn('iam', `role/${stack}-*`, '')]),
      allow('LogGroups', 'logs', groupActions, [arn('logs', `log-group:/aws/lambda/${stack}-*`)]),
      allow('LogGroupNames', 'logs', ['DescribeLogGroups'], [arn('logs', 'log-group:*')]),
      ...(tables.size === 0 ? [] : [allow('Tables', 'dynamodb', tableActions, [...tables].map(tableArn))]),
      // An earlier version may have left them behind; `svc destroy` looks for them, and deletes them with --purge-data.
      ...(others.length === 0 ? [] : [allow('OtherTables', 'dynamodb', leftTableActions, others.map(tableArn))]),
      ...(has('AWS::Events::Rule')
        ? [allow('Schedule', 'events', ruleActions, [arn('events', `rule/${stack}-*`)])]
        : []),
      // Addresses of APIs have no names of ours in them.
      allow(
        'Apis',
        'apigateway',
        ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'TagResource', 'UntagResource'],
        [
          `arn:${partition}:apigateway:${region}::/apis`,
          `arn:${partition}:apigateway:${region}::/apis/*`,
          `arn:${partition}:apigateway:${region}::/tags/*`,
          ...(has('AWS::ApiGatewayV2::DomainName') ? [`arn:${partition}:apigateway:${region}::/domainnames*`] : []),
        ],
      ),
    ],
  };
}

const stackActions = [
  'CreateChangeSet',
  'DeleteChangeSet',
  'DeleteStack',
  'DescribeChangeSet',
  'DescribeStackEvents',
  'DescribeStackResourceDrifts',
  'DescribeStackResources',
  'DescribeStacks',
  'DetectStackDrift',
  'DetectStackResourceDrift',
  'ExecuteChangeSet',
  'GetTemplate',
];
const bucketActions = ['CreateBucket', 'DeleteBucket', 'GetBucketTagging', 'ListBucket', 'PutBucketTagging'];
const pushActions = [
  'BatchCheckLayerAvailability',
  'BatchGetImage',
  'CompleteLayerUpload',
  'DescribeRepositories',
  'InitiateLayerUpload',
  'PutImage',
  'UploadLayerPart',
];
const imageActions = [
  ...pushActions,
  'BatchDeleteImage',
  'CreateRepository',
  'DeleteRepository',
  'ListImages',
  'ListTagsForResource',
  'SetRepositoryPolicy',
  'TagResource',
].toSorted();
const parameterActions = ['AddTagsToResource', 'DeleteParameters', 'ListTagsForResource', 'PutParameter'];
const changeMappingActions = ['DeleteEventSourceMapping', 'UpdateEventSourceMapping'];
const readMappingActions = ['GetEventSourceMapping', 'ListTags', 'TagResource', 'UntagResource'];
const functionActions = [
  'AddPermission',
  'CreateFunction',
  'DeleteFunction',
  'GetFunction',
  'GetFunctionCodeSigningConfig',
  'GetFunctionRecursionConfig',
  'GetFunctionScalingConfig',
  'GetPolicy',
  'GetRuntimeManagementConfig',
  'ListTags',
  'RemovePermission',
  'TagResource',
  'UntagResource',
  'UpdateFunctionCode',
  'UpdateFunctionConfiguration',
];
const concurrencyActions = ['DeleteFunctionConcurrency', 'PutFunctionConcurrency'];
const urlActions = [
  'CreateFunctionUrlConfig',
  'DeleteFunctionUrlConfig',
  'GetFunctionUrlConfig',
  'UpdateFunctionUrlConfig',
];
const roleActions = [
  'CreateRole',
  'DeleteRole',
  'DeleteRolePolicy',
  'GetRole',
  'GetRolePolicy',
  'ListAttachedRolePolicies',
  'ListRolePolicies',
  'PassRole',
  'PutRolePolicy',
  'TagRole',
  'UntagRole',
  'UpdateAssumeRolePolicy',
  'UpdateRole',
];
const groupActions = [
  'CreateLogGroup',
  'DeleteLogGroup',
  'DescribeIndexPolicies',
  'FilterLogEvents',
  'GetDataProtectionPolicy',
  'ListTagsForResource',
  'PutRetentionPolicy',
  'TagResource',
  'UntagResource',
];
const tableActions = [
  'CreateTable',
  'DeleteTable',
  'DescribeContinuousBackups',
  'DescribeContributorInsights',
  'DescribeKinesisStreamingDestination',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetResourcePolicy',
  'ListTagsOfResource',
  'TagResource',
  'UntagResource',
  'UpdateContinuousBackups',
  'UpdateTable',
  'UpdateTimeToLive',
];
const leftTableActions = ['DeleteTable', 'DescribeTable', 'ListTagsOfResource'];
const ruleActions = [
  'DeleteRule',
  'DescribeRule',
  'ListTagsForResource',
  'ListTargetsByRule',
  'PutRule',
  'PutTargets',
  'RemoveTargets',
  'TagResource',
  'UntagResource',
];

function allow(Sid: string, service: string, actions: readonly string[], Resource: readonly string[]): Statement {
  return { Sid, Effect: 'Allow', Action: actions.map((action) => `${service}:${action}`), Resource };
}

/** `lambda:AddPermission,CreateFunction on … where …` for each statement. */
export function shownPolicy({ Statement }: Policy): string[] {
  return Statement.map(({ Action, Resource, Condition = {} }) => {
    const [service] = Action[0]!.split(':');
    const facts = Object.values(Condition).flatMap((tests) => Object.entries(tests).map((one) => one.join(' like ')));
    const when = facts.length > 0 ? ` where ${facts.join(', ')}` : '';
    return `${service}:${Action.map((one) => one.split(':')[1]).join(',')} on ${Resource.join(', ')}${when}`;
  });
}
