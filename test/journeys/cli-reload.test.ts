/** `svc start --reload`: new versions are swapped in, broken ones are not. */
import { writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post } from '../harness/server.ts';
import { folderWith, spawnSvc } from '../harness/svc-process.ts';

const version = (text: string) => `walker:pub Hello { can greet with Root entry { report "${text}"; } }\n`;

async function startReloading(path: string) {
  const server = spawnSvc(['start', 'main.svc', '--port', '0', '--host', '127.0.0.1', '--reload'], { cwd: path });
  const [, port] = await server.until(/Local: +http:\/\/localhost:(\d+)\//);
  await server.until(/Server ready/);
  const base = `http://127.0.0.1:${port}`;
  return { server, base, hello: async () => (await post(base, '/walker/Hello')).reports?.[0] };
}

async function status(base: string): Promise<{ status: string; file?: string; message?: string }> {
  return (await fetch(`${base}/__build_status`)).json() as Promise<{ status: string }>;
}

test('swaps in what compiles and keeps the last good version of what does not', async () => {
  using folder = folderWith({ 'main.svc': version('one') });
  const main = join(folder.path, 'main.svc');
  const { server, base, hello } = await startReloading(folder.path);
  await using _server = server;
  expect(await hello()).toBe('one');
  expect(await status(base)).toMatchObject({ status: 'ok' });

  await writeFile(main, version('two'));
  await server.until(/Reloaded/);
  expect(await hello()).toBe('two');

  await writeFile(main, `${version('three')}walker {`);
  await server.until(/error\[E\d+\]/);
  await server.until(/still serving/i);
  expect(await hello()).toBe('two');
  expect(await status(base)).toMatchObject({ status: 'error', file: expect.stringContaining('main.svc') });
  const before = server.stderr().length;
  // One right after the other, so that nobody looks in between.
  writeFileSync(main, `${version('three')}walker {\n`);
  writeFileSync(main, version('four'));
  await server.until(/Reloaded/);
  expect(await hello()).toBe('four');
  expect(server.stderr().slice(before)).not.toMatch(/error\[E/);
  expect(await status(base)).toMatchObject({ status: 'ok' });
});

test('builds pages anew when a component alone has changed', async () => {
  const page = (title: string) => `def:pub app() -> JsxElement { return <h1>${title}</h1>; }\n`;
  using folder = folderWith({ 'main.svc': version('one'), 'pages.svc': page('first title') });
  await writeFile(join(folder.path, 'main.svc'), `import from .pages { app }\n${version('one')}`);
  const { server, base } = await startReloading(folder.path);
  await using _server = server;
  const text = async (path: string) => (await fetch(new URL(path, base))).text();
  const shown = async () => {
    const [entry] = /\/static\/client\.\w+\.js/.exec(await text('/'))!;
    const [chunk] = /pages\.\w+\.js/.exec(await text(entry))!;
    return /\w+ title/.exec(await text(`/static/${chunk}`))?.[0];
  };
  expect(await shown()).toBe('first title');
  for (const title of ['second title', 'third title']) {
    await writeFile(join(folder.path, 'pages.svc'), page(title));
    await server.until(/Reloaded/);
    expect(await shown()).toBe(title);
  }
});

test('serves what was saved while the server started', async () => {
  // The program is loaded after it was compiled, and before files are watched.
  using folder = folderWith({
    'main.svc': `import from .words { word }
walker:pub Hello { can greet with Root entry { report word(); } }
with entry { if word() == "one" { with open("words.svc", "w") as file { file.write('def word -> str { return "two"; }'); } } }
`,
    'words.svc': 'def word -> str { return "one"; }\n',
  });
  const { server, hello } = await startReloading(folder.path);
  await using _server = server;
  await server.until(/Reloaded/);
  expect(await hello()).toBe('two');
});

test('tells errors with each save, warnings with the one that brings them', async () => {
  const first = 'def first() -> bool { return 1 !== 2; }\n';
  const second = 'def second() -> bool { return 1 === 2; }\n';
  const wrong = 'def wrong() -> int { return "a" - 1; }\n';
  using folder = folderWith({ 'main.svc': version('one') + first + wrong });
  const { server } = await startReloading(folder.path);
  await using _server = server;
  const [ne, eq, type] = ['`!==`', '`===`', 'operator `-`'];
  const asBefore: (string | undefined)[] = [];
  for (const text of [
    `\n${version('two')}${first}${wrong}`,
    version('three') + first + second + wrong,
    version('four') + second,
    version('five') + first + second,
  ]) {
    await writeFile(join(folder.path, 'main.svc'), text);
    const [line] = await server.until(/Reloaded.*\n/);
    asBefore.push(/(?<=; ).*(?=\))/.exec(line)?.[0]);
  }
  const one = '1 warning as before';
  expect(asBefore).toEqual([one, one, one, one]);
  await expect
    .poll(() => server.stderr().match(/(?<=\[[EW]\d+\]: ).*/g))
    .toEqual([ne, type, type, eq, type, ne].map((text) => expect.stringContaining(text)));
});

test('follows imported files, new ones too', async () => {
  using folder = folderWith({
    'main.svc': 'import from lib.words { word }\nwalker:pub Hello { can greet with Root entry { report word(); } }\n',
    'lib/words.svc': 'def word -> str { return "a"; }\n',
  });
  const { server, hello } = await startReloading(folder.path);
  await using _server = server;
  expect(await hello()).toBe('a');
  await writeFile(
    join(folder.path, 'lib', 'words.svc'),
    'import from .more { text }\ndef word -> str { return text(); }\n',
  );
  await server.until(/E0701/);
  await writeFile(join(folder.path, 'lib', 'more.svc'), 'def text -> str { return "b"; }\n');
  await server.until(/Reloaded/);
  expect(await hello()).toBe('b');
  await rm(join(folder.path, 'lib', 'more.svc'));
  await server.until(/E0701/);
  expect(await hello()).toBe('b');
});

test('a version that does not fit what is stored is refused in the words of a start, without a stack', async () => {
  const program = (member: string) => `enum Colour { ${member} = "c" }
node N { has colour: Colour = Colour.${member}; }
walker:pub Hello { can greet with Root entry { here ++> N(); report "${member}"; } }
`;
  const toml = '[schema]\non_incompatible = "fail"\n';
  using folder = folderWith({ 'main.svc': program('RED'), 'svc.toml': toml });
  const { server, base, hello } = await startReloading(folder.path);
  await using _server = server;
  expect(await hello()).toBe('RED');
  await writeFile(join(folder.path, 'main.svc'), program('BLUE'));
  await server.until(/svc: the stored graph does not fit the program: .*\n {2}hint: .*N\.colour/);
  await server.until(/still serving/i);
  expect(await hello()).toBe('RED');
  expect(await status(base)).toMatchObject({ status: 'error', message: expect.stringContaining('does not fit') });
  expect(server.stderr()).not.toMatch(/^ +at /m);
});

test('data stays, and a restart is asked for where a key needs one', async () => {
  using folder = folderWith({
    'main.svc': `node N { has a: int; }
walker:pub Add { can add with Root entry { here ++> N(a=1); report len([-->[?:N]]); } }
`,
    'svc.toml': '[serve]\nmax_concurrent = 5\n',
  });
  const { server, base } = await startReloading(folder.path);
  await using _server = server;
  expect((await post(base, '/walker/Add')).reports).toEqual([1]);
  await writeFile(
    join(folder.path, 'main.svc'),
    `node N { has a: int; has b: str = "new"; }
walker:pub Add { can add with Root entry { here ++> N(a=1); report [n.b for n in [-->[?:N]]]; } }
`,
  );
  await server.until(/Reloaded/);
  expect((await post(base, '/walker/Add')).reports).toEqual([['new', 'new']]);
  await writeFile(join(folder.path, 'svc.toml'), '[serve]\nmax_concurrent = 6\nkeepalive_seconds = 9\n');
  await server.until(/restart needed: serve\.keepalive_seconds/);
  await writeFile(join(folder.path, 'svc.toml'), '[serve]\nmax_concurrent = "x"\n');
  await server.until(/svc\.toml:2:1: serve\.max_concurrent/);
  expect((await post(base, '/walker/Add')).reports[0]).toHaveLength(3);
});
