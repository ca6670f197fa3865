/**
 * An account of AWS on this machine: `moto` behind a proxy. The proxy knows every request by its right, fails those that a test wants to fail, and
 * does what moto cannot: outputs of APIs of the second version, operations on stacks that fail and are rolled back, tables that are taken over,
 * drift. Behind the address of the HTTP API run the functions as they were deployed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Resource, Template } from '../../../infra/cloud/template.ts';
import type { Statement } from '../../../infra/targets/cloud/rights.ts';
import { noteMissing } from '../../harness/missing.ts';
import { answers, freePort } from '../../harness/ports.ts';
import { administrator, allows, answerAbout, type Caller, denial, resourceOf } from './caller.ts';
import { type ImageGate, startImageGate } from './image-gate.ts';

const folder = process.env['SVC_MOTO'] || join(homedir(), '.cache/svc-scale/moto');
const program = join(folder, 'bin/moto_server');

/** The checker of templates in the same folder. */
export const cfnLint = join(folder, 'bin/cfn-lint');

/** Notes that there is no counterpart, for the list of what a run left out. */
export function hasNoAccount(): boolean {
  const isThere = existsSync(program) && existsSync(cfnLint);
  if (!isThere) noteMissing('moto (node test/real/aws/build.mjs installs it)');
  return !isThere;
}

/** A request as its right: `s3:PutObject`, and on what. */
export interface Asked {
  readonly action: string;
  /** Key of an object, name of a parameter, '' where tests do not ask. */
  readonly resource: string;
}

/** An answer instead of moto's. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export interface Account extends AsyncDisposable {
  /** Environment of commands that deploy. */
  readonly env: Readonly<Record<string, string>>;
  readonly id: string;
  /** Everything asked, in order. */
  readonly asked: Asked[];
  /** Decides about each request before moto hears of it, which waits for a promise. */
  intercept: (asked: Asked) => Refusal | 'drop' | undefined | Promise<undefined>;
  /** Identity that deploys. */
  caller: Caller;
  /** Rights that CloudFormation asks of whoever deploys to make, change or delete a resource. */
  neededFor: (kind: 'create' | 'update' | 'delete', resource: Resource) => readonly string[];
  /** The reason for which the next change of a stack is rolled back. */
  failNext: string | undefined;
  /** The reason for which the next change set cannot be made. */
  changeSetFails: string | undefined;
  /** State of stacks that DescribeStacks tells instead of moto's. */
  state: string | undefined;
  /** Property differences that the next detection of drift finds. */
  drift: readonly { readonly id: string; readonly path: string; readonly expected: string; readonly actual: string }[];
  /** Answer of the deployed application. */
  gateway: (request: IncomingMessage, body: Buffer) => Promise<{ readonly status: number; readonly body: string }>;
  /** The template that was executed last, in a stack that is there. */
  readonly executed: Template | undefined;
  /** The registry of images, where a test asked for one. */
  readonly registry: ImageGate | undefined;
  /** Resolves when all that was asked is done, also what nobody waits for any longer. */
  settled(): Promise<void>;
  /** Forgets everything but the running programs, once all that was asked is done. */
  reset(): Promise<void>;
  /** A request past the proxy: those of other people. */
  readonly direct: string;
}

const names = /^(CREATE|UPDATE)_COMPLETE$/;

