/**
 * Replays of calls that did something outside of the graph, to files, databases, programs and servers: it is not done again
 * (docs/guide/stories.md#replay). Each way of doing it is a walker; before its call and before its replay the folder is made as it was, so that the replay could do it again.
 */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, startServer } from '../harness/server.ts';

const development = { SVC_ENV: 'development', SVC_LOGGING_LEVEL: 'error' };

/** Statements that do something outside, in the folder `work` or to the servers at `url` and `port`. */
const deeds: Readonly<Record<string, string>> = {
  Open: 'with open("work/new.txt", "w") as f { f.write("x"); }',
  OpenToAdd: 'with open("work/old.txt", "a") as f { f.write("x"); }',
  OpenLongAgo: 'kept[0].write("x"); kept[0].flush();',
  OsRemove: 'os.remove("work/old.txt");',
  OsUnlink: 'os.unlink("work/old.txt");',
  OsRename: 'os.rename("work/old.txt", "work/other.txt");',
  OsReplace: 'os.replace("work/old.txt", "work/other.txt");',
  OsMkdir: 'os.mkdir("work/made");',
  OsMakedirs: 'os.makedirs("work/made/deep");',
  OsRmdir: 'os.rmdir("work/empty");',
  OsRemovedirs: 'os.removedirs("work/lone/empty");',
  OsChmod: 'os.chmod("work/old.txt", 384);',
  OsLink: 'os.link("work/old.txt", "work/link.txt");',
  OsSymlink: 'os.symlink("old.txt", "work/link.txt");',
  OsTruncate: 'os.truncate("work/old.txt", 1);',
  OsUtime: 'os.utime("work/old.txt", (5, 5));',
  OsOpen: 'fd = os.open("work/new.txt", os.O_WRONLY | os.O_CREAT); os.write(fd, b"x"); os.close(fd);',
  OsSystem: 'os.system("touch work/new.txt");',
  PathWriteText: 'Path("work/new.txt").write_text("x");',
  PathWriteBytes: 'Path("work/new.txt").write_bytes(b"x");',
  PathOpen: 'with Path("work/new.txt").open("w") as f { f.write("x"); }',
  PathTouch: 'Path("work/new.txt").touch();',
  PathUnlink: 'Path("work/old.txt").unlink();',
  PathMkdir: 'Path("work/made/deep").mkdir(parents=True);',
  PathRmdir: 'Path("work/empty").rmdir();',
  PathRename: 'Path("work/old.txt").rename("work/other.txt");',
  PathReplace: 'Path("work/old.txt").replace("work/other.txt");',
  PathChmod: 'Path("work/old.txt").chmod(384);',
  PathSymlink: 'Path("work/link.txt").symlink_to("old.txt");',
  PathHardlink: 'Path("work/link.txt").hardlink_to("work/old.txt");',
  ShutilCopy: 'shutil.copy("work/old.txt", "work/other.txt");',
  ShutilCopy2: 'shutil.copy2("work/old.txt", "work/other.txt");',
  ShutilCopyfile: 'shutil.copyfile("work/old.txt", "work/other.txt");',
  ShutilCopytree: 'shutil.copytree("work/full", "work/copied");',
  ShutilMove: 'shutil.move("work/old.txt", "work/other.txt");',
  ShutilRmtree: 'shutil.rmtree("work/full");',
  ShutilRmtreeQuietly: 'shutil.rmtree("work/full", ignore_errors=True);',
  ShutilArchive: 'shutil.make_archive("work/packed", "zip", "work/full");',
  ShutilUnpack: 'shutil.unpack_archive("packed.zip", "work/unpacked");',
  ZipWrite: 'with ZipFile("work/packed.zip", "w") as z { z.writestr("a.txt", "x"); }',
  ZipExtract: 'with ZipFile("packed.zip") as z { z.extractall("work/unpacked"); }',
  GzipOpen: 'with gzip.open("work/new.gz", "wb") as f { f.write(b"x"); }',
  CsvWriter: 'with open("work/new.csv", "w") as f { csv.writer(f).writerow([1, 2]); }',
  TempFile: 'with NamedTemporaryFile(dir="work", delete=False) as f { f.write(b"x"); }',
  TempFolder: 'tempfile.mkdtemp(dir="work");',
  LogFile: 'logging.getLogger("deeds").error("x");',
  SqliteNew: 'c = sqlite3.connect("work/new.db"); c.execute("create table t (x)"); c.commit(); c.close();',
  SqliteKept: 'c = sqlite3.connect("kept.db"); c.execute("insert into t values (1)"); c.commit(); c.close();',
  SqliteScript:
    'c = sqlite3.connect("kept.db"); c.executescript("insert into t values (2); insert into t values (3)"); c.close();',
  SqliteOpen: 'kept[1].execute("insert into t values (4)"); kept[1].commit();',
  Subprocess: 'subprocess.run(["touch", "work/new.txt"]);',
  Popen: 'subprocess.Popen(["touch", "work/new.txt"]).wait();',
  CheckOutput: 'subprocess.check_output("touch work/new.txt", shell=True);',
  AsyncProcess: 'p = await asyncio.create_subprocess_exec("touch", "work/new.txt"); await p.wait();',
  RequestsPost: 'requests.post(url, json={"n": 1});',
  RequestsDelete: 'requests.delete(url);',
  RequestsSession: 'with requests.Session() as s { s.put(url, data="x"); }',
  UrlOpen: 'urllib.request.urlopen(urllib.request.Request(url, data=b"x", method="POST")).read();',
  UrlRetrieve: 'urllib.request.urlretrieve(url, "work/new.txt");',
  Connection:
    '(r, w) = await asyncio.open_connection("127.0.0.1", port); w.write(b"x"); await w.drain(); await r.read(1); w.close();',
  OnCommit: 'on_commit(tell_others); here ++> Item();',
  OnCommitMidway: 'on_commit(tell_others); here ++> Item(); await commit();',
};

