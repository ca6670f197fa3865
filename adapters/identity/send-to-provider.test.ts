import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { createSendToProvider } from './send-to-provider.ts';

let server: Server;
let port: number;
const seen: string[] = [];
const answers: Record<string, (response: ServerResponse) => void> = {
  '/': (response) => response.end('{}'),
  '/moved': (response) => response.writeHead(302, { Location: '/' }).end(),
  '/large': (response) => response.end('x'.repeat(300 * 1024)),
  '/endless': (response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/torn': (response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('x', () => response.destroy());
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url}`);
    answers[request.url ?? '']?.(response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (url: string, allowsPrivate = true) => ({ method: 'GET', url, headers: {}, allowsPrivate }) as const;
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

test('the address that was checked is the one that is asked, under the name of the provider', async () => {
  let asked = 0;
  const send = createSendToProvider(async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
  });
  seen.length = 0;
  expect(await send(get(`http://id.example:${port}/`))).toEqual({ status: 200, body: '{}' });
  expect([seen, asked]).toEqual([[`GET id.example:${port} /`], 1]);
});

test.each([
  ['a private address', 'https://id.example/', ['10.0.0.1']],
  ['this machine', 'https://id.example/', ['127.0.0.1']],
  ['the metadata service of a cloud', 'https://id.example/', ['169.254.169.254']],
  ['a private address among public ones', 'https://id.example/', ['93.184.216.34', '10.0.0.1']],
  ['a mapped address', 'https://id.example/', ['::ffff:127.0.0.1']],
  ['a name without an address', 'https://id.example/', []],
])('%s is not asked', async (_name, url, addresses) => {
  const send = createSendToProvider(resolvesTo(...addresses));
  await expect(send(get(url, false))).rejects.toThrow(/not a public address|has no address/);
});

test.each([
  ['http://127.0.0.1:1/', false],
  ['http://[::1]:1/', false],
  ['https://127.0.0.1:1/', false],
  ['https://0x7f.1/', false],
  ['https://2130706433/', false],
  ['https://[::ffff:7f00:1]/', false],
  ['http://93.184.216.34/', true],
  ['http://10.0.0.1/', true],
  ['file:///etc/passwd', true],
  ['ftp://127.0.0.1/', true],
  ['https://name:secret@93.184.216.34/', true],
])('%s is refused (private addresses allowed: %s)', async (url, allowsPrivate) => {
  const send = createSendToProvider(resolvesTo());
  await expect(send(get(url, allowsPrivate))).rejects.toThrow(
    /only https|not a public address|for this machine only|user name/,
  );
});

test('redirects are not followed', async () => {
  seen.length = 0;
  expect(await createSendToProvider()(get(`http://127.0.0.1:${port}/moved`))).toEqual({ status: 302, body: '' });
  expect(seen).toHaveLength(1);
});

test('answers are bounded in size and time', async () => {
  const send = createSendToProvider(undefined, { timeoutMs: 10_000, maxBytes: 256 * 1024 });
  await expect(send(get(`http://127.0.0.1:${port}/large`))).rejects.toThrow('more than 262144 bytes');
  const hasty = createSendToProvider(undefined, { timeoutMs: 150, maxBytes: 1024 * 1024 });
  await expect(hasty(get(`http://127.0.0.1:${port}/silent`))).rejects.toThrow('no answer in time');
  await expect(hasty(get(`http://127.0.0.1:${port}/endless`))).rejects.toThrow('no answer in time');
  const slowNames = createSendToProvider(() => new Promise(() => {}), { timeoutMs: 50, maxBytes: 1 });
  await expect(slowNames(get('https://id.example/'))).rejects.toThrow('no address in time');
  await expect(send(get(`http://127.0.0.1:${port}/torn`))).rejects.toThrow();
});

test('which addresses are public', () => {
  const isPublic = (address: string) => [address, isPublicAddress(address)];
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]) {
    expect(isPublic(address)).toEqual([address, true]);
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.8.9.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
  ]) {
    expect(isPublic(address)).toEqual([address, false]);
  }
});
