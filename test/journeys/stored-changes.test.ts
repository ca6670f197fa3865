/**
 * The table of docs/server/storage.md#changing-types over data that one version of a program stored and the next one
 * reads; `svc check --stored` says it beforehand.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDriver } from '../../adapters/stores/sqlite/open-driver.ts';
import { post, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const show = `walker Show {
    has out: dict = {};
    can go with Root entry { visit [-->]; }
    can see with Node entry { if type(here).__name__ != "Root" { report repr(here); } }
}
`;

const before = {
  'shapes.svc': 'node Moved { has title: str; }\n',
  'main.svc': `import from shapes { Moved }
enum Colour { RED = "r", GREEN = "g", BLUE = "b" }
node Grown { has keep: str; }
node Shrunk { has keep: str; has gone: str; }
node Renamed { has old: str; }
node Retyped {
    has text: int; has number: str; has many: int; has maybe: int; has real: int; has lost: str; has flag: str; has union: int;
}
node Painted { has colour: Colour; has other: Colour; }
node OldName { has title: str; }
node Vanishing { has title: str; }
node Turned { has title: str; }
node Broken { has title: str; }
edge Tie { has w: int = 1; has gone: str = "edge"; }
walker Make {
    can go with Root entry {
        here ++> Grown(keep="a");
        here ++> Grown(keep="b");
        here ++> Shrunk(keep="a", gone="aside");
        here ++> Renamed(old="title");
        here ++> Retyped(text=5, number="17", many=3, maybe=4, real=2, lost="not a number", flag="yes", union=9);
        here ++> Painted(colour=Colour.BLUE, other=Colour.RED);
        here ++> OldName(title="alias");
        here ++> Vanishing(title="away");
        here ++> Turned(title="turned");
        here ++> Moved(title="moved");
        here ++> Broken(title="one");
        here ++> Broken(title="two");
        here +>: Tie(w=4) :+> Grown(keep="tied");
    }
}
walker Ties { can go with Root entry { report [e.w for e in [edge ->:Tie:->]]; } }
${show}`,
};

const after = {
  'shapes.svc': 'node Unrelated { has title: str; }\n',
  'main.svc': `import from shapes { Unrelated }
enum Colour { RED = "r", GREEN = "g" }
node Moved { has title: str; }
node Grown {
    has keep: str; has text: str; has number: int; has real: float; has flag: bool; has items: list[int]; has table: dict[str, int];
    has maybe: str | None; has given: int = 7; has made: list[str] = ["x"];
}
node Shrunk { has keep: str; }
node Renamed { has title: str; }
node Retyped {
    has text: str; has number: int; has many: list[int]; has maybe: int | None; has real: float; has lost: int = -1; has flag: bool;
    has union: str | None;
}
node Painted { has colour: Colour = Colour.GREEN; has other: Colour = Colour.GREEN; }
node NewName { has title: str; }
edge Turned { has title: str; }
node Broken { has title: str; }
edge Tie { has w: float = 1.0; }
walker Ties { can go with Root entry { report [e.w for e in [edge ->:Tie:->]]; } }
walker Touch {
    can go with Root entry { visit [-->]; }
    can shrunk with Shrunk entry { here.keep = "changed"; }
    can painted with Painted entry { here.other = Colour.GREEN; }
    can retyped with Retyped entry { here.many.append(4); }
}
${show}`,
  'svc.toml': '[schema.aliases]\n"OldName" = "NewName"\n[schema.fields]\n"Renamed.old" = "title"\n',
};

const shownAfter = [
  "Grown(keep='a', text='', number=0, real=0.0, flag=False, items=[], table={}, maybe=None, given=7, made=['x'])",
  "Grown(keep='b', text='', number=0, real=0.0, flag=False, items=[], table={}, maybe=None, given=7, made=['x'])",
  "Shrunk(keep='a')",
  "Renamed(title='title')",
  "Retyped(text='5', number=17, many=[3], maybe=4, real=2.0, lost=-1, flag=True, union='9')",
  "Painted(colour=<Colour.GREEN: 'g'>, other=<Colour.RED: 'r'>)",
  "NewName(title='alias')",
  "Moved(title='moved')",
  "Broken(title='two')",
  "Grown(keep='tied', text='', number=0, real=0.0, flag=False, items=[], table={}, maybe=None, given=7, made=['x'])",
];

const env = { SVC_ENV: 'development' };

/** Reads or changes the file between two starts, as no program could. */
function inFile<T>(folder: string, work: (db: ReturnType<typeof openDriver>) => T): T {
  const db = openDriver(join(folder, '.svc/data/svc.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const rowsOf = (folder: string, name: string) =>
  inFile(folder, (db) =>
    db
      .prepare('SELECT n.data, n.attic FROM node n JOIN type t ON t.id = n.type WHERE t.name = ? ORDER BY n.id')
      .rows(name)
      .map((row: any) => ({ data: JSON.parse(row.data), attic: row.attic === null ? null : JSON.parse(row.attic) })),
  );

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const digest = (folder: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, '.svc/data/svc.db')))
    .digest('hex');

/** A store that `before` has made and whose first Broken node cannot be decoded. */
async function stored(folder: string): Promise<string> {
  await using server = await startServer({ folder, env });
  const { token } = await register(server.base, 'ada');
  expect((await post(server.base, '/walker/Make', {}, token)).ok).toBe(true);
  await server.stop();
  inFile(folder, (db) => db.exec(`UPDATE node SET data = '{"title":"on' WHERE data = '{"title":"one"}'`));
  return token;
}

test('every row of the table: read as the new version wants it, nothing rewritten, nothing lost, and back again', async () => {
  using folder = folderWith(before);
  await stored(folder.path);
  write(folder.path, after);
  {
    await using server = await startServer({ folder: folder.path, env });
    const { data } = await post(server.base, '/user/login', { username: 'ada', password: 'correct horse 1' });
    const token = data.access_token;
    const seen = await post(server.base, '/walker/Show', {}, token);
    expect([seen.status, seen.reports]).toEqual([200, shownAfter]);
    expect((await post(server.base, '/walker/Ties', {}, token)).reports).toEqual([[4]]);
    // Reading wrote nothing into the records.
    expect(rowsOf(folder.path, 'Shrunk')).toEqual([{ data: { keep: 'a', gone: 'aside' }, attic: null }]);
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => /default used/.test(line));
    expect(
      warnings.filter((line) => /Grown/.test(line) && /"text"/.test(line)),
      'one warning per type',
    ).toHaveLength(1);
    expect(server.output()).toMatch(/left aside.*Vanishing/);
    expect(server.output()).toMatch(/left aside.*Turned/);
    // Changing an object writes it in its new shape, with what does not fit beside it.
    expect((await post(server.base, '/walker/Touch', {}, token)).status).toBe(200);
    await server.stop();
  }
  expect(rowsOf(folder.path, 'Shrunk')).toEqual([{ data: { keep: 'changed' }, attic: { gone: 'aside' } }]);
  expect(rowsOf(folder.path, 'Painted')[0]!.attic).toMatchObject({ colour: { $t: 'enum', v: 'BLUE' } });
  expect(rowsOf(folder.path, 'Retyped')[0]!.attic).toEqual({ lost: 'not a number' });
  const kept = inFile(folder.path, (db) => ({
    broken: db.prepare(`SELECT count(*) AS v FROM node WHERE data = '{"title":"on'`).value(),
    quarantine: db
      .prepare('SELECT record FROM quarantine')
      .rows()
      .map((row: any) => row.record),
    aside: db
      .prepare("SELECT count(*) AS v FROM node n JOIN type t ON t.id = n.type WHERE t.name IN ('Vanishing', 'Turned')")
      .value(),
  }));
  expect(kept).toEqual({ broken: 1, quarantine: ['{"title":"on'], aside: 2 });
  // The old code again: fields come back, and types are visible again.
  write(folder.path, { ...before, 'svc.toml': '' });
  await using server = await startServer({ folder: folder.path, env });
  const { data } = await post(server.base, '/user/login', { username: 'ada', password: 'correct horse 1' });
  const { reports } = await post(server.base, '/walker/Show', {}, data.access_token);
  expect(reports).toContain("Shrunk(keep='changed', gone='aside')");
  // Both values of a field whose type is the same fit: the one written last counts, the other stays aside.
  expect(reports).toContain("Painted(colour=<Colour.GREEN: 'g'>, other=<Colour.GREEN: 'g'>)");
  expect(rowsOf(folder.path, 'Painted')[0]!.attic).toMatchObject({ colour: { $t: 'enum', v: 'BLUE' } });
  expect(reports).toContain("Vanishing(title='away')");
  expect(reports).toContain("Turned(title='turned')");
  expect(reports.find((text: string) => text.startsWith('Retyped'))).toContain("lost='not a number'");
  await server.stop();
});

