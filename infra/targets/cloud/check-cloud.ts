/** Checks of a deployment to AWS against the limits of its services, before anything is made (docs/server/cloud.md#limits). */
import type { Config, ConfigPath } from '../../../core/config/config.ts';
import { tableNames } from '../../cloud/tables.ts';
import type { Resource, Template } from '../../cloud/template.ts';
import { awsLimits as limits } from '../../limits/aws-limits.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { WantedSecrets } from './parameters.ts';

interface Problem {
  readonly path: ConfigPath;
  readonly problem: string;
}

/** An application that is about to be deployed. */
interface Wanted {
  readonly stack: string;
  readonly template: Template;
  readonly secrets: Pick<WantedSecrets, 'texts'>;
}

const megabyte = 1024 * 1024;

export function cloudSettings(config: Config): Problem[] {
  const { cloud } = config.scale;
  const wrong = (name: keyof Config['scale']['cloud'], isWrong: boolean, problem: string): Problem[] =>
    isWrong ? [{ path: `scale.cloud.${name}` as ConfigPath, problem }] : [];
  const memory = [limits.minMemoryBytes.value / megabyte, limits.memoryBytes.value / megabyte] as const;
  const longest = cloud.streamFunctionUrl ? limits.functionSeconds.value : limits.gatewaySeconds.value;
  const table = tableNames(config).find((name) => !isName(name, /^[\w.-]{3,}$/, limits.tableName.value));
  return [
    ...wrong('memoryMb', cloud.memoryMb < memory[0] || cloud.memoryMb > memory[1], `expected ${memory.join(' to ')}`),
    ...wrong(
      'timeoutSeconds',
      cloud.timeoutSeconds > longest,
      cloud.streamFunctionUrl
        ? `at most ${longest}`
        : `at most ${longest}, the HTTP API waits no longer; more is for the address that streams, stream_function_url`,
    ),
    // A message is answered one second before.
    ...wrong(
      'websocketTimeoutSeconds',
      cloud.websocketTimeoutSeconds > limits.messageSeconds.value + 1,
      `at most ${limits.messageSeconds.value + 1}`,
    ),
    ...wrong(
      'logRetentionDays',
      !retentions.includes(cloud.logRetentionDays),
      `expected one of ${retentions.join(', ')}`,
    ),
    ...wrong(
      'stackName',
      !isName(cloud.stackName, /^[A-Za-z][A-Za-z0-9-]*$/, limits.stackName.value),
      `'${cloud.stackName}' is not a name of a stack: a letter, then letters, digits or -, at most ${limits.stackName.value}`,
    ),
    ...wrong(
      'stage',
      !isName(cloud.stage, /^[\w-]+$/, limits.stageName.value),
      `'${cloud.stage}' is not a name of a stage: letters, digits, _ or -, at most ${limits.stageName.value}`,
    ),
    ...wrong(
      'artifactBucket',
      cloud.artifactBucket !== '' &&
        !isName(cloud.artifactBucket, /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/, limits.bucketName.value),
      `'${cloud.artifactBucket}' is not a name of a bucket: 3 to ${limits.bucketName.value} of a-z, 0-9, . and -`,
    ),
    ...(table === undefined
      ? []
      : [
          {
            path: 'scale.database.dynamodbTablePrefix' as const,
            problem: `'${table}' is not a name of a table: letters, digits, _, . or -, at most ${limits.tableName.value}`,
          },
        ]),
  ];
}

/** https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const retentions = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827],
  ...[2192, 2557, 2922, 3288, 3653],
];

function isName(name: string, pattern: RegExp, most: number): boolean {
  return name.length <= most && pattern.test(name);
}

/** @throws DeployFailure for what the services would refuse */
export function requireLimits(app: Wanted): void {
  const [first, ...more] = beyondLimits(app);
  if (first !== undefined) throw new DeployFailure('failed', first, { hints: more });
}

/** `the template is 60213 bytes, limit 51200` for each limit that is broken. */
export function beyondLimits({ template, secrets, stack }: Wanted): string[] {
  return [
    ...over('the template is', size(JSON.stringify(template)), 'templateBytes', 'bytes'),
    ...over('the stack has', count(template.Resources), 'resources', 'resources'),
    ...over('the stack has', count(template.Parameters), 'stackParameters', 'parameters'),
    ...over('the stack has', count(template.Outputs), 'stackOutputs', 'outputs'),
    ...Object.entries(template.Resources).flatMap(([id, resource]) => beyondThose(id, resource, template)),
    ...Object.entries(secrets.texts).flatMap(([name, text]) => [
      ...over(`secret ${name} is`, size(text), 'parameterBytes', 'bytes'),
      ...over(`parameter /${stack}/${name} has`, `/${stack}/${name}`.length, 'parameterName', 'characters'),
    ]),
  ];
}

