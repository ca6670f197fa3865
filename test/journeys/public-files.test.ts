/** `public/` as a browser and as an attacker see it (docs/server/client-pages.md#files, transcripts STA), with real requests. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const app = `walker:pub Hello { can greet with Root entry { report "hi"; } }
@restspec(method="GET", path="/taken.txt")
walker:pub Taken { can greet with Root entry { report "a walker"; } }
`;

const files = {
  'main.svc': app,
  'svc.toml': '[project]\nname = "site"\n',
  '.env': 'SECRET=canary\n',
  'public/hello.txt': 'hello world\n',
  'public/taken.txt': 'a file\n',
  'public/walker/Hello': 'a file\n',
  'public/app.js': 'export {};\n',
  'public/with space.txt': 'spaced\n',
  'public/.hidden': 'canary\n',
  'public/.git/config': 'canary\n',
  'public/site/index.html': '<p>index of site</p>\n',
  'public/empty/readme.md': '# nothing else\n',
  '.svc/client/client.3f2a9c1b.js': 'built();\n',
  '.svc/client/plain.js': 'built();\n',
};

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The path is sent as it is written. */
function get(base: string, path: string, ...args: readonly string[]): Promise<Got> {
  return new Promise((resolve, reject) => {
    execFile(needTool('curl', 'curl'), ['-sS', '-i', '--path-as-is', ...args, base + path], (error, stdout) => {
      if (error !== null) return reject(error);
      const [head = '', ...rest] = stdout.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = lines.map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
      });
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(headers),
        body: rest.join('\r\n\r\n'),
      });
    });
  });
}

