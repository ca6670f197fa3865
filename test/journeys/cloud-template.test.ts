/**
 * `serverless.yml`, packaged by osls: the stack it makes (docs/server/cloud.md#resources), its rights
 * (docs/server/cloud.md#rights), and what a checker of templates says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDynamoConnections } from '../../adapters/stores/dynamodb/connections.ts';
import { openDynamoStore } from '../../adapters/stores/dynamodb/store.ts';
import { packageWithOsls, type Template, templateErrors } from '../harness/cloud-template.ts';
import { startDynamo } from '../harness/dynamo-server.ts';
import { packageApp } from '../harness/offline-server.ts';
import { httpEvent, socketEvent, unpackFunction } from '../harness/packaged-function.ts';
import { copyApp, removeFolder, repository } from '../harness/server.ts';

const tablePrefix = 'demo-prod-';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const secret = 'a secret of the deploying shell 0123456789';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

let folder: string;
let template: Template;

beforeAll(async () => {
  folder = copyApp(join(repository, 'test/wire/app'));
  await packageApp(folder, {
    SVC_CLOUD_STREAM_FUNCTION_URL: 'true',
    SVC_CLOUD_DOMAIN: 'demo.example',
    SVC_CLOUD_CERTIFICATE_ARN: certificate,
  });
  template = packageWithOsls(folder, { JWT_SECRET: secret });
});
afterAll(() => removeFolder(folder));

const list = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : value);

test('the build writes what docs/cloud.md lists', () => {
  const page = readFileSync(join(repository, 'docs/cloud.md'), 'utf8');
  const listed = [...page.matchAll(/^\.svc\/build\/cloud\/([\w.]+)\/? /gm)].map(([, name]) => name!);
  // This application has no topics.
  const written = [...readdirSync(join(folder, '.svc/build/cloud')), 'live.zip'];
  expect(listed.sort()).toEqual(written.sort());
});

test('functions with their handlers, limits and log groups', () => {
  const functions = template
    .ofType('AWS::Lambda::Function')
    .map(({ Properties: p }) => [
      p.FunctionName,
      p.Handler,
      p.Timeout,
      p.MemorySize,
      p.Runtime,
      p.Architectures[0],
      p.Role['Fn::GetAtt'],
    ]);
  const common = [512, 'nodejs22.x', 'arm64'];
  expect(functions).toEqual([
    ['demo-prod-http', 'handlers/http.handler', 29, ...common, ['HttpRole', 'Arn']],
    ['demo-prod-stream', 'handlers/stream.handler', 29, ...common, ['StreamRole', 'Arn']],
    ['demo-prod-webhook', 'handlers/webhook.handler', 29, ...common, ['WebhookRole', 'Arn']],
    ['demo-prod-ws', 'handlers/websocket.handler', 30, ...common, ['WsRole', 'Arn']],
    ['demo-prod-sweeper', 'handlers/sweeper.handler', 30, ...common, ['SweeperRole', 'Arn']],
  ]);
  const groups = template.ofType('AWS::Logs::LogGroup').map(({ Properties: p }) => [p.LogGroupName, p.RetentionInDays]);
  expect(groups).toEqual(functions.map(([name]) => [`/aws/lambda/${name}`, 30]));
});

test('an HTTP API without CORS of its own, a WebSocket API whose messages reach $default, a schedule', () => {
  const apis = template.ofType('AWS::ApiGatewayV2::Api').map(({ Properties: p }) => p);
  const http = apis.find(({ ProtocolType }) => ProtocolType === 'HTTP');
  const socket = apis.find(({ ProtocolType }) => ProtocolType === 'WEBSOCKET');
  expect(apis).toHaveLength(2);
  expect(http.CorsConfiguration).toBeUndefined();
  expect(socket.RouteSelectionExpression).toBe('$request.body.action');
  const routes = template.ofType('AWS::ApiGatewayV2::Route').map(({ Properties: p }) => p.RouteKey);
  expect(routes.sort()).toEqual(
    ['$connect', '$default', '$disconnect', 'ANY /', 'ANY /{proxy+}', 'POST /webhook/{name}'].sort(),
  );
  const versions = template.ofType('AWS::ApiGatewayV2::Integration').map(({ Properties: p }) => p.PayloadFormatVersion);
  expect(versions.filter(Boolean)).toEqual(['2.0', '2.0']);
  expect(template.ofType('AWS::Events::Rule').map(({ Properties: p }) => p.ScheduleExpression)).toEqual([
    'rate(5 minutes)',
  ]);
});

test('the name of the application leads to the HTTP API', () => {
  const [domain] = template.ofType('AWS::ApiGatewayV2::DomainName').map(({ Properties: p }) => p);
  expect(domain).toMatchObject({
    DomainName: 'demo.example',
    DomainNameConfigurations: [{ CertificateArn: certificate, EndpointType: 'REGIONAL' }],
  });
  const [mapping] = template.ofType('AWS::ApiGatewayV2::ApiMapping').map(({ Properties: p }) => p);
  expect(mapping.Stage).toBe('$default');
  for (const { Ref } of [mapping.ApiId, mapping.DomainName]) expect(template.resources).toHaveProperty(Ref);
});

test('the address that streams: no CORS of its own, and calls the function that streams', () => {
  const addresses = template.ofType('AWS::Lambda::Url').map(({ Properties: p }) => p);
  expect(addresses).toEqual([
    { AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM', TargetFunctionArn: expect.anything() },
  ]);
  expect(JSON.stringify(addresses[0].TargetFunctionArn)).toContain('StreamLambdaFunction');
});

test('tables: on demand, encrypted, kept when the stack goes, with the keys the stores use', () => {
  const tables = template.ofType('AWS::DynamoDB::Table');
  const keys = (schema: any[]) => schema.map(({ AttributeName }) => AttributeName);
  expect(tables.map(({ Properties: p }) => [p.TableName, keys(p.KeySchema)])).toEqual([
    ['demo-prod-graph', ['pk', 'sk']],
    ['demo-prod-connections', ['cid']],
  ]);
  for (const { Properties: p, ...table } of tables) {
    expect([table.DeletionPolicy, table.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    expect([p.BillingMode, p.SSESpecification.SSEEnabled]).toEqual(['PAY_PER_REQUEST', true]);
    expect(p.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
  }
  expect(tables[0]!.Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
  const indexes = tables[1]!.Properties.GlobalSecondaryIndexes;
  expect(indexes.map((index: any) => [index.IndexName, keys(index.KeySchema)])).toEqual([
    ['by_target', ['target', 'cid']],
    ['by_user', ['user_id', 'cid']],
  ]);
});

test('each function has a role of its own with what it uses, on its own resources', () => {
  const item = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'DescribeTable', 'GetItem', 'PutItem', 'Query'];
  const items = [...item, 'Scan', 'UpdateItem'];
  const on = (table: string, actions: readonly string[]) => actions.map((action) => `dynamodb:${action} ${table}`);
  const logs = (name: string) => ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} ${name}`);
  const parameters = 'ssm:GetParametersByPath demo-prod';
  const manage = 'execute-api:ManageConnections api';
  const own = ['DeleteItem', 'DescribeTable', 'GetItem', 'PutItem', 'UpdateItem'];
  expect(rightsOfRoles()).toEqual({
    HttpRole: [...on('graph', items), ...logs('http'), parameters].sort(),
    StreamRole: [...on('graph', items), ...logs('stream'), parameters].sort(),
    WebhookRole: [...on('graph', items), ...logs('webhook'), parameters].sort(),
    WsRole: [
      ...on('graph', items),
      ...on('connections', own),
      ...on('connections/index', ['Query']),
      ...logs('ws'),
      parameters,
      manage,
    ].sort(),
    SweeperRole: [
      ...on('graph', [...item.filter((one) => one !== 'ConditionCheckItem'), 'UpdateItem']),
      ...on('connections', ['DeleteItem', 'DescribeTable', 'Scan']),
      ...logs('sweeper'),
      manage,
    ].sort(),
  });
});

/** `action where` for each role. */
function rightsOfRoles(): Record<string, string[]> {
  const rights: Record<string, string[]> = {};
  for (const { name, Properties: p } of template.ofType('AWS::IAM::Role')) {
    expect([p.Policies.length, p.ManagedPolicyArns]).toEqual([1, undefined]);
    rights[name] = (p.Policies[0].PolicyDocument.Statement as Statement[])
      .flatMap(({ Effect, Action, Resource }) => {
        expect(Effect).toBe('Allow');
        const where = JSON.stringify(Resource);
        expect(where).not.toMatch(/"\*"/);
        return list(Action).map((action) => `${action} ${whereOf(where)}`);
      })
      .sort();
  }
  return rights;
}

