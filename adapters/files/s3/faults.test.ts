/** A service that fails, seen through a proxy that makes it: what was acknowledged is there, what was not has changed nothing. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Storage } from '../../../core/files/file-storage.ts';
import { UploadFile } from '../../../core/files/upload-file.ts';
import { reader } from '../../../test/contracts/files.ts';
import { type S3Server, startS3 } from '../../../test/harness/s3-server.ts';
import { openClient, type S3Options } from './client.ts';
import { openS3Storage } from './storage.ts';

let server: S3Server;
let proxy: Proxy;
let count = 0;
beforeAll(async () => {
  server = await startS3();
  proxy = await startProxy(server.port);
});
afterAll(async () => {
  proxy.close();
  await server[Symbol.asyncDispose]();
});

/** Reaction of the proxy to a request; undefined: passes it on. Each time it does something it counts in `fired`. */
type Fault = (method: string, url: string) => 'busy' | 'silent' | { readonly cutAnswerAt: number } | undefined;

interface Proxy {
  readonly port: number;
  fault: Fault;
  fired: number;
  close(): void;
}

async function startProxy(target: number): Promise<Proxy> {
  const http = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const fault = proxy.fault(method, url);
    if (fault !== undefined) proxy.fired += 1;
    if (fault === 'silent') return void incoming.resume();
    if (fault === 'busy') {
      incoming.resume();
      outgoing.writeHead(503, { 'Content-Type': 'application/xml' });
      outgoing.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>');
      return;
    }
    const onward = request({ port: target, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
      if (fault === undefined) return void answer.pipe(outgoing);
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size < fault.cutAnswerAt) outgoing.write(chunk);
        else outgoing.write(chunk.subarray(0, 10), () => outgoing.destroy());
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const proxy: Proxy = { port: 0, fault: () => undefined, fired: 0, close: () => http.closeAllConnections() };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()));
  http.unref();
  return Object.assign(proxy, { port: (http.address() as AddressInfo).port });
}

function optionsOf(timeoutMs: number): S3Options {
  return {
    bucket: server.bucket,
    prefix: `faults/${count}`,
    endpoint: `http://127.0.0.1:${proxy.port}`,
    region: '',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    timeoutMs,
  };
}

function open(timeoutMs = 30_000): Storage {
  proxy.fault = () => undefined;
  proxy.fired = 0;
  count += 1;
  const options = optionsOf(timeoutMs);
  return new Storage('s3', () => openS3Storage(options));
}

const text = async (storage: Storage, path: string) => Buffer.from((await storage.download(path))!.data).toString();
const unavailable = { name: 'StorageUnavailable', failure: { status: 503 } };

/** An upload of which `pause` holds up what comes after the first `megabytes`. */
function slow(megabytes: number, more: number, pause: () => Promise<void>): UploadFile {
  const file = new UploadFile('f', 't', (megabytes + more) * 1_000_000, { bytes: new Uint8Array() });
  file.$chunks = async function* () {
    for (let i = 0; i < megabytes; i += 1) yield Buffer.alloc(1_000_000, 'n');
    await pause();
    for (let i = 0; i < more; i += 1) yield Buffer.alloc(1_000_000, 'n');
  };
  return file;
}

test('a service that is busy for a while is asked again', async () => {
  const storage = open();
  proxy.fault = (method) => (method === 'PUT' && proxy.fired < 2 ? 'busy' : undefined);
  await storage.upload(reader('content'), 'a');
  expect([await text(storage, 'a'), proxy.fired]).toEqual(['content', 2]);
});

test('a service that stays busy: an error, the old file, and all is well afterwards', async () => {
  const storage = open();
  await storage.upload(reader('old'), 'a');
  proxy.fault = (method) => (method === 'PUT' ? 'busy' : undefined);
  await expect(storage.upload(reader('new'), 'a')).rejects.toMatchObject(unavailable);
  expect(proxy.fired).toBeGreaterThan(1);
  expect(await text(storage, 'a')).toBe('old');
  proxy.fault = () => undefined;
  await storage.upload(reader('new'), 'a');
  expect(await text(storage, 'a')).toBe('new');
});

test('one part of a large upload fails: the old file stays, and the parts are given back', async () => {
  const storage = open();
  await storage.upload(reader('old'), 'a');
  const seen: string[] = [];
  proxy.fault = (method, url) => {
    seen.push(`${method} ${url.replace(/.*\?/, '')}`);
    return method === 'PUT' && url.includes('partNumber=2') ? 'busy' : undefined;
  };
  await expect(
    storage.upload(
      slow(20, 0, async () => {}),
      'a',
    ),
  ).rejects.toMatchObject(unavailable);
  expect(proxy.fired).toBeGreaterThan(1);
  expect(seen.at(-1)).toMatch(/^DELETE .*uploadId=/);
  expect(await text(storage, 'a')).toBe('old');
});

test('the service is killed in the middle of an upload', async () => {
  const storage = open();
  await storage.upload(reader('old'), 'a');
  await expect(
    storage.upload(
      slow(17, 8, () => server.kill()),
      'a',
    ),
  ).rejects.toMatchObject(unavailable);
  await expect((async () => storage.exists('a'))()).rejects.toMatchObject(unavailable);
  await server.start();
  expect(await text(storage, 'a')).toBe('old');
  await storage.upload(
    slow(17, 8, async () => {}),
    'a',
  );
  expect((await storage.download('a'))!.data.length).toBe(25_000_000);
});

test('a download that breaks off is taken up where it broke', async () => {
  const storage = open();
  const content = randomBytes(3_000_000);
  await storage.upload(reader(content), 'a');
  proxy.fault = (method) => (method === 'GET' && proxy.fired < 2 ? { cutAnswerAt: 500_000 } : undefined);
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  expect(digest((await storage.download('a'))!.data)).toBe(digest(content));
  expect(proxy.fired).toBe(2);
  proxy.fault = (method) => (method === 'GET' ? { cutAnswerAt: 100_000 } : undefined);
  await expect(storage.download('a')).rejects.toMatchObject(unavailable);
});

test('a service that keeps silent', async () => {
  const storage = open(1000);
  await storage.upload(reader('old'), 'a');
  proxy.fault = () => 'silent';
  await expect(storage.download('a')).rejects.toMatchObject(unavailable);
  await expect(storage.upload(reader('new'), 'a')).rejects.toMatchObject(unavailable);
  expect(proxy.fired).toBeGreaterThan(1);
  proxy.fault = () => undefined;
  expect(await text(storage, 'a')).toBe('old');
});

test('lists of several pages, and directories of more than a thousand files', async () => {
  const storage = open();
  const names = Array.from({ length: 1005 }, (_, i) => `d/${String(i).padStart(4, '0')}`);
  const client = await openClient(optionsOf(30_000), {});
  for (let i = 0; i < names.length; i += 50)
    await Promise.all(
      names
        .slice(i, i + 50)
        .map((name) => client.putObject({ Bucket: server.bucket, Key: `faults/${count}/${name}`, Body: name })),
    );
  expect([...((await storage.list_files('d')) as Iterable<string>)]).toEqual(names);
  expect(await storage.delete('d')).toBe(true);
  expect(await storage.exists('d')).toBe(false);
});
