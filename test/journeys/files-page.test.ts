/** The programs of docs/files.md do what the page says. */
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'files.md'), 'utf8');
const files = Object.fromEntries(
  [...page.matchAll(/^```\w+ ([\w.]+)\n([\s\S]*?)^```$/gm)].map((block) => [block[1]!, block[2]!]),
);

type Parts = Readonly<Record<string, string | File>>;

/** Sends a form; the status and the parsed body. */
async function send(base: string, path: string, parts: Parts, token?: string): Promise<any> {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.append(name, value as string);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(base + path, { method: 'POST', headers, body });
  return answer.json();
}

test('the page has the files it speaks of, and they are right', async () => {
  expect(Object.keys(files)).toEqual(['main.svc', 'contacts.svc', 'mirror.svc', 'app.ts']);
  using folder = folderWith(files);
  for (const name of ['main.svc', 'contacts.svc', 'mirror.svc'])
    expect(await runSvc(['check', name], { cwd: folder.path }), name).toMatchObject({
      code: 0,
      stdout: 'no problems found in 1 file\n',
    });
  await mkdir(join(folder.path, 'node_modules'));
  for (const name of ['typescript', '@typescript', '@types', 'undici-types'])
    symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  expect(await runSvc(['check'], { cwd: folder.path })).toMatchObject({ code: 0, stderr: '' });
  expect((await runSvc(['run', 'mirror.svc', '--no-persist'], { cwd: folder.path })).stdout).toBe('./both/a/me True\n');
});

test('a gallery: pictures of one user are none of another', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path });
  const { base } = server;
  const ada = await register(base, 'ada');
  const eve = await register(base, 'eve');
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
  const image = (name: string) => new File([bytes], name, { type: 'image/png' });
  const text = new File(['x'], 'x.txt', { type: 'text/plain' });
  expect(await send(base, '/walker/AddPicture', { file: text }, ada.token)).toMatchObject({
    status: 415,
    error: { code: 'NO_PICTURE' },
  });
  const added = await send(base, '/walker/AddPicture', { file: image('../../cat.png') }, ada.token);
  const [picture] = added.reports;
  expect(picture).toMatchObject({ title: 'cat.png', size: 6 });
  expect(picture).not.toHaveProperty('place');
  const get = (token: string) =>
    fetch(`${base}/pictures/${picture._svc_id}`, { headers: { authorization: `Bearer ${token}` } });
  const own = await get(ada.token);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await own.arrayBuffer()).equals(bytes)).toBe(true);
  // To a stranger there is no such picture, whether it exists or not.
  expect((await get(eve.token)).status).toBe(404);
  const remove = (token: string) =>
    fetch(`${base}/walker/RemovePicture/${picture._svc_id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await remove(eve.token)).status).toBe(404);
  expect((await get(ada.token)).status).toBe(200);
  expect((await remove(ada.token)).status).toBe(200);
  expect((await get(ada.token)).status).toBe(404);
  // No route leads into the storage.
  await send(base, '/walker/AddPicture', { file: image('dog.png') }, ada.token);
  for (const path of ['/storage/', '/static/storage/', '/static/../storage/', '/storage/pictures', '/.svc/data/svc.db'])
    expect((await fetch(base + path)).status, path).toBe(404);
});

test('contacts from a table', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, entry: 'contacts.svc' });
  const { token } = await register(server.base, 'ada');
  const rows = (...lines: string[]) => ({ file: new File([`\uFEFFname,email\r\n${lines.join('\r\n')}\r\n`], 'c.csv') });
  const sent = async (parts: Parts) => send(server.base, '/walker/ImportContacts', parts, token);
  expect((await sent(rows('Ünal,u@x.org', '"Lee, B.",b@x.org'))).reports).toEqual([{ added: 2, contacts: 2 }]);
  expect((await sent(rows('Lee,b@x.org', 'Kim,k@x.org'))).reports).toEqual([{ added: 1, contacts: 3 }]);
  // A wrong row takes back what came before it.
  expect(await sent(rows('Max,m@x.org', 'Nobody,'))).toMatchObject({ status: 422, error: { code: 'NO_EMAIL' } });
  expect((await sent(rows('Kim,k@x.org'))).reports).toEqual([{ added: 0, contacts: 3 }]);
});

const shelf = `"""Files in memory."""
class Shelf {
  def __init__(self, config: dict) { self.base = config["base_path"]; self.files = {}; }
  def upload(self, source: str, destination: str) -> str {
    self.files[destination] = source;
    return f"{self.base}/{destination}";
  }
}
walker:pub Put { has name: str; can go with Root entry { report store().upload("x", self.name); } }
`;

test('a type that the program registers may be the configured one', async () => {
  const toml = '[storage]\nstorage_type = "shelf"\nbase_path = "./shelf"\n';
  const main = `${shelf}with entry { StorageFactory.register("shelf", Shelf); }\n`;
  using folder = folderWith({ 'main.svc': main, 'svc.toml': toml });
  for (const args of [[], ['--workers', '2']]) {
    await using server = await startServer({ folder: folder.path, args });
    expect(await post(server.base, '/walker/Put', { name: 'a' })).toMatchObject({ reports: ['./shelf/a'] });
    expect(await server.stop()).toBe(0);
  }
});

test('a configured type that nobody registers ends the start, naming those there are', async () => {
  const main = `${shelf}with entry { StorageFactory.register("rack", Shelf); }\n`;
  using folder = folderWith({ 'main.svc': main, 'svc.toml': '[storage]\nstorage_type = "shelf"\n' });
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path });
  expect(stderr).toMatch(
    /^svc: storage\.storage_type: unknown storage type 'shelf' \(known: local, s3, rack\)\n {2}hint: .*StorageFactory\.register\("shelf", factory\)$/m,
  );
  expect(code).toBe(3);
});

test('in TypeScript', async () => {
  using folder = folderWith(files);
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const keep = (name: string) => send(server.base, '/walker/Keep', { name, file: new File(['12345'], 'x') });
  expect((await keep('a')).reports).toEqual([5]);
  expect(await keep('a')).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
  await keep('b');
  const answer = await fetch(`${server.base}/function/names`, { method: 'POST' });
  expect(((await answer.json()) as any).data.result).toBe('a b');
});
