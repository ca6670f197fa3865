/** Uploads over a real port: what arrives, what is refused while it is still arriving, and what is left on the machine afterwards. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { post, type RunningServer, removeFolder, startServer } from '../harness/server.ts';

const program = `
import hashlib;
import from http { UploadFile }

walker:pub Keep {
  has file: UploadFile;
  has name: str;

  can go with Root entry {
    files = store();
    where = files.upload(self.file, self.name, {"type": self.file.content_type});
    facts = files.get_metadata(self.name);
    report {"where": where, "size": facts["size"], "metadata": facts["metadata"]};
  }
}

walker:pub Digest {
  has files: list[UploadFile];
  has tags: list[str] = [];

  can go with Root entry {
    for file in self.files {
      digest = hashlib.sha256();
      while (part := file.read(100000)) {
        digest.update(part);
      }
      file.file.seek(-2, 2);
      report [file.filename, file.content_type, file.size, digest.hexdigest(), file.read().hex(), self.tags];
    }
  }
}

walker:pub Maybe {
  has note: str = "";
  has file: UploadFile | None = None;

  can go with Root entry {
    report [self.note, None if self.file is None else self.file.read().decode()];
  }
}

def:pub lines(file: UploadFile) -> list[str] {
  return [line.decode().strip() for line in file.file];
}
`;

function makeApp(toml = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(join(folder, 'svc.toml'), toml);
  mkdirSync(join(folder, 'tmp'));
  return folder;
}

const start = (folder: string, args: readonly string[] = []) =>
  startServer({ folder, args, env: { TMPDIR: join(folder, 'tmp') } });

async function send(server: RunningServer, path: string, form: FormData): Promise<{ status: number; body: any }> {
  const answer = await fetch(server.base + path, { method: 'POST', body: form });
  return { status: answer.status, body: await answer.json() };
}

function form(fields: Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat() as (string | Blob)[]) made.append(name, one as Blob);
  return made;
}

/** Temporary files of uploads that the process has open or has left. */
function spools({ child, folder }: RunningServer): string[] {
  const open = readdirSync(`/proc/${child.pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${child.pid}/fd/${fd}`);
    } catch {
      return [];
    }
  });
  return [...open, ...readdirSync(join(folder, 'tmp'))].filter((path) => path.includes('svc-upload-'));
}

const noSpools = (server: RunningServer) => expect.poll(() => spools(server)).toEqual([]);

for (const [how, args] of [
  ['gateway', []],
  ['emulated cloud', ['--emulate']],
] as const)
  test(`files of all kinds over the ${how}`, async () => {
    const folder = makeApp();
    await using server = await start(folder, args);
    const contents = [randomBytes(1_500_000), Buffer.from([0, 0xff, 0x0d, 0x0a, 0x80]), Buffer.from('--x\r\n')];
    const digested = await send(
      server,
      '/walker/Digest',
      form({
        tags: '["a", "b"]',
        files: contents.map((bytes, i) => new File([bytes], `dir\\../${i} ü.bin`, { type: 'image/png' })),
      }),
    );
    expect(digested.body.data.reports).toEqual(
      contents.map((bytes, i) => [
        `${i} ü.bin`,
        'image/png',
        bytes.length,
        createHash('sha256').update(bytes).digest('hex'),
        bytes.subarray(-2).toString('hex'),
        ['a', 'b'],
      ]),
    );
    const kept = await send(server, '/walker/Keep', form({ file: new File([contents[0]!], 'x'), name: 'in/x.bin' }));
    expect(kept.body.data.reports).toEqual([
      { where: './storage/in/x.bin', size: 1_500_000, metadata: { type: 'application/octet-stream' } },
    ]);
    // The file itself is no part of the answer.
    expect(Object.keys(kept.body.data.result)).toEqual(['_svc_type', '_svc_id', '_svc_archetype', 'name']);
    expect(readFileSync(join(folder, 'storage/in/x.bin')).equals(contents[0]!)).toBe(true);

    const none = new File([], '');
    for (const [given, report] of [
      [form({ note: 'n', file: new File(['text'], 't') }), ['n', 'text']],
      [form({ note: 'n' }), ['n', null]],
      [form({ note: 'n', file: none }), ['n', null]],
    ] as const)
      expect((await send(server, '/walker/Maybe', given)).body.data.reports).toEqual([report]);
    expect((await post(server.base, '/walker/Maybe', { note: 'json' })).data.reports).toEqual([['json', null]]);
    const counted = await send(server, '/function/lines', form({ file: new File(['one\ntwo\n'], 'l.txt') }));
    expect(counted.body.data.result).toEqual(['one', 'two']);

    const plain = new Request(server.base, { method: 'POST', body: form({ file: new File(['one\n'], 'l.txt') }) });
    const packed = await fetch(`${server.base}/function/lines`, {
      method: 'POST',
      headers: { 'content-type': plain.headers.get('content-type')!, 'content-encoding': 'gzip' },
      body: gzipSync(new Uint8Array(await plain.arrayBuffer())),
    });
    expect(((await packed.json()) as any).data.result).toEqual(['one']);

    const escaping = await send(server, '/walker/Keep', form({ file: new File(['x'], 'x'), name: '../evil' }));
    expect(escaping.status).toBe(500);
    expect(existsSync(join(folder, 'evil'))).toBe(false);
    const told = server.output().split('local storage is not durable on this target').length - 1;
    expect(told).toBe(args.length);
    await noSpools(server);
    await server.stop();
    removeFolder(folder);
  });

