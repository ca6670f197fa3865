/** The client of the management interface against a real server that answers as it does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openManagementApi } from './management-api.ts';

const asked: string[] = [];
const answers: number[] = [];
/** In the place of a status: the connection ends without an answer. */
const closed = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    asked.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`);
    const status = answers.shift() ?? 200;
    if (status === closed) return void request.socket.destroy();
    const type = { 410: 'GoneException', 429: 'LimitExceededException' }[status];
    response.writeHead(status, { 'content-type': 'application/json', ...(type ? { 'x-amzn-errortype': type } : {}) });
    response.end('{}');
  });
});

beforeAll(() => {
  process.env['AWS_ACCESS_KEY_ID'] = 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  return new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('posts and cuts, knows who is gone, and waits out throttling', async () => {
  const { port } = server.address() as AddressInfo;
  const api = openManagementApi(`http://127.0.0.1:${port}/prod`, 'eu-west-1');
  expect(await api.post('a=', '{"x":"é"}')).toBe(true);
  answers.push(429, 429);
  expect(await api.post('a=', 'again')).toBe(true);
  answers.push(410);
  expect(await api.post('gone', 'x')).toBe(false);
  answers.push(410);
  await api.cut('gone');
  answers.push(403);
  await expect(api.post('a=', 'x')).rejects.toThrow();
  const path = '/prod/%40connections/a%3D';
  expect(asked.map((line) => line.replace('@', '%40'))).toEqual([
    `POST ${path} {"x":"é"}`,
    ...Array(3).fill(`POST ${path} again`),
    'POST /prod/%40connections/gone x',
    'DELETE /prod/%40connections/gone ',
    `POST ${path} x`,
  ]);
});

test('a connection that was kept and is closed when it is used again costs no frame', async () => {
  const { port } = server.address() as AddressInfo;
  const api = openManagementApi(`http://127.0.0.1:${port}/prod`, 'eu-west-1');
  expect(await api.post('b', 'first')).toBe(true);
  asked.length = 0;
  answers.push(closed);
  expect(await api.post('b', 'second')).toBe(true);
  const line = 'POST /prod/%40connections/b second';
  expect(asked.map((one) => one.replace('@', '%40'))).toEqual([line, line]);
});
