/** The functions of a stack, run as they were deployed: their archives from the bucket, their variables from the template, their secrets from the parameters. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Template } from '../../../infra/cloud/template.ts';
import { archivesOf } from '../../../infra/targets/cloud/revisions.ts';
import { httpEvent, type PackagedFunction, socketEvent, unpackFunction } from '../../harness/packaged-function.ts';
import { type Account, signed } from './account.ts';

export interface RunFunctions {
  readonly account: Account;
  readonly bucket: string;
  readonly stack: string;
  /** Emulator of DynamoDB with the tables of the stack. */
  readonly dynamo: string;
}

/** Answers requests to the HTTP API, and handshakes, by a process for each. */
export function functionGateway(options: RunFunctions): Account['gateway'] {
  return async (request, body) => {
    const isSocket = request.headers.upgrade !== undefined;
    const query = Object.fromEntries(new URL(request.url!, 'http://x').searchParams);
    const event = isSocket ? socketEvent('$connect', 'c1=', query) : eventOf(request, body);
    const { statusCode, body: text = '' } = await call(options, isSocket ? 'websocket' : 'http', event);
    return { status: statusCode, body: text };
  };
}

function eventOf({ method, url, headers }: IncomingMessage, body: Buffer) {
  const { pathname, search } = new URL(url!, 'http://x');
  const event = httpEvent(method!, pathname);
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return {
    ...event,
    rawQueryString: search.slice(1),
    headers: given,
    ...(body.length > 0 ? { body: body.toString() } : {}),
  };
}

async function call(options: RunFunctions, name: string, event: object): Promise<any> {
  using unpacked = await fetchFunction(options, name);
  const [answer] = await unpacked.call([event]);
  return answer;
}

/** Gives a function as it was deployed. `more`: variables instead of those it was deployed with. */
export async function fetchFunction(
  { account, bucket, stack, dynamo }: RunFunctions,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<PackagedFunction> {
  const template = account.executed!;
  const { Properties } = functionOf(template, name);
  const [key] = archivesOf({ ...template, Resources: { one: functionOf(template, name) } });
  const headers = { authorization: signed('s3')['authorization']! };
  const archive = await (await fetch(`${account.direct}/${bucket}/${key}`, { headers })).arrayBuffer();
  const folder = mkdtempSync(join(tmpdir(), 'svc-function-'));
  try {
    writeFileSync(join(folder, 'function.zip'), Buffer.from(archive));
    return unpackFunction(join(folder, 'function.zip'), name, {
      ...knownVariables(Properties, bucket),
      ...(name === 'sweeper' ? {} : await secretsOf(account, stack)),
      // Read above; the service's own address cannot be another.
      SVC_SECRETS_PATH: '',
      SVC_DATABASE_DYNAMODB_ENDPOINT: dynamo,
      SVC_MANAGEMENT_ENDPOINT: 'http://127.0.0.1:1',
      AWS_LAMBDA_FUNCTION_NAME: String(Properties['FunctionName']),
      AWS_ENDPOINT_URL: '',
      ...more,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Gives the variables with which a function of the template was deployed. */
export function variablesOf(Properties: Template['Resources'][string]['Properties']): Record<string, string> {
  return (Properties as any).Environment.Variables;
}

/** The same as texts, of those that CloudFormation fills in the bucket alone. */
function knownVariables(properties: Parameters<typeof variablesOf>[0], bucket: string): Record<string, string> {
  const filled = (value: string | { readonly 'Fn::Sub': string }) =>
    typeof value === 'string' ? value : value['Fn::Sub'].replace('${ArtifactBucket}', bucket);
  return Object.fromEntries(Object.entries(variablesOf(properties)).map(([name, value]) => [name, filled(value)]));
}

function functionOf({ Resources }: Template, name: string) {
  return Object.values(Resources).find(({ Properties }) => Properties?.['Handler'] === `handlers/${name}.handler`)!;
}

/** Gives the secrets of the parameter store by their names. */
export async function secretsOf(account: Account, stack: string): Promise<Record<string, string>> {
  const answer = await fetch(account.direct, {
    method: 'POST',
    headers: { ...signed('ssm'), 'x-amz-target': 'AmazonSSM.GetParametersByPath' },
    body: JSON.stringify({ Path: `/${stack}`, WithDecryption: true }),
  });
  const { Parameters } = (await answer.json()) as { Parameters: { Name: string; Value: string }[] };
  return Object.fromEntries(Parameters.map(({ Name, Value }) => [Name.slice(stack.length + 2), Value]));
}