test('the emulated cloud refuses what its gateway would', async () => {
  const folder = makeApp();
  await using server = await start(folder, ['--emulate']);
  // In base64 it is above the six megabytes.
  const large = await send(server, '/walker/Keep', form({ file: new File([Buffer.alloc(5_000_000)], 'x'), name: 'x' }));
  expect([large.status, large.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  await server.stop();
  removeFolder(folder);
});

test('limits are kept while the body arrives', async () => {
  const folder = makeApp('[serve]\nmax_upload_bytes = 8000000\nmax_file_bytes = 3000000\nmax_upload_files = 2\n');
  await using server = await start(folder);
  const file = (size: number, name = 'f') => new File([Buffer.alloc(size)], name);
  const refusals = [
    [form({ files: file(3_000_001) }), 'file_too_large'],
    [form({ files: [file(1), file(3_000_001), file(1)] }), 'file_too_large'],
    [form({ files: [file(1), file(1), file(1)] }), 'too_many_files'],
    [form({ tags: '[]' }), 'file_required'],
  ] as const;
  for (const [given, type] of refusals) {
    const { status, body } = await send(server, '/walker/Digest', given);
    expect([status, body.error.details.errors ?? body.error.details]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', 'files'], type })],
    ]);
  }
  expect((await send(server, '/walker/Digest', form({ files: file(3_000_000) }))).status).toBe(200);
  // A declared length is refused before anything is sent; without one as soon as there is too much.
  const declared = await talk(server, ['Content-Length: 8000001'], 0);
  expect([declared.answer.split('\r\n')[0], declared.sent]).toEqual(['HTTP/1.1 413 Payload Too Large', 0]);
  expect(declared.answer).toMatch(/^Connection: close\r$/im);
  const endless = await talk(server, ['Transfer-Encoding: chunked'], 60);
  expect(endless.answer.split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
  expect(endless.sent).toBeLessThan(60);
  await noSpools(server);
  await server.stop();
  removeFolder(folder);
});

test('a body that does not arrive in time is answered', async () => {
  const folder = makeApp('[serve]\nrequest_timeout_seconds = 1\n');
  await using server = await start(folder);
  const { answer } = await talk(server, ['Content-Length: 5000000'], 0);
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
  await noSpools(server);
  await server.stop();
  removeFolder(folder);
});

test('a client that goes away half-way leaves nothing', async () => {
  const folder = makeApp();
  await using server = await start(folder);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head(['Content-Length: 20000000'])}${opening}`);
  socket.write(Buffer.alloc(5_000_000));
  await expect.poll(() => spools(server).length).toBe(1);
  socket.destroy();
  await noSpools(server);
  expect(existsSync(join(folder, 'storage'))).toBe(false);
  expect((await fetch(`${server.base}/healthz`)).status).toBe(200);
  await server.stop();
  removeFolder(folder);
});

test('a server that is killed while files arrive leaves none of them', async () => {
  const folder = makeApp();
  await using server = await start(folder);
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head(['Content-Length: 20000000'])}${opening}`);
  socket.write(Buffer.alloc(5_000_000));
  await expect.poll(() => spools(server).length).toBe(1);
  await server.stop('SIGKILL');
  socket.destroy();
  expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('svc-upload-'))).toEqual([]);
  removeFolder(folder);
});