function program(url: string, port: number): string {
  const walkers = Object.entries(deeds).map(
    ([name, body]) =>
      `${/await/.test(body) ? 'async ' : ''}walker:pub ${name} { ${/await/.test(body) ? 'async ' : ''}can go with Root entry { ${body} report "done"; } }`,
  );
  return `import os;
import asyncio;
import csv;
import gzip;
import logging;
import requests;
import shutil;
import sqlite3;
import subprocess;
import tempfile;
import urllib.request;
import from pathlib { Path }
import from tempfile { NamedTemporaryFile }
import from zipfile { ZipFile }

glob url: str = "${url}", port: int = ${port};
glob kept: list = [];
node Item {}

def tell_others() { requests.post(url, json={"n": 2}); }

walker:pub Prepare {
    can go with Root entry {
        with ZipFile("packed.zip", "w") as z { z.writestr("a.txt", "packed"); }
        c = sqlite3.connect("kept.db");
        c.execute("create table t (x)");
        c.commit();
        kept.extend([open("log.txt", "a"), c]);
        logging.getLogger("deeds").addHandler(logging.FileHandler("deeds.log"));
    }
}
walker:pub Ask {
    can go with Root entry {
        c = sqlite3.connect("kept.db");
        report [c.execute("select count(*) from t").fetchone()[0] >= 0, os.path.exists("packed.zip"), open("packed.zip", "rb").read(2)[0]];
        c.close();
    }
}
${walkers.join('\n')}
`;
}

/** Everything about the files of a folder that a deed could change. */
function stateOf(folder: string): readonly string[] {
  const own = /^(main\.svc|\.svc|node_modules)/;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !own.test(path))
    .sort()
    .map((path) => {
      const found = lstatSync(join(folder, path));
      const content = found.isFile() ? readFileSync(join(folder, path), 'latin1') : '';
      const link = found.isSymbolicLink() ? readlinkSync(join(folder, path)) : '';
      return [path, found.mode, found.mtimeMs, found.nlink, content, link].join('|');
    });
}

function makeWork(folder: string): void {
  const work = join(folder, 'work');
  removeFolder(work);
  for (const path of ['', 'empty', 'full', 'lone', 'lone/empty']) mkdirSync(join(work, path), { recursive: true });
  for (const path of ['old.txt', 'full/a.txt']) writeFileSync(join(work, path), 'old');
  const then = new Date(1_700_000_000_000);
  for (const path of ['old.txt', 'full/a.txt', 'empty', 'full', 'lone/empty', 'lone', ''])
    utimesSync(join(work, path), then, then);
}

async function post(url: string, id?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(id === undefined ? {} : { 'x-request-id': id }) };
  return await (await fetch(url, { method: 'POST', headers, body: '{}' })).json();
}

test('nothing that a call did to files, databases, programs or servers is done again by its replay', async () => {
  let asked = 0;
  const service = createServer((_request, response) => void response.end(String(++asked)));
  const peer = createSocketServer((socket) => {
    asked++;
    socket.on('error', () => {});
    socket.on('data', () => socket.end('y'));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  const folder = mkdtempSync(join(tmpdir(), 'svc-writers-'));
  writeFileSync(join(folder, 'main.svc'), program(`http://127.0.0.1:${portOf(service)}/`, portOf(peer)));
  await using server = await startServer({ folder, env: development });
  const { base } = server;
  await post(`${base}/walker/Prepare`);
  const state = () => [...stateOf(folder), `asked ${asked}`];

  const silent: string[] = [];
  const again: string[] = [];
  const broken: unknown[] = [];
  for (const [i, name] of Object.keys(deeds).entries()) {
    const id = String(i + 1).padStart(32, '0');
    makeWork(folder);
    const before = state();
    const { ok, error } = await post(`${base}/walker/${name}`, id);
    if (!ok) broken.push([name, error]);
    if (String(state()) === String(before)) silent.push(name);
    makeWork(folder);
    const prepared = state();
    const { ok: isReplayed, data, error: refusal } = await post(`${base}/studio/api/stories/${id}/replay`);
    if (!isReplayed || data.story.status === null) broken.push([name, refusal]);
    if (String(state()) !== String(prepared)) again.push(name);
  }
  expect(broken).toEqual([]);
  // Each deed is one: the state of the folder or of the servers shows it.
  expect(silent).toEqual([]);
  expect(again).toEqual([]);

  // A call that only reads is replayed as ever.
  const id = '9'.repeat(32);
  const { reports } = await post(`${base}/walker/Ask`, id);
  const { data } = await post(`${base}/studio/api/stories/${id}/replay`);
  expect([data.same, data.story.reports]).toEqual([true, reports]);
  await server.stop();
  service.close();
  peer.close();
  removeFolder(folder);
});