test('svc check --stored says all of it beforehand and changes nothing', async () => {
  using folder = folderWith(before);
  await stored(folder.path);
  const same = await runSvc(['check', '--stored', 'main.svc'], { cwd: folder.path, env });
  expect(same.stdout).toMatch(/Broken.*1.*cannot be decoded/);
  write(folder.path, after);
  const whole = digest(folder.path);
  const { code, stdout } = await runSvc(['check', '--stored', '--json', 'main.svc'], { cwd: folder.path, env });
  expect(digest(folder.path)).toBe(whole);
  expect(code).toBe(0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (type: string) =>
    lines.filter((line) => line.type === type).map(({ field, change, count }) => [field ?? null, change, count]);
  expect(of('main.Grown')).toEqual(
    ['text', 'number', 'real', 'flag', 'items', 'table', 'maybe', 'given', 'made'].map((field) => [field, 'added', 3]),
  );
  expect(of('main.Shrunk')).toEqual([['gone', 'kept_aside', 1]]);
  expect(of('main.Renamed')).toEqual([['title', 'renamed', 1]]);
  expect(of('main.Retyped')).toEqual([
    ['text', 'converted', 1],
    ['number', 'converted', 1],
    ['many', 'converted', 1],
    ['lost', 'default_used', 1],
    ['flag', 'converted', 1],
    ['union', 'converted', 1],
  ]);
  expect(of('main.Painted')).toEqual([['colour', 'default_used', 1]]);
  expect(of('main.OldName')).toEqual([[null, 'renamed', 1]]);
  expect(of('shapes.Moved')).toEqual([[null, 'renamed', 1]]);
  expect(of('main.Vanishing')).toEqual([[null, 'gone', 1]]);
  expect(of('main.Turned')).toEqual([[null, 'gone', 1]]);
  expect(of('main.Broken')).toEqual([[null, 'undecodable', 1]]);
  expect(of('main.Tie')).toEqual([['gone', 'kept_aside', 1]]);
  const [lost] = lines.filter((line) => line.field === 'lost');
  expect(lost.examples).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/), before: 'not a number', after: -1 }]);
  const text = await runSvc(['check', '--stored', 'main.svc'], { cwd: folder.path, env });
  expect(text.stdout).toContain('main.Retyped.lost: 1 object gets the default');
  expect(text.stdout).toContain('"not a number" -> -1');
  expect(text.stdout).toMatch(/main\.Vanishing: 1 object is left aside/);
  expect(digest(folder.path)).toBe(whole);
});