test('a machine that cannot keep files says so, and serves on', async () => {
  const folder = makeApp();
  removeFolder(join(folder, 'tmp'));
  // Newer versions of Node make the folder for their own cache.
  writeFileSync(join(folder, 'tmp'), 'no folder');
  await using server = await start(folder);
  const given = (size: number) => form({ file: new File([Buffer.alloc(size)], 'x'), name: 'x' });
  const { status, body } = await send(server, '/walker/Keep', given(2_000_000));
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(JSON.stringify(body)).not.toContain(folder);
  expect((await send(server, '/walker/Keep', given(1000))).status).toBe(200);
  await server.stop();
  removeFolder(folder);
});

test('a hundred megabytes more pass through in the same memory', async () => {
  const folder = makeApp('[serve]\nmax_upload_bytes = 200000000\nmax_file_bytes = 200000000\n');
  await using server = await start(folder);
  const proc = `/proc/${server.child.pid}`;
  const peak = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/status`, 'utf8'))![1]) * 1024;
  const block = randomBytes(1_000_000);
  const upload = async (blocks: number) => {
    const digest = createHash('sha256');
    const body = async function* () {
      yield Buffer.from(opening);
      for (let i = 0; i < blocks; i += 1) {
        digest.update(block);
        yield block;
      }
      yield Buffer.from('\r\n--b--\r\n');
    };
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const init = { method: 'POST', headers, body: body() as any, duplex: 'half' };
    const answer = await fetch(`${server.base}/walker/Keep`, init as RequestInit);
    expect(((await answer.json()) as any).data.reports[0].size).toBe(blocks * block.length);
    return digest.digest('hex');
  };
  // The garbage that V8 lets an upload leave before it collects it, more in newer versions, is there then. The peak so far is forgotten.
  await upload(60);
  writeFileSync(`${proc}/clear_refs`, '5');
  const before = peak();
  const digest = await upload(160);
  expect(peak() - before).toBeLessThan(50_000_000);
  const stored = createHash('sha256')
    .update(readFileSync(join(folder, 'storage/x')))
    .digest('hex');
  expect(stored).toBe(digest);
  await noSpools(server);
  await server.stop();
  removeFolder(folder);
});

const head = (fields: readonly string[]) =>
  ['POST /walker/Keep HTTP/1.1', 'Host: x', 'Content-Type: multipart/form-data; boundary=b', ...fields, '', ''].join(
    '\r\n',
  );
const opening =
  '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';

/** Sends up to `megabytes` in chunks until an answer comes; gives it, and how many were sent. */
function talk({ port }: RunningServer, fields: readonly string[], megabytes: number) {
  return new Promise<{ answer: string; sent: number }>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let sent = 0;
    const megabyte = Buffer.concat([Buffer.from('f4240\r\n'), Buffer.alloc(1_000_000), Buffer.from('\r\n')]);
    const next = () => {
      if (answer !== '' || sent >= megabytes || socket.destroyed) return;
      sent += 1;
      socket.write(megabyte, () => setTimeout(next, 5));
    };
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, sent }));
    socket.write(head(fields));
    if (megabytes > 0) {
      socket.write(`${opening.length.toString(16)}\r\n${opening}\r\n`);
      next();
    }
  });
}
