import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, test } from 'vitest';
import { hostOf, openParameters, signed } from './parameters.ts';

class Sha256 {
  private readonly hash;
  constructor(secret?: string | Uint8Array) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: string | Uint8Array) {
    this.hash.update(data);
  }
  async digest() {
    return new Uint8Array(this.hash.digest());
  }
  reset() {}
}

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/example+key' };

test.each<[string, string, { readonly sessionToken?: string }, string]>([
  ['a session', 'eu-west-1', { sessionToken: 'session==' }, '/demo-prod'],
  ['keys that last', 'us-gov-west-1', {}, '/demo-prod'],
  ['China', 'cn-north-1', { sessionToken: 'a/b+c=' }, '/demo-prod'],
  ['an isolated region', 'us-iso-east-1', {}, '/demo-prod'],
  ['a path that is not ASCII', 'ap-northeast-3', { sessionToken: 'session==' }, '/größe/日本'],
])("requests are signed as the SDK's own signer signs them: %s", async (_name, region, session, path) => {
  const nowMs = Date.UTC(2026, 10, 22, 9, 5, 7, 123);
  const body = JSON.stringify({ Path: path, WithDecryption: true });
  const host = hostOf(region);
  const env = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: session.sessionToken,
  };
  const { authorization, ...headers } = signed({ host, region, body, nowMs }, env);
  const signer = new SignatureV4({
    service: 'ssm',
    region,
    credentials: { ...credentials, ...session },
    sha256: Sha256 as never,
    applyChecksum: false,
  });
  const oracle: unknown = await signer.sign(
    { method: 'POST', protocol: 'https:', hostname: host, path: '/', headers, body } as never,
    { signingDate: new Date(nowMs) },
  );
  expect(oracle).toMatchObject({ headers: { authorization } });
});

test.each([
  'us-east-1',
  'eu-central-2',
  'il-central-1',
  'us-gov-west-1',
  'us-gov-east-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isof-south-1',
  'eu-isoe-west-1',
  'eusc-de-east-1',
])('the service of %s is where the SDK looks for services of that region', async (region) => {
  const { endpointProvider } = new DynamoDBClient({ region }).config;
  const { url } = endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false } as never);
  expect(hostOf(region)).toBe(url.hostname.replace(/^dynamodb/, 'ssm'));
});

type Fault = (request: IncomingMessage, response: ServerResponse) => void;
const answer =
  (status: number, type?: string): Fault =>
  (_request, response) =>
    void response
      .writeHead(status)
      .end(type === undefined ? '' : JSON.stringify({ __type: `com.amazonaws.ssm#${type}` }));

/** A service that fails once for each of `faults`, then answers. `seen`: the requests, a failed one with its place among the faults. */
async function faulty(faults: readonly Fault[]) {
  const seen: { readonly fault: number | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    request.on('error', () => {});
    request.resume().on('end', () => {
      const fault = seen.length < faults.length ? seen.length : undefined;
      seen.push({ fault, authorization: request.headers.authorization });
      if (fault !== undefined) return faults[fault]!(request, response);
      return response.end(JSON.stringify({ Parameters: [{ Name: '/demo/JWT_SECRET', Value: 'one' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env: Record<string, string | undefined> = {
    AWS_ENDPOINT_URL_SSM: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  let now = 1_790_000_000_000;
  const parameters = openParameters({ path: '/demo', env, nowMs: () => (now += 1000), onFailure: () => {} });
  return {
    seen,
    env,
    parameters,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const cutWhileAnswering: Fault = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"Parameters":[');
  setImmediate(() => request.socket.destroy());
};

test.each<[string, Fault]>([
  ['throttled', answer(400, 'ThrottlingException')],
  ['throttled by status', answer(429)],
  ['an error of the service', answer(500, 'InternalServerError')],
  ['unavailable', answer(503)],
  ['a connection that is closed', (request) => request.socket.destroy()],
  ['a connection that is closed within the answer', cutWhileAnswering],
  ['no answer', () => {}],
])('what passes is asked again, signed anew: %s', async (_name, fault) => {
  using service = await faulty([fault]);
  await service.parameters.refresh();
  expect(service.env['JWT_SECRET']).toBe('one');
  expect(service.seen.map((one) => one.fault)).toEqual([0, undefined]);
  expect(new Set(service.seen.map(({ authorization }) => authorization)).size).toBe(2);
});

test('a service that stays busy is asked five times', async () => {
  using service = await faulty(Array<Fault>(9).fill(answer(400, 'ThrottlingException')));
  await expect(service.parameters.refresh()).rejects.toThrow(
    'the parameters of the deployment cannot be read: ThrottlingException',
  );
  expect(service.seen.map((one) => one.fault)).toEqual([0, 1, 2, 3, 4]);
});

test.each<[string, Fault]>([
  ['AccessDeniedException', answer(400, 'AccessDeniedException')],
  ['ExpiredTokenException', answer(400, 'ExpiredTokenException')],
  ['ValidationException', answer(400, 'ValidationException')],
  ['status 403', answer(403)],
])('what does not pass is asked once: %s', async (reason, fault) => {
  using service = await faulty([fault]);
  await expect(service.parameters.refresh()).rejects.toThrow(reason);
  expect(service.seen.map((one) => one.fault)).toEqual([0]);
});

test('parameters are read in pages, again after five minutes, and kept when that fails', async () => {
  let values: Record<string, string> = { '/demo/JWT_SECRET': 'one', '/demo/OPENAI_API_KEY': 'key' };
  let refuses = false;
  const asked: [IncomingHttpHeaders, any][] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const question = JSON.parse(text);
      asked.push([request.headers, question]);
      if (refuses) return response.writeHead(400).end('{"__type":"com.amazonaws.ssm#AccessDeniedException"}');
      const names = Object.keys(values);
      const at = Number(question.NextToken ?? 0);
      const NextToken = at + 1 < names.length ? { NextToken: String(at + 1) } : {};
      const Parameters = [{ Name: names[at], Type: 'SecureString', Value: values[names[at]!] }];
      return response.end(JSON.stringify({ Parameters, ...NextToken }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env: Record<string, string | undefined> = {
    AWS_ENDPOINT_URL_SSM: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    JWT_SECRET: '',
  };
  let now = 1_790_000_000_000;
  const failures: unknown[] = [];
  const options = { path: '/demo', env, nowMs: () => now, onFailure: (error: unknown) => failures.push(error) };
  try {
    const parameters = openParameters(options);
    await parameters.refresh();
    expect([env['JWT_SECRET'], env['OPENAI_API_KEY']]).toEqual(['one', 'key']);
    expect(asked[0]![0]['x-amz-target']).toBe('AmazonSSM.GetParametersByPath');
    expect(asked.map(([, question]) => question)).toEqual([
      { Path: '/demo', WithDecryption: true },
      { Path: '/demo', WithDecryption: true, NextToken: '1' },
    ]);
    values = { '/demo/OPENAI_API_KEY': 'other' };
    now += 299_999;
    expect(parameters.refresh()).toBeUndefined();
    now += 1;
    await parameters.refresh();
    expect(env['OPENAI_API_KEY']).toBe('other');
    refuses = true;
    now += 300_000;
    await parameters.refresh();
    expect([env['OPENAI_API_KEY'], String(failures[0])]).toEqual(['other', expect.stringContaining('AccessDenied')]);
    await expect(openParameters(options).refresh()).rejects.toThrow('AccessDeniedException');
  } finally {
    server.close();
  }
});
