/**
 * Secrets of a deployed application: parameters `/<stack>/<NAME>` of the Systems Manager
 * (docs/server/cloud.md#environment), read into the process environment. Signed requests over `node:https`, because
 * loading a client for them would cost more of the start than they do.
 */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { backOff } from '../../../base/back-off.ts';

type Env = Record<string, string | undefined>;

export interface Parameters {
  /** Reads them anew when they are older than five minutes; undefined while they are not. Rejects when the first reading fails. */
  refresh(): Promise<void> | undefined;
}

export interface ParametersOptions {
  /** `/<stack>` */
  readonly path: string;
  /** Environment that the parameters are put into; also region and credentials, as the service sets them. */
  readonly env: Env;
  readonly nowMs: () => number;
  /** Called when the parameters could not be read again; those read before stay. */
  readonly onFailure: (error: unknown) => void;
}

const keepMs = 300_000;

export function openParameters({ path, env, nowMs, onFailure }: ParametersOptions): Parameters {
  let readAt: number | undefined;
  const read = async () => {
    const isFirst = readAt === undefined;
    readAt = nowMs();
    try {
      Object.assign(env, await readParameters(path, env, nowMs));
    } catch (error) {
      if (isFirst) throw error;
      onFailure(error);
    }
  };
  return { refresh: () => (readAt !== undefined && nowMs() - readAt < keepMs ? undefined : read()) };
}

interface Page {
  readonly Parameters: readonly { readonly Name: string; readonly Value: string }[];
  readonly NextToken?: string;
}

async function readParameters(path: string, env: Env, nowMs: () => number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let NextToken: string | undefined;
  do {
    const page = await askAgain({ Path: path, WithDecryption: true, NextToken }, env, nowMs);
    for (const { Name, Value } of page.Parameters) found[Name.slice(path.length + 1)] = Value;
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return found;
}

/** A request without a complete answer is given up after this; an instance has ten seconds to start. */
const answerMs = 3000;
/** Time in milliseconds after the first request behind which nothing is asked again. */
const retryMs = 4000;
const mostTries = 5;
const pauses = { firstMs: 100, mostMs: 1000 };

/** Asks again, signed anew, while the service is busy or was not reached: what passes by itself must not keep an instance from starting. */
async function askAgain(question: object, env: Env, nowMs: () => number): Promise<Page> {
  const until = performance.now() + retryMs;
  for (let tries = 1; ; tries++) {
    try {
      return await ask(question, env, nowMs());
    } catch (error) {
      if (!isPassing(error) || tries === mostTries || performance.now() >= until) throw told(error);
      await backOff(tries - 1, pauses);
    }
  }
}

/** An answer other than the parameters; the message is the service's name for it. */
class Refused extends Error {
  readonly isPassing: boolean;

  constructor(status: number, type = `status ${status}`) {
    super(type);
    this.isPassing = status >= 500 || status === 429 || /throttl|TooManyRequests|RequestLimitExceeded/i.test(type);
  }
}

const lostConnections = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

function isPassing(error: unknown): boolean {
  if (error instanceof Refused) return error.isPassing;
  return isLate(error) || lostConnections.test((error as NodeJS.ErrnoException).code ?? '');
}

function isLate(error: unknown): boolean {
  return (error as Error).name === 'AbortError';
}

function told(cause: unknown): Error {
  const reason = isLate(cause) ? `no answer within ${answerMs / 1000} s` : (cause as Error).message;
  return new Error(`the parameters of the deployment cannot be read: ${reason}`, { cause });
}

async function ask(question: object, env: Env, nowMs: number): Promise<Page> {
  const region = env['AWS_REGION'] ?? 'us-east-1';
  const url = new URL(env['AWS_ENDPOINT_URL_SSM'] || `https://${hostOf(region)}/`);
  const body = JSON.stringify(question);
  const headers = signed({ host: url.host, region, body, nowMs }, env);
  const { request } = url.protocol === 'http:' ? await import('node:http') : await import('node:https');
  const signal = AbortSignal.timeout(answerMs);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  if (response.statusCode === 200) return JSON.parse(text) as Page;
  throw new Refused(response.statusCode!, /"__type"\s*:\s*"(?:[^"#]*#)?([^"]*)"/.exec(text)?.[1]);
}

/** Domains of regions that are not in the commercial partition, nor in that of the government, which has the same. */
const domains: readonly (readonly [prefix: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['eusc-', 'amazonaws.eu'],
];

/** Host of the Systems Manager in a region. */
export function hostOf(region: string): string {
  const [, domain = 'amazonaws.com'] = domains.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `ssm.${region}.${domain}`;
}

export interface Unsigned {
  readonly host: string;
  readonly region: string;
  readonly body: string;
  readonly nowMs: number;
}

/** Headers of a request to the Systems Manager with its signature: https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html */
export function signed({ host, region, body, nowMs }: Unsigned, env: Env): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const token = env['AWS_SESSION_TOKEN'];
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': time,
    ...(token === undefined || token === '' ? {} : { 'x-amz-security-token': token }),
    'x-amz-target': 'AmazonSSM.GetParametersByPath',
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${digest(body)}`;
  const scope = `${time.slice(0, 8)}/${region}/ssm/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest(canonical)}`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${env['AWS_SECRET_ACCESS_KEY'] ?? ''}`);
  const credential = `${env['AWS_ACCESS_KEY_ID'] ?? ''}/${scope}`;
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
