/** A program whose files are in S3, the service going away and coming back (docs/server/files.md, decisions/0120). Emulator: s3rver. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startS3 } from '../harness/s3-server.ts';
import { post, removeFolder, runSvc, startServer } from '../harness/server.ts';

const program = `
import from http { UploadFile }

walker:pub Keep {
  has file: UploadFile;
  has name: str;

  can keep with Root entry {
    report store().upload(self.file, self.name, {"content_type": self.file.content_type});
    report sorted(store().list_files(recursive=True));
    report [path for path in store().list_files("in")];
  }
}

walker:pub Fetch {
  has name: str;

  can fetch with Root entry {
    report store().download(self.name).decode();
  }
}

walker:pub Careful {
  can look with Root entry {
    try {
      report store().exists("in/a.txt");
    } except ConnectionError as e {
      report type(e).__name__;
    }
  }
}
`;

async function keep(base: string, name: string, content: string): Promise<any> {
  const body = new FormData();
  body.append('name', name);
  body.append('file', new File([content], 'x', { type: 'text/plain' }));
  return (await fetch(`${base}/walker/Keep`, { method: 'POST', body })).json();
}

test('files in S3: kept, listed, fetched; 503 while it is away', async () => {
  await using s3 = await startS3();
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  writeFileSync(join(folder, 'main.svc'), program);
  writeFileSync(
    join(folder, 'svc.toml'),
    `[storage]\nstorage_type = "s3"\n[storage.s3]\nbucket = "${s3.bucket}"\nprefix = "app/files"\nendpoint = "${s3.endpoint}"\n`,
  );
  const env = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  await using server = await startServer({ folder, env });
  const { base } = server;
  expect((await keep(base, 'in/a.txt', 'one')).reports).toEqual([
    `s3://${s3.bucket}/app/files/in/a.txt`,
    ['in/a.txt'],
    ['in/a.txt'],
  ]);
  expect((await keep(base, 'b.txt', 'x'.repeat(2_000_000))).reports[1]).toEqual(['b.txt', 'in/a.txt']);
  expect((await post(base, '/walker/Fetch', { name: 'in/a.txt' })).reports).toEqual(['one']);
  expect((await keep(base, '../a.txt', 'one')).error.code).toBe('EXECUTION_ERROR');
  expect(existsSync(join(folder, 'storage'))).toBe(false);

  await s3.kill();
  const away = await post(base, '/walker/Fetch', { name: 'in/a.txt' });
  expect([away.status, away.error.code, away.error.message]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    'The file storage is not available.',
  ]);
  expect(await keep(base, 'in/c.txt', 'three')).toMatchObject({ status: 503 });
  expect((await post(base, '/walker/Careful')).reports).toEqual(['StorageUnavailable']);
  await s3.start();
  expect((await post(base, '/walker/Fetch', { name: 'in/a.txt' })).reports).toEqual(['one']);
  expect((await keep(base, 'in/c.txt', 'three')).reports[2]).toEqual(['in/a.txt', 'in/c.txt']);
  await server.stop();
  expect(server.output()).not.toMatch(/AWS4-HMAC|Signature=/);
  removeFolder(folder);
});

test('a program picks a storage of its own, and a bucket that is not configured is said', async () => {
  await using s3 = await startS3();
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  const text = `
import from io { BytesIO }
with entry {
  files = StorageFactory.create("s3", {"bucket": "${s3.bucket}", "endpoint": "${s3.endpoint}", "prefix": "mine",
    "access_key_id": "S3RVER", "secret_access_key": "S3RVER"});
  print(files, files.upload(BytesIO(b"x"), "a"), files.download("a"), [files.exists(name) for name in ["a", "b"]]);
  try {
    StorageFactory.create("s3").exists("a");
  } except ValueError as e {
    print(e);
  }
}
`;
  writeFileSync(join(folder, 'main.svc'), text);
  const run = () => runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  expect(await run()).toMatchObject({
    stdout: `<Storage s3> s3://${s3.bucket}/mine/a b'x' [True, False]\nstorage type s3 needs a bucket\n`,
  });
  writeFileSync(join(folder, 'svc.toml'), '[storage]\nstorage_type = "s3"\n');
  const refused = await run();
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('svc.toml:2:1: storage.storage_type: s3 needs storage.s3.bucket');
  removeFolder(folder);
});
