/** The code of docs/typescript.md, file by file, does what the page says. */
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { post, register, repository, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'typescript.md'), 'utf8');
const files = Object.fromEntries(
  [...page.matchAll(/^```\w+ ([\w.]+)\n([\s\S]*?)^```$/gm)].map((block) => [block[1]!, block[2]!]),
);

test('the page has the files it speaks of', () => {
  expect(Object.keys(files)).toEqual([
    ...[
      'app.ts',
      'shelf.svc',
      'both.ts',
      'cart.ts',
      'cart.svc',
      'prices.ts',
      'bill.svc',
      'mistakes.svc',
      'tests.ts',
      'tsconfig.json',
    ],
  ]);
});

test('it runs, serves and passes its tests', async () => {
  using folder = folderWith(files);
  const svc = (...args: string[]) => runSvc(args, { cwd: folder.path });
  const said = /^svc run app\.ts +# (.*)$/m.exec(page)![1]!;
  expect((await svc('run', 'app.ts', '--no-persist')).stdout).toMatch(new RegExp(`^${said}$`, 'm'));
  expect((await svc('run', 'both.ts', '--no-persist')).stdout).toMatch(/\[ 45 \] 50\n$/);
  expect((await svc('run', 'cart.svc', '--no-persist')).stdout).toBe('3\n');
  expect(await svc('test', 'tests.ts')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  await using server = await startServer({ folder: folder.path, entry: 'app.ts' });
  const { token } = await register(server.base, 'ada');
  const added = await post(server.base, '/walker/AddTask', { title: 'call', minutes: 3 }, token);
  expect(added.reports[0]).toMatchObject({ title: 'call', minutes: 3 });
  expect(added.reports[0]).not.toHaveProperty('note');
  expect(await post(server.base, '/walker/AddTask', { title: '' }, token)).toMatchObject({
    status: 422,
    error: { code: 'EMPTY_TITLE' },
  });
  expect((await post(server.base, '/quick', undefined, token, 'GET')).reports).toEqual(['call', '3 minutes']);
  expect(await post(server.base, '/function/minutes', {}, token)).toMatchObject({ result: 3 });
});

test('the types of what .svc imports', async () => {
  using folder = folderWith(files);
  const svc = (...args: string[]) => runSvc(args, { cwd: folder.path });
  expect((await svc('run', 'bill.svc', '--no-persist')).stdout).toBe('nok 1.5\n');
  const { stdout, code } = await svc('check', 'mistakes.svc');
  const said = [...files['mistakes.svc']!.matchAll(/# (.*)$/gm)].map(([, message]) => message);
  expect([...stdout.matchAll(/^error\[E\d+\]: (.*)$/gm)].map(([, message]) => message)).toEqual(said);
  expect(code).toBe(1);
});

test('its types are right', async () => {
  const { 'mistakes.svc': _, ...right } = files;
  using folder = folderWith(right);
  await mkdir(join(folder.path, 'node_modules'));
  for (const name of ['typescript', '@typescript', '@types', 'undici-types'])
    symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  expect(await runSvc(['check'], { cwd: folder.path })).toMatchObject({ code: 0, stderr: '' });
});

test('what TypeScript imports from .svc modules is typed', async () => {
  using folder = folderWith({
    'lib/base.svc': `
enum Mood { CALM = "calm", WILD = "wild" }
enum Level: int { LOW = 1, HIGH }
obj Address { has street: str; has number: int = 1; }
node Base { static has made: int = 4; def kind -> str { return "base"; } }
`,
    'tasks.svc': `
import from .lib.base { Mood, Base, Address }
glob count: int = 2, names = ["a"], table: dict[str, int] = {};
node Task(Base) {
    has title: str, done: bool = False, mood: Mood = Mood.CALM, at: Address | None = None, tags: list[str] = [];
    def fits(minutes: int, *more: int, strict: bool = False) -> bool { return minutes + len(more) > 2 and strict; }
    def pair -> tuple[str, int] { return (self.title, 1); }
    has loud: str { getter { return self.title.upper(); } }
}
walker Collect {
    has limit: int = 5, seen: list[Task] = [];
    can start with Root entry { visit [-->[?:Task]]; }
    can take with Task entry { self.seen.append(here); report here.title; }
}
class Plain { def init(self, n: int) { self.n = n; } def twice(self) -> int { return self.n * 2; } }
def total(tasks: list[Task], scale: float = 1.0) -> float { return len(tasks) * scale; }
def find(title: str) -> Task | None { for t in [root -->[?:Task]] { if t.title == title { return t; } } return None; }
def unannotated(n: int) { return [n, n]; }
async def later(n: int) -> str { return str(n); }
def delete(x: int) -> int { return x; }
type Pairs = list[tuple[str, int]];
`,
    'app.ts': `
import { connect, outgoing, root, spawn } from 'svc-scale';
import { Address, Level } from './lib/base.svc';
import {
  Collect, count, delete as remove, find, later, Mood, names, type Pairs, Plain, Task, table, total, unannotated,
} from './tasks.svc';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<_T extends true>(): void {}

const task = new Task('read', false, Mood.WILD, new Address('x'));
connect(root(), task);
const walk = await spawn(new Collect(3));
same<Equal<typeof walk.reports, string[]>>();
same<Equal<typeof walk.seen, Task[]>>();
const [first] = await outgoing(root(), Task);
same<Equal<typeof first, Task>>();
const found = await find('read');
same<Equal<typeof found, Task | null>>();
same<Equal<ReturnType<typeof later>, Promise<string>>>();
const pairs: Pairs = [task.pair()];
const at: Address | null = task.at;
const both: number[] = unannotated(1);
const low: number = Level.LOW.value;
const line = [walk.reports[0]!.length, total([task]) + count + (table.get('a') ?? 0), found!.title, await later(2), pairs[0]!.items[1],
  at!.street, both.length, low, task.mood.value, task.fits(1, [2, 3], true), task.loud, Task.made, task.kind(), new Plain(2).twice(), remove(1),
  names[0]!];
console.log(line.join(' '));

export function mistakes(): void {
  // @ts-expect-error
  new Task();
  // @ts-expect-error
  const title: number = task.title;
  // @ts-expect-error
  task.nope;
  // @ts-expect-error
  total('x');
  // @ts-expect-error
  Mood.SAD;
}
`,
    'wrong.ts': "import { count } from './tasks.svc';\nexport const text: string = count;\n",
  });
  await mkdir(join(folder.path, 'node_modules'));
  for (const name of ['typescript', '@typescript', '@types', 'undici-types'])
    symlinkSync(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  const svc = (...args: string[]) => runSvc(args, { cwd: folder.path });
  expect(await svc('check', 'app.ts')).toMatchObject({ code: 0, stderr: '', stdout: 'no problems found in 1 file\n' });
  const wrong = await svc('check', 'wrong.ts');
  expect(wrong.stdout).toContain("Type 'number' is not assignable to type 'string'");
  expect(wrong.code).toBe(1);
  // They say what the program does.
  expect(await svc('run', 'app.ts', '--no-persist')).toMatchObject({
    stdout: 'read\n4 3 read 2 1 x 2 1 wild true READ 4 base 4 1 a\n',
    stderr: '',
  });
});