/** @param hasImages with a registry of images */
export async function startAccount(hasImages = false): Promise<Account> {
  const port = await freePort();
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], {
    // The image of a function has to be in the registry.
    env: { ...process.env, MOTO_LAMBDA_STUB_ECR: 'false' },
    stdio: 'ignore',
  });
  const direct = `http://127.0.0.1:${port}`;
  await answers(`${direct}/moto-api/data.json`, () => child.exitCode === null);
  process.stderr.write('counterpart: moto 5.2.5 behind a proxy\n');
  const gatewayServer = createServer((request, response) => void serveApplication(account, request, response));
  gatewayServer.on('upgrade', (request, socket) => {
    socket.on('error', () => {});
    void answerOf(account, request, Buffer.alloc(0)).then(({ status }) => {
      socket.end(`HTTP/1.1 ${status} x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    });
  });
  const gatewayPort = await listen(gatewayServer);
  const stacks = new Stacks(direct, gatewayPort);
  const underWay = new Set<Promise<void>>();
  const proxy = createServer((request, response) => {
    const done = forward(account, stacks, direct, request, response).finally(() => underWay.delete(done));
    underWay.add(done);
  });
  const proxyPort = await listen(proxy);
  const registry = hasImages ? await startImageGate(() => account) : undefined;
  const account: Account = {
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${proxyPort}`,
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'canary-credential',
      AWS_REGION: 'eu-west-1',
      AWS_MAX_ATTEMPTS: '3',
      USER: 'ada',
    },
    id: '123456789012',
    asked: [],
    intercept: () => undefined,
    caller: administrator,
    neededFor: () => [],
    failNext: undefined,
    changeSetFails: undefined,
    state: undefined,
    drift: [],
    gateway: async () => ({ status: 200, body: '{}' }),
    get executed() {
      return stacks.executed;
    },
    direct,
    registry,
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    async reset() {
      await account.settled();
      await registry?.forget();
      await fetch(`${direct}/moto-api/reset`, { method: 'POST' });
      stacks.forget();
      account.asked.length = 0;
      account.intercept = () => undefined;
      account.caller = administrator;
      account.neededFor = () => [];
      account.failNext = undefined;
      account.changeSetFails = undefined;
      account.state = undefined;
      account.drift = [];
      account.gateway = async () => ({ status: 200, body: '{}' });
    },
    async [Symbol.asyncDispose]() {
      for (const server of [proxy, gatewayServer]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
      await registry?.[Symbol.asyncDispose]();
      child.kill('SIGKILL');
    },
  };
  return account;
}

async function listen(server: Server): Promise<number> {
  // A connection must not end just when it is taken again.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serveApplication(account: Account, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  const { status, body } = await answerOf(account, request, await buffer(request));
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** The service answers 502 for a function that fails. */
async function answerOf(account: Account, request: IncomingMessage, body: Buffer): ReturnType<Account['gateway']> {
  try {
    return await account.gateway(request, body);
  } catch (error) {
    return { status: 502, body: JSON.stringify({ error: String(error) }) };
  }
}

const tableType = 'AWS::DynamoDB::Table';

interface MadeChangeSet {
  readonly template: Template;
  readonly takesOver: boolean;
}

/** The part of stacks that moto does not know. One stack is enough for these tests. */
class Stacks {
  executed: Template | undefined;
  /** Templates that change sets were made of, and whether they may take tables over. */
  private readonly made = new Map<string, MadeChangeSet>();
  /** The state and the reason after an operation that was rolled back. */
  private rolledBack: { readonly state: string; readonly event: string } | undefined;
  /** The state while moto changes the stack, which keeps that of before until it is done. */
  underWay: string | undefined;
  /** All that the stack has had, tables as they were made. moto deletes also what is kept, and makes nothing twice, so it hears that all is still there. */
  private known: Readonly<Record<string, Resource>> = {};
  private readonly direct: string;
  private readonly gatewayPort: number;

  constructor(direct: string, gatewayPort: number) {
    this.direct = direct;
    this.gatewayPort = gatewayPort;
  }

  forget(): void {
    this.executed = undefined;
    this.made.clear();
    this.known = {};
    this.rolledBack = undefined;
    this.underWay = undefined;
  }

  /** Gives an answer, or lets moto have the request. */
  async before(account: Account, action: string, query: URLSearchParams): Promise<string | undefined> {
    const result = (name: string, inner: string) =>
      `<${name}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${name}Result>${inner}</${name}Result></${name}Response>`;
    if (action === 'ExecuteChangeSet') {
      this.underWay = this.executed === undefined ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS';
      const made = this.made.get(query.get('ChangeSetName') ?? '');
      if (made !== undefined)
        account.failNext ??=
          askedOfCaller(account, this.executed, made.template) ??
          refusedStream(made.template) ??
          (await this.refusedTable(made));
      if (account.failNext !== undefined) {
        const state = this.executed === undefined ? 'ROLLBACK_COMPLETE' : 'UPDATE_ROLLBACK_COMPLETE';
        const failed = this.executed === undefined ? 'CREATE_FAILED' : 'UPDATE_FAILED';
        const event = [
          ['HttpLambdaFunction', failed, account.failNext],
          ['HttpRole', failed, 'Resource creation cancelled'],
          ['demo-prod', state, ''],
        ]
          .reverse()
          .map(([id, status, reason]) => eventXml(id!, status!, reason!))
          .join('');
        this.rolledBack = { state, event };
        account.failNext = undefined;
        this.underWay = undefined;
        return result(action, '');
      }
      this.rolledBack = undefined;
      if (made !== undefined) await this.openStreams(made.template);
      if (made?.takesOver) await this.forgetTables(made.template);
      this.executed = made?.template ?? this.executed;
      const now = Object.entries(this.executed?.Resources ?? {}).map(([id, { Metadata: _, ...one }]) => [
        id,
        (one.Type === tableType && this.known[id]) || one,
      ]);
      this.known = { ...this.known, ...Object.fromEntries(now) };
    }
    // moto would have two stacks of one name.
    if (action === 'CreateChangeSet' && query.get('ChangeSetType') === 'CREATE')
      await this.forgetEmptyStack(query.get('StackName')!);
    if (action === 'DeleteStack') {
      const refused = this.executed === undefined ? undefined : askedOfCaller(account, this.executed, undefined);
      if (refused !== undefined) {
        const events = [eventXml('demo-prod', 'DELETE_FAILED', ''), eventXml('HttpRole', 'DELETE_FAILED', refused)];
        this.rolledBack = { state: 'DELETE_FAILED', event: events.join('') };
        return result(action, '');
      }
      this.rolledBack = undefined;
      this.executed = undefined;
      this.known = {};
    }
    if (action === 'GetTemplate' && this.executed !== undefined)
      return result(action, `<TemplateBody>${escaped(JSON.stringify(this.executed))}</TemplateBody>`);
    if (action === 'DetectStackDrift') return result(action, '<StackDriftDetectionId>d1</StackDriftDetectionId>');
    if (action === 'DescribeStackDriftDetectionStatus')
      return result(
        action,
        `<StackDriftDetectionId>d1</StackDriftDetectionId><StackId>s</StackId><Timestamp>2026-01-01T00:00:00Z</Timestamp><DetectionStatus>DETECTION_COMPLETE</DetectionStatus><StackDriftStatus>${account.drift.length === 0 ? 'IN_SYNC' : 'DRIFTED'}</StackDriftStatus>`,
      );
    if (action === 'DescribeStackResourceDrifts')
      return result(action, `<StackResourceDrifts>${account.drift.map(driftXml).join('')}</StackResourceDrifts>`);
    return undefined;
  }

  /**
   * moto remembers the parameters of a stack, and fails over a template that has them no longer; it makes a table that changes anew, so it hears
   * of the table as it was, and its stream is changed by `openStreams`.
   */
  toldMoto(action: string, query: URLSearchParams): URLSearchParams {
    if (action !== 'CreateChangeSet') return query;
    const template = JSON.parse(query.get('TemplateBody')!) as Template;
    const { Parameters = { ArtifactBucket: { Type: 'String', Default: '' } } } = template;
    const Resources = Object.entries(template.Resources).map(([id, one]) => {
      const { Metadata: _, ...resource } = one;
      return [id, (resource.Type === tableType && this.known[id]) || resource];
    });
    const changed = new URLSearchParams(query);
    changed.set(
      'TemplateBody',
      JSON.stringify({ ...template, Parameters, Resources: { ...this.known, ...Object.fromEntries(Resources) } }),
    );
    return changed;
  }

  /** moto opens the stream of a table once, and does not open it again. */
  private async openStreams({ Resources }: Template): Promise<void> {
    for (const [id, { Properties }] of Object.entries(Resources)) {
      const before = this.known[id];
      const { TableName, StreamSpecification } = Properties as { TableName: string; StreamSpecification?: object };
      if (before === undefined || StreamSpecification === undefined) continue;
      if (before.Properties['StreamSpecification'] === undefined)
        await this.dynamo('UpdateTable', {
          TableName,
          StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
        });
    }
  }

  /** Changes what moto answered. */
  after(account: Account, action: string, query: URLSearchParams, text: string): string {
    if (action === 'CreateChangeSet') {
      const id = /<Id>([^<]+)</.exec(text)?.[1];
      const takesOver = query.get('ImportExistingResources') === 'true';
      if (id !== undefined) this.made.set(id, { template: JSON.parse(query.get('TemplateBody')!), takesOver });
    }
    if (action === 'GetTemplate' && this.executed?.Parameters === undefined && this.executed !== undefined) {
      const body = JSON.stringify(this.executed).replace(/[<&]/g, (one) => `&#${one.charCodeAt(0)};`);
      return text.replace(/<TemplateBody>[\s\S]*<\/TemplateBody>/, () => `<TemplateBody>${body}</TemplateBody>`);
    }
    if (action === 'DescribeStacks') {
      const state = account.state ?? this.underWay ?? this.rolledBack?.state;
      const shown = state === undefined ? text : text.replace(/<StackStatus>\w+/, `<StackStatus>${state}`);
      const isMade = names.test(/<StackStatus>(\w+)/.exec(text)?.[1] ?? '');
      return isMade ? shown.replace('<DisableRollback>', `${this.outputs()}<DisableRollback>`) : shown;
    }
    if (action === 'DescribeChangeSet' && account.changeSetFails !== undefined)
      return text.replace(
        /<Status>\w+<\/Status>/,
        `<Status>FAILED</Status><StatusReason>${account.changeSetFails}</StatusReason>`,
      );
    if (action === 'DescribeStackEvents' && this.rolledBack !== undefined)
      return text.replace('<StackEvents>', `<StackEvents>${this.rolledBack.event}`);
    return text;
  }

  /** CloudFormation gives the tags of a stack to its tables. */
  async tagTables(account: string): Promise<void> {
    for (const { Type, Properties } of Object.values(this.executed?.Resources ?? {})) {
      if (Type !== tableType) continue;
      const ResourceArn = `arn:aws:dynamodb:eu-west-1:${account}:table/${Properties['TableName']}`;
      const Tags = [
        { Key: 'managed', Value: 'svc-scale' },
        { Key: 'app', Value: 'demo' },
      ];
      await this.dynamo('TagResource', { ResourceArn, Tags });
    }
  }

  private outputs(): string {
    const at = `127.0.0.1:${this.gatewayPort}`;
    const values: Readonly<Record<string, string>> = {
      HttpApiUrl: `http://${at}`,
      ServiceEndpointWebsocket: `ws://${at}/prod`,
    };
    const known = Object.keys(this.executed?.Outputs ?? {}).filter((name) => name in values);
    const members = known.map(
      (name) => `<member><OutputKey>${name}</OutputKey><OutputValue>${values[name]}</OutputValue></member>`,
    );
    return `<Outputs>${members.join('')}</Outputs>`;
  }

  private async forgetEmptyStack(name: string): Promise<void> {
    const headers = { ...signed('cloudformation'), 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ Action: 'DeleteStack', Version: '2010-05-15', StackName: name });
    await fetch(this.direct, { method: 'POST', headers, body });
  }

  /** A stack cannot make a table that is there, and takes it over as it is. */
  private async refusedTable({ template, takesOver }: MadeChangeSet): Promise<string | undefined> {
    for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
      if (Type !== tableType || this.executed?.Resources[id] !== undefined) continue;
      const { TableName, StreamSpecification } = Properties as { TableName: string; StreamSpecification?: object };
      const answer = await this.dynamo('DescribeTable', { TableName });
      if (!answer.ok) continue;
      if (!takesOver) return `${TableName} already exists in stack arn:aws:cloudformation:of-before`;
      const { Table } = (await answer.json()) as { Table: { StreamSpecification?: { StreamEnabled?: boolean } } };
      if (StreamSpecification !== undefined && Table.StreamSpecification?.StreamEnabled !== true)
        return `Attribute 'StreamArn' does not exist of ${id}`;
    }
    return undefined;
  }

  private async dynamo(operation: string, body: object): Promise<Response> {
    return await fetch(this.direct, {
      method: 'POST',
      headers: { ...signed('dynamodb'), 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: JSON.stringify(body),
    });
  }

  /** moto makes tables anew, so those that a stack takes over go first. */
  private async forgetTables({ Resources }: Template): Promise<void> {
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      if (Type !== tableType || this.known[id] !== undefined) continue;
      await this.dynamo('DeleteTable', { TableName: Properties['TableName'] });
    }
  }
}

/** Headers by which moto knows what a request of a test is about. */
export function signed(service: string): Record<string, string> {
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=test/20261124/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
    'content-type': 'application/x-amz-json-1.1',
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function eventXml(id: string, status: string, reason: string): string {
  return `<member><EventId>${id}-${status}-${Math.random()}</EventId><StackId>s</StackId><StackName>s</StackName><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${id === 'demo-prod' ? 'AWS::CloudFormation::Stack' : 'AWS::Lambda::Function'}</ResourceType><Timestamp>2026-11-24T10:00:00Z</Timestamp><ResourceStatus>${status}</ResourceStatus>${reason === '' ? '' : `<ResourceStatusReason>${reason}</ResourceStatusReason>`}</member>`;
}

function driftXml({ id, path, expected, actual }: Account['drift'][number]): string {
  return `<member><StackId>s</StackId><LogicalResourceId>${id}</LogicalResourceId><ResourceType>t</ResourceType><StackResourceDriftStatus>MODIFIED</StackResourceDriftStatus><Timestamp>2026-01-01T00:00:00Z</Timestamp><PropertyDifferences><member><PropertyPath>${path}</PropertyPath><ExpectedValue>${expected}</ExpectedValue><ActualValue>${actual}</ActualValue><DifferenceType>NOT_EQUAL</DifferenceType></member></PropertyDifferences></member>`;
}

/** Gives the reason for which CloudFormation fails on the way from one template to another: the first right that is missing. */
function askedOfCaller(
  { caller, asked, neededFor }: Account,
  before: Template | undefined,
  after: Template | undefined,
): string | undefined {
  const [old, wanted] = [before?.Resources ?? {}, after?.Resources ?? {}];
  for (const id of Object.keys({ ...old, ...wanted })) {
    const [from, to] = [old[id], wanted[id]];
    if (JSON.stringify(from) === JSON.stringify(to) || (to === undefined && from!['DeletionPolicy'] === 'Retain'))
      continue;
    const kind = from === undefined ? 'create' : to === undefined ? 'delete' : 'update';
    const resource = (to ?? from)!;
    const actions = neededFor(kind, resource);
    asked.push(...actions.map((action) => ({ action, resource: resource.Type })));
    const names = new Set(caller.policy?.Statement.flatMap((one) => (isFor(one, resource) ? one.Action : [])));
    const denied = actions.find((action) => caller.policy !== undefined && !names.has(action));
    if (denied !== undefined) return denial(caller, denied, 'a resource of the stack');
  }
  return undefined;
}

/** True when a statement is about a resource: rights on tables of earlier stacks are none on those of this one, and functions are no mappings. */
function isFor({ Sid }: Statement, { Type }: Resource): boolean {
  if (Sid === 'Functions') return Type !== 'AWS::Lambda::EventSourceMapping';
  return Sid !== 'OtherTables' && (!Sid.includes('Mapping') || Type === 'AWS::Lambda::EventSourceMapping');
}

/** Lambda tries the role of a function before it follows a stream for it. */
function refusedStream({ Resources }: Template): string | undefined {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    const { FunctionName, EventSourceArn } = Properties as Readonly<Record<string, Attribute>>;
    const { Role } = Resources[FunctionName!['Fn::GetAtt'][0]]!.Properties as Readonly<Record<string, Attribute>>;
    const rights = rightsOf(Resources[Role!['Fn::GetAtt'][0]]!, JSON.stringify(EventSourceArn));
    if (ofStreams.every((action) => rights.includes(`dynamodb:${action}`))) continue;
    return `Cannot access stream ${EventSourceArn!['Fn::GetAtt'][0]}. Please ensure the role can perform the GetRecords, GetShardIterator, DescribeStream, and ListStreams Actions on your stream in IAM.`;
  }
  return undefined;
}

interface Attribute {
  readonly 'Fn::GetAtt': readonly [string, string];
}

const ofStreams = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'];

/** `resource`: JSON of the resource that the rights are on. */
function rightsOf({ Properties }: Resource, resource: string): string[] {
  const [policy] = Properties['Policies'] as [
    { readonly PolicyDocument: { readonly Statement: readonly { Action: string | string[]; Resource: unknown }[] } },
  ];
  return policy.PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
    JSON.stringify(Resource).includes(resource) ? [Action].flat() : [],
  );
}

async function forward(
  account: Account,
  stacks: Stacks,
  direct: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => {});
  const body = await buffer(request);
  const service = /\/([a-z0-9-]+)\/aws4_request/.exec(String(request.headers.authorization ?? ''))?.[1] ?? 's3';
  const asked = nameOf(service, request, body);
  account.asked.push(...actionsOf(asked, body).map((action) => ({ ...asked, action })));
  const refusal = await account.intercept(asked);
  if (refusal === 'drop') return void response.destroy();
  if (refusal !== undefined) return refuse(refusal, service, request, response);
  for (const action of actionsOf(asked, body)) {
    const resource = resourceOf(service, request, body);
    if (action === 'sts:GetCallerIdentity' || allows(account.caller, action, resource)) continue;
    const message = denial(account.caller, action, resource);
    return refuse({ status: 403, code: 'AccessDenied', message }, service, request, response);
  }
  const query = new URLSearchParams(body.toString());
  const action = asked.action.split(':')[1]!;
  const about = answerAbout(account.caller, asked.action, query);
  if (about !== undefined) return void response.writeHead(200, { 'content-type': 'text/xml' }).end(about);
  const isStack = service === 'cloudformation';
  const own = isStack ? await stacks.before(account, action, query) : undefined;
  if (own !== undefined) return void response.writeHead(200, { 'content-type': 'text/xml' }).end(own);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'expect'].includes(name),
    ),
  ) as Record<string, string>;
  const answer = await fetch(direct + request.url, {
    method: request.method!,
    headers,
    ...(body.length > 0 && !['GET', 'HEAD'].includes(request.method!)
      ? { body: isStack ? stacks.toldMoto(action, query).toString() : body }
      : {}),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const given = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['content-encoding', 'transfer-encoding', 'connection'].includes(name)),
  );
  const images = service === 'ecr' && answer.ok ? account.registry : undefined;
  await images?.hear(asked.action, body);
  if (images !== undefined) {
    delete given['content-length'];
    return void response.writeHead(answer.status, given).end(images.translate(asked.action, bytes.toString()));
  }
  if (!isStack || !answer.ok) {
    if (request.method !== 'HEAD') delete given['content-length'];
    return void response.writeHead(answer.status, given).end(bytes);
  }
  delete given['content-length'];
  if (action === 'ExecuteChangeSet') {
    await stacks.tagTables(account.id);
    stacks.underWay = undefined;
  }
  response.writeHead(answer.status, given).end(stacks.after(account, action, query, bytes.toString()));
}

