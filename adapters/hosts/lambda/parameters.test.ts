import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, test } from 'vitest';
import { openParameters, signed } from './parameters.ts';

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

test("requests are signed as the SDK's own signer signs them", async () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/example+key', sessionToken: 'session==' };
  const nowMs = Date.UTC(2026, 10, 22, 9, 5, 7, 123);
  const body = '{"Path":"/demo-prod","WithDecryption":true}';
  const host = 'ssm.eu-west-1.amazonaws.com';
  const env = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
  };
  const { authorization, ...headers } = signed({ host, region: 'eu-west-1', body, nowMs }, env);
  const signer = new SignatureV4({
    service: 'ssm',
    region: 'eu-west-1',
    credentials,
    sha256: Sha256 as never,
    applyChecksum: false,
  });
  const oracle: unknown = await signer.sign(
    { method: 'POST', protocol: 'https:', hostname: host, path: '/', headers, body } as never,
    { signingDate: new Date(nowMs) },
  );
  expect(oracle).toMatchObject({ headers: { authorization } });
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
