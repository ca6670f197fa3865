/** Configurations and stacks that the services of AWS would refuse are refused before anything is made (docs/server/cloud.md#limits). */
import { expect, test } from 'vitest';
import { resolveConfig } from '../../../core/config/resolve.ts';
import { parseToml } from '../../../core/config/toml.ts';
import { commonVariables } from '../../cloud/environment.ts';
import { type Needs, neededFunctions } from '../../cloud/needs.ts';
import { makeTemplate, type Resource, type Template } from '../../cloud/template.ts';
import { awsLimits } from '../../limits/aws-limits.ts';
import { beyondLimits, cloudSettings } from './check-cloud.ts';
import { planAlone } from './find-changes.ts';
import { bucketName } from './place.ts';

const configOf = (toml: string) =>
  resolveConfig({
    file: { name: 'svc.toml', ...parseToml(`[project]\nname = "demo"\n${toml}`, 'svc.toml') },
    ...{ env: {}, mode: 'test', profile: undefined, flags: {}, projectDir: '/app', dataDir: '/app/data' },
    ...{ isTerminal: false, isScript: true },
  }).config;
const settings = (toml: string) => `[plugins.scale.cloud]\n${toml}\n`;
const problems = (toml: string) =>
  cloudSettings(configOf(toml)).map(({ path, problem }) => `${path.replace(/^scale\.(cloud\.)?/, '')}: ${problem}`);
const x = (count: number) => 'x'.repeat(count);

test.each([
  ['memory_mb = 127', 'memoryMb: expected 128 to 10240'],
  ['memory_mb = 10241', 'memoryMb: expected 128 to 10240'],
  [
    'timeout_seconds = 31',
    'timeoutSeconds: at most 30, the HTTP API waits no longer; more is for the address that streams, stream_function_url',
  ],
  ['timeout_seconds = 901\nstream_function_url = true', 'timeoutSeconds: at most 900'],
  ['websocket_timeout_seconds = 31', 'websocketTimeoutSeconds: at most 30'],
  ['log_retention_days = 10', expect.stringMatching(/^logRetentionDays: expected one of 1, 3, 5, 7, .*, 3653$/)],
  [`stack_name = "${x(129)}"`, expect.stringMatching(/^stackName: 'x+' is not a name of a stack: .*, at most 128$/)],
  ['stack_name = "1st"', expect.stringMatching(/^stackName: '1st' is not/)],
  ['stack_name = "a"\nstage = "a b"', expect.stringMatching(/^stage: 'a b' is not/)],
  [`stack_name = "a"\nstage = "${x(129)}"`, expect.stringMatching(/^stage: 'x+' is not .*, at most 128$/)],
  [`artifact_bucket = "${x(64)}"`, expect.stringMatching(/^artifactBucket: 'x+' is not .*3 to 63 of/)],
  ['artifact_bucket = "Mine"', expect.stringMatching(/^artifactBucket: 'Mine' is not/)],
])('settings that AWS would refuse: %s', (toml, problem) => {
  expect(problems(settings(toml))).toEqual([problem]);
});

test('names of tables that DynamoDB would refuse', () => {
  const prefix = (text: string) => `[plugins.scale.database]\ndynamodb_table_prefix = "${text}"\n`;
  expect(problems(prefix(x(244)))).toEqual([]);
  expect(problems(prefix(x(245)))).toEqual([
    expect.stringMatching(/^database\.dynamodbTablePrefix: 'x+connections' is not a name of a table: .*, at most 255$/),
  ]);
  expect(problems(prefix('a/'))).toEqual([expect.stringMatching(/'a\/graph' is not a name of a table/)]);
});

test('settings as they are, and at their limits, are none of them', () => {
  expect(problems('')).toEqual([]);
  expect(problems(settings('memory_mb = 128\ntimeout_seconds = 30\nlog_retention_days = 3653'))).toEqual([]);
  expect(problems(settings('memory_mb = 10240\ntimeout_seconds = 900\nstream_function_url = true'))).toEqual([]);
  expect(problems(settings(`stack_name = "${x(128)}"\nstage = "${x(128)}"\nartifact_bucket = "${x(63)}"`))).toEqual([]);
});

const everything: Needs = {
  hasWebhooks: true,
  hasSockets: true,
  hasLive: true,
  streams: true,
  hasPages: true,
  hasGraphTable: true,
};
const keys = Object.fromEntries(neededFunctions(everything).map((name) => [name, `k/archives/${x(64)}.zip`]));

function appOf(toml = '', secrets: Readonly<Record<string, string>> = {}) {
  const config = configOf(toml);
  const common = commonVariables(config, everything, () => undefined);
  return {
    ...{
      name: 'demo',
      version: '1',
      sourceDigest: '',
      archives: [],
      pageFiles: [],
      stack: config.scale.cloud.stackName,
    },
    template: makeTemplate({ config, needs: everything, common, code: { archives: keys } }),
    secrets: { texts: secrets, makesJwtSecret: true },
  };
}

/** The application with something else in its template. */
function changed(change: (template: any) => void) {
  const app = structuredClone(appOf());
  change(app.template);
  return beyondLimits(app);
}

const many = (count: number, one: unknown = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`A${i}`, one]));

test('an application with everything keeps to all of them', () => {
  expect(beyondLimits(appOf())).toEqual([]);
});

test('a template that is too large', () => {
  const bytes = (template: Template) => Buffer.byteLength(JSON.stringify(template));
  const room = awsLimits.templateBytes.value - bytes(appOf().template);
  expect(changed((template) => void (template.Description += x(room)))).toEqual([]);
  expect(changed((template) => void (template.Description += x(room + 1)))).toEqual([
    'the template is 51201 bytes, limit 51200',
  ]);
});

