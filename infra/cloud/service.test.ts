/**
 * Functions, rights and tables of an application, and the way its configuration reaches them
 * (docs/server/cloud.md#resources, docs/server/cloud.md#environment, docs/server/cloud.md#rights).
 */
import { describe, expect, test } from 'vitest';
import type { Config } from '../../core/config/config.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { parseToml } from '../../core/config/toml.ts';
import { checkFunctions } from '../check-deployment.ts';
import { bytesOf, commonVariables } from './environment.ts';
import { type Needs, neededFunctions, needsOf } from './needs.ts';
import { makeService } from './service.ts';
import { findTooLarge, findTooLargeImage } from './sizes.ts';

function configOf(toml: string, env: Readonly<Record<string, string>> = {}): Config {
  const { config, problems } = resolveConfig({
    file: { name: 'svc.toml', ...parseToml(toml, 'svc.toml') },
    env,
    mode: 'test',
    profile: undefined,
    flags: {},
    projectDir: '/app',
    dataDir: '/app/data',
    isTerminal: false,
    isScript: true,
  });
  expect(problems).toEqual([]);
  return config;
}

const nothing: Needs = {
  hasWebhooks: false,
  hasSockets: false,
  hasLive: false,
  streams: false,
  hasPages: false,
  hasGraphTable: true,
};
const everything: Needs = {
  hasWebhooks: true,
  hasSockets: true,
  hasLive: true,
  streams: true,
  hasPages: true,
  hasGraphTable: true,
};
const noVariables = () => undefined;

function serviceOf(needs: Partial<Needs>, toml = '', env: Readonly<Record<string, string>> = {}) {
  const config = configOf(`[project]\nname = "demo"\n${toml}`, env);
  const all = { ...nothing, ...needs };
  const service = makeService(config, all, commonVariables(config, all, noVariables));
  const { Resources: resources } = service.resources as { Resources: Record<string, any> };
  return {
    ...service,
    resources,
    functions: service.functions as Record<string, any>,
    provider: service.provider as any,
  };
}

describe('what a program declares', () => {
  const target = (protocol: string) => ({ rest: { protocol } }) as never;
  const config = configOf('');
  const has = { usesTopics: false, hasPages: false };
  const all = { usesTopics: true, hasPages: true };

  test('decides which functions there are', () => {
    const needed = (...protocols: string[]) =>
      neededFunctions(needsOf({ walkers: protocols.map(target), functions: [] }, config, has));
    expect(needed('HTTP')).toEqual(['http', 'sweeper']);
    expect(needed('HTTP', 'WEBHOOK')).toEqual(['http', 'webhook', 'sweeper']);
    expect(needed('WEBSOCKET')).toEqual(['http', 'websocket', 'sweeper']);
    const ofFunction = needsOf({ walkers: [], functions: [target('WEBSOCKET')] }, config, has);
    expect(neededFunctions(ofFunction)).toEqual(['http', 'websocket', 'sweeper']);
  });

  test('is taken for everything when it is not known', () => {
    expect(needsOf(undefined, config, all)).toEqual({ ...everything, streams: false });
    expect(needsOf(undefined, configOf('[plugins.scale.cloud]\nstream_function_url = true'), all)).toEqual(everything);
  });

  test('a graph in a document database leaves nothing to sweep and has no table', () => {
    const documents = configOf('[plugins.scale.database]\ndocdb_uri = "mongodb://db.example/x"');
    const needs = needsOf({ walkers: [target('HTTP')], functions: [] }, documents, has);
    expect(neededFunctions(needs)).toEqual(['http']);
    const { resources, provider } = serviceOf(needs);
    expect(Object.keys(resources)).toEqual(['HttpRole']);
    expect(JSON.stringify(resources)).not.toContain('dynamodb');
    expect(provider.environment.SVC_DATABASE_STORE).toBe("${env:SVC_DATABASE_STORE, 'docdb'}");
  });
});

test('without sockets: no function, no API, no table and no right that is about them', () => {
  const { functions, resources, provider } = serviceOf({});
  expect(Object.keys(functions)).toEqual(['http', 'sweeper']);
  expect(Object.keys(resources)).toEqual(['HttpRole', 'SweeperRole', 'GraphTable']);
  expect(functions['sweeper'].environment).toBeUndefined();
  expect(provider.websocketsApiRouteSelectionExpression).toBeUndefined();
  expect(JSON.stringify({ functions, resources })).not.toMatch(
    /ManageConnections|ConnectionsTable|WebsocketsApi|websocket/,
  );
});