test('files with their types, tags, times and parts', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path });
  const { base } = server;
  const hello = await get(base, '/hello.txt');
  expect(hello).toMatchObject({
    status: 200,
    body: 'hello world\n',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '12',
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'last-modified': expect.stringMatching(/ GMT$/),
    },
  });
  const { etag = '', 'last-modified': modified = '' } = hello.headers;
  expect(await get(base, '/static/hello.txt')).toMatchObject({ status: 200, body: 'hello world\n' });
  expect(await get(base, '/with%20space.txt')).toMatchObject({ status: 200, body: 'spaced\n' });
  expect((await get(base, '/app.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect((await get(base, '/hello.txt?v=1')).status).toBe(200);
  expect(await get(base, '/hello.txt', '-I')).toMatchObject({
    status: 200,
    body: '',
    headers: { 'content-length': '12', etag },
  });

  const unchanged = { status: 304, body: '', headers: { etag } };
  expect(await get(base, '/hello.txt', '-H', `If-None-Match: ${etag}`)).toMatchObject(unchanged);
  expect(await get(base, '/hello.txt', '-H', `If-None-Match: "x", W/${etag}`)).toMatchObject(unchanged);
  expect(await get(base, '/hello.txt', '-H', `If-Modified-Since: ${modified}`)).toMatchObject(unchanged);
  // The tag counts where both are sent.
  expect(
    (await get(base, '/hello.txt', '-H', 'If-None-Match: "x"', '-H', `If-Modified-Since: ${modified}`)).status,
  ).toBe(200);
  expect((await get(base, '/hello.txt', '-H', 'If-Modified-Since: Mon, 01 Jan 2001 00:00:00 GMT')).status).toBe(200);

  const part = { status: 206, body: 'hell', headers: { 'content-range': 'bytes 0-3/12', 'content-length': '4' } };
  expect(await get(base, '/hello.txt', '-H', 'Range: bytes=0-3')).toMatchObject(part);
  expect(await get(base, '/hello.txt', '-H', 'Range: bytes=0-3', '-H', `If-Range: ${etag}`)).toMatchObject(part);
  expect(await get(base, '/hello.txt', '-H', 'Range: bytes=0-3', '-H', 'If-Range: "x"')).toMatchObject({
    status: 200,
    body: 'hello world\n',
  });
  expect(await get(base, '/hello.txt', '-H', 'Range: bytes=-6')).toMatchObject({ status: 206, body: 'world\n' });
  expect((await get(base, '/hello.txt', '-H', 'Range: bytes=0-1,3-4')).status).toBe(200);
  expect(await get(base, '/hello.txt', '-H', 'Range: bytes=99-')).toMatchObject({
    status: 416,
    body: '',
    headers: { 'content-range': 'bytes */12' },
  });

  // Another version has another tag, also within the same second.
  writeFileSync(join(folder.path, 'public/hello.txt'), 'hello there\n');
  utimesSync(join(folder.path, 'public/hello.txt'), new Date(modified), new Date(Date.parse(modified) + 5));
  expect(await get(base, '/hello.txt', '-H', `If-None-Match: ${etag}`)).toMatchObject({
    status: 200,
    body: 'hello there\n',
  });

  const large = Buffer.alloc(3_000_000, 'abcdefghij');
  writeFileSync(join(folder.path, 'public/large.bin'), large);
  const whole = await fetch(`${base}/large.bin`);
  expect(whole.headers.get('content-length')).toBe('3000000');
  expect(whole.headers.get('content-type')).toBe('application/octet-stream');
  expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
  const tail = await fetch(`${base}/large.bin`, { headers: { Range: 'bytes=1000000-2999998' } });
  expect([tail.status, Buffer.from(await tail.arrayBuffer()).equals(large.subarray(1_000_000, 2_999_999))]).toEqual([
    206,
    true,
  ]);
  const head = await fetch(`${base}/large.bin`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([
    200,
    '3000000',
    0,
  ]);
  // One who stops reading costs nothing that lasts.
  for (let i = 0; i < 20; i++) {
    const stop = new AbortController();
    const begun = await fetch(`${base}/large.bin`, { signal: stop.signal });
    await begun.body!.getReader().read();
    stop.abort();
  }
  expect((await get(base, '/hello.txt')).status).toBe(200);
  expect(openFiles(server.child.pid!).filter((path) => path.includes('large.bin'))).toEqual([]);
});

/** Paths of files a process has open; none where the system does not tell. */
function openFiles(pid: number): string[] {
  const shown = execFileSync('sh', ['-c', `ls -l /proc/${pid}/fd 2>/dev/null || true`], { encoding: 'utf8' });
  return shown.split('\n').flatMap((line) => line.split(' -> ')[1] ?? []);
}

test('endpoints win over files; folders have an index and no listing; only GET and HEAD', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path });
  const { base } = server;
  expect(JSON.parse((await get(base, '/taken.txt')).body).reports).toEqual(['a walker']);
  expect(JSON.parse((await get(base, '/walker/Hello')).body).data.name).toBe('Hello');
  expect(await get(base, '/site/')).toMatchObject({
    status: 200,
    body: '<p>index of site</p>\n',
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
  expect(await get(base, '/site?a=1')).toMatchObject({ status: 301, headers: { location: '/site/?a=1' } });
  expect((await get(base, '/site/index.html')).status).toBe(200);
  for (const path of ['/empty', '/empty/', '/hello.txt/', '/nothing.txt', '/static', '/static/', '/static/nothing'])
    expect(JSON.parse((await get(base, path)).body).error.code, path).toBe('NOT_FOUND');
  expect((await get(base, '/hello.txt', '-X', 'POST')).status).toBe(404);
  expect((await get(base, '/hello.txt', '-X', 'DELETE')).status).toBe(404);
  // Output of the client build only below /static/.
  expect(await get(base, '/static/client.3f2a9c1b.js')).toMatchObject({
    status: 200,
    body: 'built();\n',
    headers: { 'cache-control': 'no-cache' },
  });
  expect((await get(base, '/client.3f2a9c1b.js')).status).toBe(404);
  // A file is asked for while nobody has made the folder, and afterwards.
  rmSync(join(folder.path, 'public'), { recursive: true });
  expect((await get(base, '/hello.txt')).status).toBe(404);
  mkdirSync(join(folder.path, 'public'));
  writeFileSync(join(folder.path, 'public/hello.txt'), 'back\n');
  expect((await get(base, '/hello.txt')).body).toBe('back\n');
});

test('a start page is at / and, for those who want a page, at paths that name no file', async () => {
  using folder = folderWith({ ...files, 'public/index.html': '<p>start</p>\n' });
  const html = ['-H', 'Accept: text/html,*/*'] as const;
  {
    await using server = await startServer({ folder: folder.path });
    const { base } = server;
    expect(await get(base, '/')).toMatchObject({ status: 200, body: '<p>start</p>\n' });
    expect(await get(base, '/users/7', ...html)).toMatchObject({ status: 200, body: '<p>start</p>\n' });
    expect(JSON.parse((await get(base, '/users/7', '-H', 'Accept: application/json')).body).error.code).toBe(
      'NOT_FOUND',
    );
    for (const path of ['/users/7.png', '/static/users', '/walker/Nobody'])
      expect([path, (await get(base, path, ...html)).status]).toEqual([path, path === '/walker/Nobody' ? 200 : 404]);
  }
  writeFileSync(join(folder.path, 'svc.toml'), '[plugins.client]\nspa_fallback = false\n');
  {
    await using server = await startServer({ folder: folder.path });
    expect((await get(server.base, '/users/7', ...html)).status).toBe(404);
    expect((await get(server.base, '/', ...html)).body).toBe('<p>start</p>\n');
  }
  writeFileSync(join(folder.path, 'svc.toml'), '[plugins.client]\npublic_dir = ""\n');
  {
    await using server = await startServer({ folder: folder.path });
    expect(JSON.parse((await get(server.base, '/')).body).data.walkers).toBe(2);
    expect((await get(server.base, '/hello.txt')).status).toBe(404);
  }
});

test('nothing outside of the folder, nothing hidden', async () => {
  using folder = folderWith(files);
  const secret = join(folder.path, '.env');
  symlinkSync(secret, join(folder.path, 'public/link.txt'));
  symlinkSync(folder.path, join(folder.path, 'public/up'));
  symlinkSync('hello.txt', join(folder.path, 'public/inside.txt'));
  execFileSync('mkfifo', [join(folder.path, 'public/pipe')]);
  await using server = await startServer({ folder: folder.path });
  const { base } = server;
  expect((await get(base, '/inside.txt')).body).toBe('hello world\n');
  const up = [
    '..',
    '%2e%2e',
    '%2E.',
    '.%2e',
    '..%2f',
    '..%5c',
    '%2e%2e%2f',
    '..;',
    '%252e%252e',
    '....',
    '..%00',
    '..\\',
  ];
  const targets = ['svc.toml', '.env', 'main.svc', '.svc/client/plain.js', 'etc/passwd'];
  const attacks = [
    ...up.flatMap((step) =>
      targets.flatMap((target) => [
        `/${step}/${target}`,
        `/static/${step}/${target}`,
        `/site/${step}/${step}/${target}`,
      ]),
    ),
    ...targets.flatMap((target) => [
      `/${target}`,
      `/static/${target}`,
      `//${target}`,
      `/./${target}`,
      `/static//${target}`,
    ]),
    `/static/%2fetc%2fpasswd`,
    '/%2fetc%2fpasswd',
    '/static//etc/passwd',
    '/.hidden',
    '/static/.hidden',
    '/%2ehidden',
    '/.git/config',
    '/link.txt',
    '/up/svc.toml',
    '/up/public/hello.txt',
    '/pipe',
    '/static/%00',
    '/hello.txt%00',
    '/hello.txt%00.png',
    '/hello.txt\\',
    '/%ff%fe',
    '/%zz',
    `/${'a'.repeat(5000)}`,
    `/${'a/'.repeat(2000)}`,
    '/hello.txt::$DATA',
    '/C:/hello.txt',
  ];
  const answers = await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      const seen: [string, number, string][] = [];
      for (let i = worker; i < attacks.length; i += 8) {
        const { status, body } = await get(base, attacks[i]!);
        seen.push([attacks[i]!, status, body]);
      }
      return seen;
    }),
  );
  const seen = answers.flat();
  expect(seen).toHaveLength(attacks.length);
  // `..%00` and the like are refused by the table of routes before files are asked for.
  expect(seen.filter(([, status]) => status !== 404 && status !== 400)).toEqual([]);
  expect(seen.filter(([, , body]) => /canary|\[project\]|restspec|root:|built\(\)/.test(body))).toEqual([]);
  expect((await get(base, '/hello.txt')).status).toBe(200);
});

test('a folder with the sources in it is refused; production keeps digested files for a year', async () => {
  using folder = folderWith(files);
  for (const path of ['.', './', '..', 'public/..', '/']) {
    writeFileSync(join(folder.path, 'svc.toml'), `[plugins.client]\npublic_dir = "${path}"\n`);
    const { code, stderr } = await runSvc(['start', 'main.svc'], { cwd: folder.path });
    expect([code, stderr.split('\n')[0]]).toEqual([
      3,
      `svc.toml:2:1: plugins.client.public_dir: '${path}' holds svc.toml and the sources, which must not be served`,
    ]);
  }
  writeFileSync(join(folder.path, 'svc.toml'), '');
  const env = { SVC_ENV: 'production', JWT_SECRET: 'x1!Y'.repeat(16), SVC_SERVE_DRAIN_DELAY_SECONDS: '0' };
  await using server = await startServer({ folder: folder.path, env });
  const cached = async (path: string) => (await get(server.base, path)).headers['cache-control'];
  expect(await cached('/static/client.3f2a9c1b.js')).toBe('public, max-age=31536000, immutable');
  expect(await cached('/static/plain.js')).toBe('no-cache');
  expect(await cached('/hello.txt')).toBe('no-cache');
});