test('too many parts of a stack', () => {
  const more = { Type: 'AWS::X', Properties: {} };
  const found = changed((template) => {
    Object.assign(template.Resources, many(500, more));
    Object.assign(template.Outputs, many(200));
    Object.assign(template.Parameters, many(200));
  });
  expect(found.map((one) => one.replace(/\d+ (?=\w+, )/, '# '))).toEqual([
    'the stack has # resources, limit 500',
    'the stack has # parameters, limit 200',
    'the stack has # outputs, limit 200',
  ]);
});

test('too many routes and integrations of an API', () => {
  const of = (Type: string) => many(300, { Type, Properties: { ApiId: { Ref: 'HttpApi' } } });
  const found = (type: string) =>
    changed(({ Resources }) => void Object.assign(Resources, of(`AWS::ApiGatewayV2::${type}`))).filter(
      (one) => !one.startsWith('the template'),
    );
  expect(found('Route')).toEqual(['HttpApi has 303 routes, limit 300']);
  expect(found('Integration')).toEqual(['HttpApi has 302 integrations, limit 300']);
});

test('functions whose names or times are too long', () => {
  // The longest is <stack>-webhook or <stack>-sweeper.
  expect(beyondLimits(appOf(settings(`stack_name = "${x(56)}"`)))).toEqual([]);
  expect(beyondLimits(appOf(settings(`stack_name = "${x(57)}"`)))).toEqual([
    `function ${x(57)}-webhook has 65 characters, limit 64`,
    `function ${x(57)}-sweeper has 65 characters, limit 64`,
  ]);
  const late = changed(({ Resources }) => void (Resources.HttpLambdaFunction.Properties.Timeout = 901));
  expect(late).toEqual(['function demo-prod-http may run 901 seconds, limit 900']);
});

test('streams that are told in a way the service refuses', () => {
  const found = changed(({ Resources }) => {
    const { Properties } = Object.values<Resource>(Resources).find(
      ({ Type }) => Type === 'AWS::Lambda::EventSourceMapping',
    ) as any;
    const one = { Pattern: x(4096) };
    Object.assign(Properties, { BatchSize: 10_001, MaximumRecordAgeInSeconds: 86_401 });
    Properties.FilterCriteria.Filters = [one, one, one, one, one, { Pattern: x(4097) }];
  });
  const id = 'LiveEventSourceMappingDynamodbGraphTable';
  expect(found).toEqual([
    `${id} has 10001 changes in one event, limit 10000`,
    `${id} takes 86401 seconds of age, limit 86400`,
    `${id} has 6 filters, limit 5`,
    `a filter of ${id} has 4097 characters, limit 4096`,
  ]);
});

test('a schedule that is too short', () => {
  const found = changed(
    ({ Resources }) => void (Resources.LiveEventsRuleSchedule1.Properties.ScheduleExpression = 'rate(0 minutes)'),
  );
  expect(found).toEqual(['LiveEventsRuleSchedule1 runs more often than once a minute']);
});

test('policies of a role that are too long, with the names that they will have', () => {
  const long = appOf(`[plugins.scale.database]\ndynamodb_table_prefix = "${x(240)}"\n`);
  expect(beyondLimits(long)).toEqual([]);
  const found = changed(({ Resources }) => {
    const [{ PolicyDocument }] = Resources.WsRole.Properties.Policies;
    const [first] = PolicyDocument.Statement;
    for (let n = 0; n < 40; n++) PolicyDocument.Statement.push(first);
  });
  expect(found).toEqual([expect.stringMatching(/^the policies of WsRole have 1\d{4} characters, limit 10240$/)]);
});

test('secrets that are too large, or have too long names', () => {
  expect(beyondLimits(appOf('', { A: x(4096), [x(1000)]: 'b' }))).toEqual([]);
  expect(beyondLimits(appOf('', { A: x(4097), [x(1001)]: 'b' }))).toEqual([
    'secret A is 4097 bytes, limit 4096',
    `parameter /demo-prod/${x(1001)} has 1012 characters, limit 1011`,
  ]);
  expect(() => planAlone(appOf('', { A: x(4097) }), configOf(''))).toThrow('secret A is 4097 bytes, limit 4096');
});

test('buckets that are made have names that the service takes', () => {
  for (const stack of ['a', x(128), 'A_b-c']) {
    const name = bucketName('123456789012', 'ap-southeast-1', stack);
    expect(name).toMatch(/^[a-z0-9][a-z0-9.-]+[a-z0-9]$/);
    expect(name.length).toBeLessThanOrEqual(awsLimits.bucketName.value);
  }
});

test('archives come from a bucket, whatever their size', () => {
  const functions = Object.values(appOf().template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions).toHaveLength(6);
  for (const { Properties } of functions)
    expect(Properties['Code']).toMatchObject({ S3Bucket: { Ref: 'ArtifactBucket' }, S3Key: expect.any(String) });
});

test('the policy that is printed may be a policy of its own', () => {
  const toml = settings(
    'region = "ap-southeast-1"\nreserved_concurrency = 5\ndomain = "a.example.org"\ncertificate_arn = "arn:x"',
  );
  const { policy } = planAlone(appOf(toml), configOf(toml));
  expect(JSON.stringify(policy).replace(/\s/g, '').length).toBeLessThanOrEqual(awsLimits.policyCharacters.value);
});