test('with live subscriptions: a table, streams of what changes, and a function that they call', () => {
  const { functions, resources } = serviceOf({ hasLive: true, hasSockets: true });
  expect(Object.keys(functions)).toEqual(['http', 'ws', 'live', 'sweeper']);
  expect(resources['GraphTable'].Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  expect(resources['LiveTable'].Properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
  expect(resources['LiveTable'].DeletionPolicy).toBe('Retain');
  expect(functions['live'].events.map((event: any) => event.stream?.arn['Fn::GetAtt'][0] ?? event.schedule)).toEqual([
    ...['GraphTable', 'LiveTable', 'rate(1 minute)'],
  ]);
  const rightsOn = (role: string) =>
    resources[role].Properties.Policies[0].PolicyDocument.Statement.filter(({ Resource }: any) =>
      JSON.stringify(Resource).includes('LiveTable'),
    ).flatMap(({ Action }: any) => Action);
  expect(rightsOn('HttpRole')).toEqual(['dynamodb:BatchGetItem', 'dynamodb:DescribeTable', 'dynamodb:PutItem']);
  expect(rightsOn('WsRole')).not.toContain('dynamodb:GetRecords');
  // https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html: what the service reads streams with, in its name.
  const ofStreams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  expect(rightsOn('LiveRole').slice(-4)).toEqual(ofStreams.map((action) => `dynamodb:${action}`));
  const ofLogs = resources['LiveRole'].Properties.Policies[0].PolicyDocument.Statement.at(-1).Action;
  expect(ofLogs).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  expect(rightsOn('SweeperRole')).toEqual([]);
  const without = serviceOf({ hasSockets: true });
  expect(JSON.stringify(without.resources)).not.toMatch(/LiveTable|StreamSpec/);
});

test('with everything: a role for each function, its own', () => {
  const { functions, resources } = serviceOf(everything);
  expect(Object.keys(functions)).toEqual(['http', 'stream', 'webhook', 'ws', 'live', 'sweeper']);
  for (const [name, { role }] of Object.entries(functions)) {
    const { Policies } = resources[role].Properties;
    expect([role, Policies.length, Policies[0].PolicyName]).toEqual([expect.stringMatching(/Role$/), 1, name]);
  }
  const manages = Object.entries(resources).filter(([, part]) => JSON.stringify(part).includes('ManageConnections'));
  expect(manages.map(([name]) => name)).toEqual(['WsRole', 'LiveRole', 'SweeperRole']);
  expect(functions['stream']).toMatchObject({
    handler: 'handlers/stream.handler',
    url: { invokeMode: 'RESPONSE_STREAM' },
  });
  expect(functions['stream'].events).toBeUndefined();
});

test('the configuration of the deployment', () => {
  const usual = serviceOf({});
  expect([usual.service, usual.custom]).toEqual([
    'demo',
    { archives: '.', stack: '${self:service}-${self:provider.stage}', tables: '${self:custom.stack}-' },
  ]);
  const { provider, functions, custom } = serviceOf(
    { hasSockets: true },
    `[plugins.scale.cloud]
region = "eu-west-1"
stage = "beta"
stack_name = "shop"
artifact_bucket = "parts"
runtime = "nodejs24.x"
architecture = "x86_64"
memory_mb = 1024
timeout_seconds = 20
websocket_timeout_seconds = 25
reserved_concurrency = 7
log_retention_days = 3
[plugins.scale.database]
dynamodb_table_prefix = "shop_"
`,
  );
  expect(custom).toEqual({ archives: '.', stack: 'shop', tables: 'shop_' });
  expect(provider).toMatchObject({
    region: "${env:AWS_REGION, 'eu-west-1'}",
    stage: "${opt:stage, 'beta'}",
    deploymentBucket: { name: 'parts' },
    runtime: 'nodejs24.x',
    architecture: 'x86_64',
    memorySize: 1024,
    logRetentionInDays: 3,
  });
  const limits = Object.values(functions).map(({ timeout, reservedConcurrency }) => [timeout, reservedConcurrency]);
  expect(limits).toEqual([
    [20, 7],
    [25, 7],
    [30, undefined],
  ]);
});

test('a name of its own, with its certificate', () => {
  expect(serviceOf({}).resources).not.toHaveProperty('Domain');
  const toml = '[plugins.scale.cloud]\ndomain = "shop.example"\n';
  const { resources } = serviceOf({}, `${toml}certificate_arn = "arn:aws:acm:eu-west-1:123456789012:certificate/x"\n`);
  expect(resources['Domain'].Properties).toMatchObject({ DomainName: 'shop.example' });
  expect(resources['DomainMapping'].Properties).toMatchObject({ ApiId: { Ref: 'HttpApi' }, Stage: '$default' });
  const [finding, ...more] = checkFunctions(configOf(toml), () => 'svc.toml:2:10');
  expect([finding!.key, more]).toEqual(['cloud.domain', []]);
});

describe('plain variables', () => {
  const toml = `[plugins.scale.cloud.env]
LOG_STYLE = "compact"
HOME_URL = "https://\${HOST}/"
COLOUR = "\${COLOUR:-deep 'blue'}"
NEEDED = "\${NEEDED:?set it}"
PRICE = "$$5 and $\${x} \\\\$\${y}"
SVC_ENV = "staging"
`;

  test('come with references that osls fills in', () => {
    const { environment } = serviceOf({}, toml).provider;
    expect(environment).toMatchObject({
      LOG_STYLE: 'compact',
      HOME_URL: 'https://${env:HOST}/',
      COLOUR: `\${env:COLOUR, "deep 'blue'"}`,
      NEEDED: '${env:NEEDED}',
      PRICE: '$5 and \\${x} \\\\\\${y}',
      SVC_ENV: 'staging',
    });
  });

  test('have names that the service takes, as secrets have', () => {
    const config = configOf(
      '[project]\nname = "My shop"\n[plugins.scale.secrets]\n1A = "x"\n[plugins.scale.cloud.env]\n"a-b" = "1"\nAWS_REGION = "x"\nAWS_PROFILE = "x"',
    );
    const findings = checkFunctions(config, () => 'svc.toml:1:1').map(({ key, problem }) => `${key}: ${problem}`);
    expect(findings).toEqual([
      expect.stringMatching(/^orchestrator\.app_name: 'My shop' .*did you mean 'my-shop'/),
      'secrets.1A: is not a name of an environment variable',
      'cloud.env.a-b: is not a name of an environment variable',
      'cloud.env.AWS_REGION: is set by the service',
    ]);
  });

  test('name the profile that was built', () => {
    expect(serviceOf({}).provider.environment.SVC_PROFILE).toBeUndefined();
    const config = { ...configOf(''), profile: 'live' };
    expect(commonVariables(config, nothing, noVariables)['SVC_PROFILE']).toEqual({ text: 'live', value: 'live' });
  });

  test('are measured as they will be', () => {
    const env = { HOST: 'shop.example', COLOUR: '' };
    const look = (name: string) => (env as Record<string, string>)[name] || undefined;
    const variables = commonVariables(configOf(toml), nothing, look);
    const values = Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
    expect(values).toMatchObject({
      HOME_URL: 'https://shop.example/',
      COLOUR: "deep 'blue'",
      NEEDED: '',
      PRICE: '$5 and ${x} \\${y}',
    });
    expect(bytesOf({ é: { text: '', value: 'ab' } })).toBe(4);
  });
});

test('a function above the limit is told with what it consists of, the largest first', () => {
  const megabyte = 1024 * 1024;
  const packages = new Map(Array.from({ length: 12 }, (_, i) => [`package-${i}`, (i + 0.5) * megabyte]));
  const http = { name: 'http', unpackedBytes: 262 * megabyte, packages } as const;
  const small = { name: 'sweeper', unpackedBytes: 250 * megabyte, packages } as const;
  expect(findTooLarge([small])).toBeUndefined();
  const found = findTooLarge([small, http])!;
  expect(found.problem).toBe('handler http is 262 MB unpacked, limit 250 MB');
  expect(found.largest).toHaveLength(10);
  expect(found.largest.slice(0, 2)).toEqual(['11.5 MB  package-11', '10.5 MB  package-10']);
  const barely = { ...http, unpackedBytes: 250 * megabyte + 1 };
  expect(findTooLarge([barely])!.problem).toBe('handler http is 251 MB unpacked, limit 250 MB');
});

test('functions in one image count together', () => {
  const gigabyte = 1024 ** 3;
  const functionOf = (name: string, unpackedBytes: number) => ({
    ...{ name, unpackedBytes },
    packages: new Map([['big', unpackedBytes]]),
  });
  expect(findTooLargeImage([functionOf('http', 5 * gigabyte), functionOf('ws', 5 * gigabyte)])).toBeUndefined();
  expect(findTooLargeImage([functionOf('http', 5 * gigabyte), functionOf('ws', 6 * gigabyte)])).toEqual({
    problem: 'the image is 11264 MB unpacked, limit 10240 MB',
    largest: ['6144.0 MB  ws: big', '5120.0 MB  http: big'],
  });
});

test('the gateway waits 30 seconds: functions behind it end before, the address that streams may take longer', () => {
  const toml = '[plugins.scale.cloud]\ntimeout_seconds = 600\nstream_function_url = true\n';
  const { functions } = serviceOf(everything, toml);
  expect(['http', 'webhook', 'stream'].map((name) => functions[name].timeout)).toEqual([30, 30, 600]);
});