/** Rights that one request needs: tags are given by one of their own, and drift is looked for resource by resource. */
function actionsOf({ action }: Asked, body: Buffer): string[] {
  if (action === 'ecr:CreateRepository') return [action, 'ecr:TagResource'];
  if (action === 'ssm:PutParameter' && body.includes('"Tags"')) return [action, 'ssm:AddTagsToResource'];
  if (action === 'cloudformation:DetectStackDrift')
    return [action, 'cloudformation:DetectStackResourceDrift', 'cloudformation:BatchDescribeTypeConfigurations'];
  return [action];
}

/** The right that a request needs, by the three forms in which these services are asked. */
function nameOf(service: string, { method, url, headers }: IncomingMessage, body: Buffer): Asked {
  const target = headers['x-amz-target'];
  if (target !== undefined) {
    const { Name, Names, ResourceId, Path, repositoryName } = JSON.parse(body.toString() || '{}');
    return {
      action: `${service}:${String(target).split('.')[1]}`,
      resource: String(Name ?? ResourceId ?? Names ?? Path ?? repositoryName ?? ''),
    };
  }
  if (service !== 's3') {
    const query = new URLSearchParams(body.toString());
    return { action: `${service}:${query.get('Action')}`, resource: query.get('StackName') ?? '' };
  }
  const { pathname, searchParams } = new URL(url!, 'http://x');
  const [, , ...key] = pathname.split('/');
  const resource = decodeURIComponent(key.join('/'));
  return { action: `s3:${objectAction(method!, resource, searchParams)}`, resource };
}

function objectAction(method: string, key: string, query: URLSearchParams): string {
  if (query.has('tagging')) return `${method === 'GET' ? 'Get' : 'Put'}BucketTagging`;
  if (query.has('delete')) return 'DeleteObject';
  if (key === '') return method === 'PUT' ? 'CreateBucket' : method === 'DELETE' ? 'DeleteBucket' : 'ListBucket';
  return method === 'PUT' ? 'PutObject' : method === 'DELETE' ? 'DeleteObject' : 'GetObject';
}

function refuse(
  { status, code, message }: Refusal,
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isJson = request.headers['x-amz-target'] !== undefined;
  const error = `<Code>${code}</Code><Message>${message}</Message>`;
  const text = isJson
    ? JSON.stringify({ __type: code, message })
    : service === 's3'
      ? `<Error>${error}</Error>`
      : `<ErrorResponse><Error><Type>Sender</Type>${error}</Error><RequestId>r</RequestId></ErrorResponse>`;
  response
    .writeHead(status, { 'content-type': isJson ? 'application/x-amz-json-1.1' : 'text/xml' })
    .end(request.method === 'HEAD' ? undefined : text);
}
