import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeUrllibError } from './error.ts';
import { makeUrllibRequest } from './request.ts';

const module = makeModule('urllib.request', makeUrllibRequest());
const errors = makeModule('urllib.error', makeUrllibError());
let server: Server;
let base = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/missing') return response.writeHead(404).end('gone');
    if (request.url === '/hop') return response.writeHead(302, { Location: '/final' }).end();
    if (request.url === '/never') return undefined;
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' });
      response.end(
        `${request.method} ${request.url} ${request.headers['content-type'] ?? '-'} ${request.headers['x-a'] ?? '-'} ${body}`,
      );
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as any).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const text = (response: any) => $.callMethod($.callMethod(response, 'read'), 'decode');

test('urlopen', async () => {
  const r = await $.call(module.urlopen, `${base}/x`);
  expect([r.status, r.reason, r.url, $.callMethod(r.headers, 'get_content_charset')]).toEqual([
    200,
    'OK',
    `${base}/x`,
    'utf-8',
  ]);
  expect(text(r)).toBe('GET /x - - ');
  expect(text(await $.call(module.urlopen, `${base}/x`, $.bytes('a=1')))).toBe(
    'POST /x application/x-www-form-urlencoded - a=1',
  );
  const request = $.callkw(module.Request, [`${base}/y`], {
    data: $.bytes('{}'),
    headers: $.Dict.of('Content-Type', 'application/json', 'X-A', 'b'),
    method: 'PUT',
  });
  expect(text(await $.callkw(module.urlopen, [request], { timeout: 20 }))).toBe('PUT /y application/json b {}');
  const hop = await $.call(module.urlopen, `${base}/hop`);
  expect(hop.geturl()).toBe(`${base}/final`);
});

test('errors', async () => {
  const error: any = await $.call(module.urlopen, `${base}/missing`).catch((e: unknown) => e);
  expect([$.str(error), error.code, text(error)]).toEqual(['HTTP Error 404: Not Found', 404, 'gone']);
  expect($.excMatch(error, errors.URLError)).toBe(true);
  const refused: any = await $.call(module.urlopen, 'http://127.0.0.1:1/').catch((e: unknown) => e);
  expect($.str(refused)).toBe('<urlopen error [Errno 111] Connection refused>');
  expect($.excMatch(refused.reason, $.ConnectionRefusedError)).toBe(true);
  await expect($.callkw(module.urlopen, [`${base}/never`], { timeout: 0.05 })).rejects.toBeInstanceOf($.TimeoutError);
  expect(() => $.call(module.urlopen, 'nope')).toThrow("unknown url type: 'nope'");
  expect(() => $.call(module.urlopen, base, 'text')).toThrow('POST data should be bytes');
});

test('files and data addresses', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-urllib-'));
  writeFileSync(join(folder, 'a.txt'), 'local');
  expect(text(await $.call(module.urlopen, pathToFileURL(join(folder, 'a.txt')).href))).toBe('local');
  expect(text(await $.call(module.urlopen, 'data:text/plain;base64,aGk='))).toBe('hi');
  const saved = await $.call(module.urlretrieve, `${base}/z`, join(folder, 'z'));
  expect($.getitem(saved, 0)).toBe(join(folder, 'z'));
  expect(readFileSync(join(folder, 'z'), 'utf8')).toContain('GET /z');
});

test('a proxy is asked for what it stands for', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-authorization']}`);
    response.end('through');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as any;
  const handler = $.call(module.ProxyHandler, $.Dict.of('http', `http://me:pw@127.0.0.1:${port}`));
  const opener = $.call(module.build_opener, handler);
  expect(await text(await $.callMethod(opener, 'open', 'http://far.example/a?b=1'))).toBe('through');
  expect(seen).toEqual([`GET http://far.example/a?b=1 far.example Basic ${btoa('me:pw')}`]);
  // None for any scheme: straight to the address.
  const straight = $.call(module.build_opener, $.call(module.ProxyHandler, new $.Dict()));
  expect(await text(await $.callMethod(straight, 'open', `${base}/x`))).toContain('GET /x');
  proxy.close();
});