test('on_incompatible = "fail": the start ends with 3 when something would be left aside, and only then', async () => {
  using folder = folderWith({
    'main.svc': 'node A { has x: int = 1; }\nwalker Make { can go with Root entry { here ++> A(); } }\n',
  });
  {
    await using server = await startServer({ folder: folder.path, env });
    const { token } = await register(server.base, 'ada');
    await post(server.base, '/walker/Make', {}, token);
    await server.stop();
  }
  writeFileSync(join(folder.path, 'svc.toml'), '[schema]\non_incompatible = "fail"\n');
  writeFileSync(
    join(folder.path, 'main.svc'),
    'node A { has x: int = 1; has y: str; }\nwalker W { can go with Root entry {} }\n',
  );
  {
    await using server = await startServer({ folder: folder.path, env });
    await server.stop();
  }
  writeFileSync(join(folder.path, 'main.svc'), 'node B { has x: int = 1; }\nwalker W { can go with Root entry {} }\n');
  const whole = digest(folder.path);
  const { code, stderr } = await runSvc(['start', 'main.svc', '--port', '0'], { cwd: folder.path, env });
  expect([code, stderr]).toEqual([3, expect.stringContaining('main.A')]);
  expect(digest(folder.path).length).toBe(whole.length);
});

test('values of a class or an enum member that is gone stay in their lists and dicts whatever is added, and are back with it', async () => {
  const album = 'node Album { has items: list = []; has named: dict = {}; }\n';
  const types = 'obj Stamp { has title: str; }\nenum Colour { RED = "r", BLUE = "b" }\n';
  const make = 'root ++> Album(items=[Stamp("a"), Colour.BLUE, 1], named={"s": (Stamp("b"), [Colour.BLUE])});';
  const show = 'print(a.items, a.named, [x for x in a.items if x], len(a.items));';
  const change = 'a.items.append(None); a.named["n"] = 2;';
  const visit = (work: string) => `for a in [root -->[?:Album]] { ${work} }`;
  using folder = folderWith({ 'main.svc': '' });
  const run = async (declared: string, work: string) => {
    write(folder.path, { 'main.svc': `${declared}${album}with entry { ${work} }\n` });
    const { code, stdout, stderr } = await runSvc(['run', 'main.svc'], { cwd: folder.path });
    expect([code, stderr.replace(/^svc: the graph is kept.*\n/, '')]).toEqual([0, '']);
    return stdout;
  };
  const gone = (name: string) => `<value of '${name}', which the program does not have>`;
  await run(types, make);
  const written = rowsOf(folder.path, 'Album');
  expect(await run('', visit(show))).toBe(
    `[${gone('main.Stamp')}, ${gone('main.Colour')}, 1] {'s': (${gone('main.Stamp')}, [${gone('main.Colour')}])} [1] 3\n`,
  );
  expect(rowsOf(folder.path, 'Album')).toEqual(written);
  await run('enum Colour { RED = "r" }\n', visit(change));
  expect(await run(types, visit(show))).toBe(
    "[Stamp(title='a'), <Colour.BLUE: 'b'>, 1, None] {'s': (Stamp(title='b'), [<Colour.BLUE: 'b'>]), 'n': 2} " +
      "[Stamp(title='a'), <Colour.BLUE: 'b'>, 1] 4\n",
  );
});