function beyondThose(id: string, { Type, Properties: of }: Resource, template: Template): string[] {
  switch (Type) {
    case 'AWS::Lambda::Function':
      return [
        ...over(`function ${of['FunctionName']} has`, String(of['FunctionName']).length, 'functionName', 'characters'),
        ...over(`function ${of['FunctionName']} may run`, Number(of['Timeout']), 'functionSeconds', 'seconds'),
      ];
    case 'AWS::Lambda::EventSourceMapping': {
      const { Filters = [] } = (of['FilterCriteria'] ?? {}) as { readonly Filters?: readonly { Pattern: string }[] };
      return [
        ...over(`${id} has`, Number(of['BatchSize']), 'streamRecords', 'changes in one event'),
        ...over(`${id} takes`, Number(of['MaximumRecordAgeInSeconds']), 'streamAgeSeconds', 'seconds of age'),
        ...over(`${id} has`, Filters.length, 'streamFilters', 'filters'),
        ...Filters.flatMap(({ Pattern }) =>
          over(`a filter of ${id} has`, Pattern.length, 'filterCharacters', 'characters'),
        ),
      ];
    }
    case 'AWS::ApiGatewayV2::Api':
      return [
        ...over(`${id} has`, partsOf(id, 'AWS::ApiGatewayV2::Route', template), 'routes', 'routes'),
        ...over(`${id} has`, partsOf(id, 'AWS::ApiGatewayV2::Integration', template), 'integrations', 'integrations'),
      ];
    case 'AWS::IAM::Role':
      return over(
        `the policies of ${id} have`,
        policyCharacters(of['Policies'], template),
        'roleCharacters',
        'characters',
      );
    case 'AWS::Events::Rule': {
      const minutes = /^rate\((\d+) minutes?\)$/.exec(String(of['ScheduleExpression']))?.[1] ?? '1';
      return Number(minutes) * 60 < limits.scheduleSeconds.value ? [`${id} runs more often than once a minute`] : [];
    }
    default:
      return [];
  }
}

function over(what: string, number: number, name: keyof typeof limits, unit: string): string[] {
  const { value } = limits[name];
  return number > value ? [`${what} ${number} ${unit}, limit ${value}`] : [];
}

/** Number of the resources of a type that belong to an API. */
function partsOf(api: string, type: string, { Resources }: Template): number {
  return Object.values(Resources).filter(
    ({ Type, Properties }) => Type === type && (Properties['ApiId'] as { readonly Ref?: string }).Ref === api,
  ).length;
}

/** Characters of the policies of a role when names stand for what the template refers to, the longest there are. */
function policyCharacters(policies: unknown, { Resources }: Template): number {
  const nameOf = (id: string) => String(Resources[id]?.Properties['TableName'] ?? id);
  const known: Readonly<Record<string, string>> = {
    'AWS::Partition': 'aws-us-gov',
    'AWS::Region': 'ap-southeast-1',
    'AWS::AccountId': '123456789012',
  };
  const arnOf = (id: string) => `arn:aws-us-gov:dynamodb:ap-southeast-1:123456789012:table/${nameOf(id)}`;
  const filled = JSON.stringify(policies, (_, part: unknown) => {
    const { 'Fn::GetAtt': attribute, 'Fn::Sub': text } = (part ?? {}) as {
      readonly 'Fn::GetAtt'?: readonly [string, string];
      readonly 'Fn::Sub'?: string;
    };
    if (attribute !== undefined)
      return arnOf(attribute[0]) + (attribute[1] === 'StreamArn' ? '/stream/2025-01-01T00:00:00.000' : '');
    return text === undefined
      ? part
      : text
          .replace(/\$\{(\w+)\.Arn\}/g, (__, id: string) => arnOf(id))
          .replace(/\$\{([\w:]+)\}/g, (__, id: string) => known[id] ?? '0123456789');
  });
  return filled.length;
}

function size(text: string): number {
  return Buffer.byteLength(text);
}

function count(parts: object | undefined): number {
  return Object.keys(parts ?? {}).length;
}