function whereOf(resource: string): string {
  if (resource.includes('ConnectionsTable.Arn}/index/')) return 'connections/index';
  if (resource.includes('ConnectionsTable')) return 'connections';
  if (resource.includes('GraphTable')) return 'graph';
  if (resource.includes(':execute-api:') && resource.includes('${WebsocketsApi}/prod/')) return 'api';
  return (
    /log-group:\/aws\/lambda\/demo-prod-(\w+):\*/.exec(resource)?.[1] ??
    /parameter\/(demo-prod)"/.exec(resource)?.[1] ??
    resource
  );
}

test('functions use nothing their roles do not allow', async () => {
  const dynamo = await startDynamo();
  const options = { endpoint: dynamo.endpoint, tablePrefix };
  await (await openDynamoStore(options)).graph.close();
  await (await openDynamoConnections(options)).close();
  const used = new Set<string>();
  const recorder = createServer(async (request, response) => {
    const body = await text(request);
    for (const one of actionsOf(String(request.headers['x-amz-target']).split('.')[1]!, JSON.parse(body)))
      used.add(one);
    const headers = { ...(request.headers as Record<string, string>) };
    const answer = await fetch(dynamo.endpoint, { method: 'POST', headers: { ...headers, host: '' }, body }).catch(
      String,
    );
    if (typeof answer === 'string') return response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
  const env = {
    SVC_DATABASE_STORE: 'dynamodb',
    SVC_DATABASE_DYNAMODB_TABLE_PREFIX: tablePrefix,
    SVC_DATABASE_DYNAMODB_ENDPOINT: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    SVC_MANAGEMENT_ENDPOINT: 'http://127.0.0.1:1',
    SSO_MOCK_CLIENT_SECRET: 'of the environment',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const uses = async (archive: string, role: string, events: readonly unknown[]): Promise<any[]> => {
    using unpacked = unpackFunction(join(folder, `.svc/build/cloud/${archive}.zip`), archive, env);
    used.clear();
    const answers = await unpacked.call(events);
    expect([...used].filter((one) => !rightsOfRoles()[role]!.includes(one))).toEqual([]);
    expect(used.size).toBeGreaterThan(3);
    return answers;
  };
  try {
    const account = { username: 'ada', password: 'correct horse 1' };
    const [registered] = await uses('http', 'HttpRole', [httpEvent('POST', '/user/register', account)]);
    const bearer = { authorization: `Bearer ${JSON.parse(registered.body).data.access_token}` };
    const signedIn = (path: string, body: unknown) => {
      const event = httpEvent('POST', path, body);
      return { ...event, headers: { ...event.headers, ...bearer } };
    };
    const answers = await uses('http', 'HttpRole', [
      signedIn('/walker/AddTask', { title: 'milk' }),
      signedIn('/walker/Bump', { name: 'hits' }),
      signedIn('/walker/Bump', { name: 'hits' }),
      signedIn('/api-key/create', { name: 'hook' }),
      signedIn('/user/logout', {}),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 201, 200]);
    const { api_key: key } = JSON.parse(answers[3].body).data;
    const hook = httpEvent('POST', '/webhook/PaymentReceived', { payment_id: 'P', amount: 1 });
    await uses('webhook', 'WebhookRole', [{ ...hook, headers: { ...hook.headers, 'x-api-key': key } }]);
    await uses('websocket', 'WsRole', [
      socketEvent('$connect', 'c1=', { walker: 'Room' }),
      { ...socketEvent('$default', 'c1='), body: '{"type": "pong"}' },
      socketEvent('$disconnect', 'c1='),
    ]);
    await uses('sweeper', 'SweeperRole', [{}]);
  } finally {
    recorder.close();
    await dynamo.stop();
  }
});

/** Lists the rights an operation needs, as `action where`. */
function actionsOf(operation: string, input: any): string[] {
  const table = (name: string) => name.slice(tablePrefix.length);
  if (operation === 'TransactWriteItems') {
    const actions = {
      Put: 'PutItem',
      Update: 'UpdateItem',
      Delete: 'DeleteItem',
      ConditionCheck: 'ConditionCheckItem',
    };
    return input.TransactItems.flatMap((item: object) =>
      Object.entries(item).map(([kind, one]) => `dynamodb:${actions[kind as 'Put']} ${table(one.TableName)}`),
    );
  }
  if (operation === 'BatchGetItem')
    return Object.keys(input.RequestItems).map((name) => `dynamodb:BatchGetItem ${table(name)}`);
  return [`dynamodb:${operation} ${table(input.TableName)}${input.IndexName === undefined ? '' : '/index'}`];
}

test('no secret stands in the template or in what is uploaded with it', () => {
  expect(template.text).not.toContain(secret);
  expect(readFileSync(join(folder, '.serverless/serverless-state.json'), 'utf8')).not.toContain(secret);
  for (const { Properties: p } of template.ofType('AWS::Lambda::Function')) {
    expect(Object.keys(p.Environment.Variables).filter((name) => /SECRET$|TOKEN|PASSWORD/.test(name))).toEqual([]);
  }
});

test("the vendor's checker finds no error", () => {
  expect(templateErrors(folder)).toEqual([]);
});