test('texts become moments, ids and members where they are such, and moments texts', async () => {
  const fields = (list: string) => `import from datetime { date, datetime, time }
import from uuid { UUID }
enum Colour { RED = "r", BLUE = "b" }
node Kept { ${list} }
`;
  using folder = folderWith({
    'main.svc': `${fields('has day: str; has at: str; has clock: str; has id: str; has colour: str; has name: str; has wrong: str; has text: date; has maybe: str;')}
walker Make {
    can go with Root entry {
        here ++> Kept(day="2026-01-02", at="2026-01-02T03:04:05Z", clock="10:20", id="12345678123456781234567812345678", colour="b",
            name="RED", wrong="2026-02-30", text=date(2026, 3, 4), maybe="2026-05-06");
    }
}
${show}`,
  });
  let token: string;
  {
    await using server = await startServer({ folder: folder.path });
    token = (await register(server.base, 'ada')).token;
    await post(server.base, '/walker/Make', {}, token);
  }
  writeFileSync(
    join(folder.path, 'main.svc'),
    `${fields('has day: date; has at: datetime; has clock: time; has id: UUID; has colour: Colour; has name: Colour; has wrong: date | None; has text: str; has maybe: date | None;')}${show}`,
  );
  await using server = await startServer({ folder: folder.path });
  const { reports } = await post(server.base, '/walker/Show', {}, token);
  expect(reports).toEqual([
    "Kept(day=datetime.date(2026, 1, 2), at=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc), clock=datetime.time(10, 20), id=UUID('12345678-1234-5678-1234-567812345678'), colour=<Colour.BLUE: 'b'>, name=<Colour.RED: 'r'>, wrong=None, text='2026-03-04', maybe=datetime.date(2026, 5, 6))",
  ]);
});

test('objects inside of a node are read in the present shape of their class; reading one writes nothing', async () => {
  const version = (address: string, work: string) => `enum Colour { RED = "r", BLUE = "b" }
import from datetime { date }
obj Line { ${address.includes('size') ? 'has size: int; has ' : 'has '}text: str; }
obj Address { ${address} has next: Address | None = None; }
node Person {
    has address: Address; has others: dict[str, list[Address]] = {}; has lines: list = []; has big: any = None;
}
walker:pub Work { can go with Root entry { ${work} visit [-->]; } can see with Person entry { report repr(here); } }
`;
  const old = version(
    'has zip: int; has since: str; has tint: str; has gone: str = "g"; has kept: str;',
    `p = here ++> Person(address=Address(123, "2026-01-02", "b", "x", "word"), lines=[Line("a")], big=2 ** 63);
     p.address.next = Address(5, "soon", "RED", "y", "z"); p.others["k"] = [p.address.next];`,
  );
  using folder = folderWith({ 'main.svc': old });
  const answer = async () => {
    await using server = await startServer({ folder: folder.path, env });
    const { reports } = await post(server.base, '/walker/Work', {});
    await server.stop();
    return reports;
  };
  await answer();
  const written = rowsOf(folder.path, 'Person');
  write(folder.path, {
    'main.svc': version('has kept: int; has zip: str; has since: date; has tint: Colour; has size: int;', ''),
  });
  const checked = await runSvc(['check', '--stored', 'main.svc'], { cwd: folder.path, env });
  expect(checked.stdout).toContain('main.Person.address: 1 object is converted');
  expect(await answer()).toEqual([
    "Person(address=Address(kept='word', zip='123', since=datetime.date(2026, 1, 2), tint=<Colour.BLUE: 'b'>, size=0, " +
      "next=Address(kept='z', zip='5', since='soon', tint=<Colour.RED: 'r'>, size=0, next=None)), " +
      "others={'k': [Address(kept='z', zip='5', since='soon', tint=<Colour.RED: 'r'>, size=0, next=None)]}, " +
      "lines=[Line(size=0, text='a')], big=9223372036854775808)",
  ]);
  expect(rowsOf(folder.path, 'Person')).toEqual(written);
});
