/** `svc backup` that is killed, at every step by which a copy comes to be (docs/server/storage.md#archives). */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDriver } from '../../adapters/stores/sqlite/open-driver.ts';
import { findTool } from '../harness/find-tool.ts';
import { type FileCall, runTraced } from '../harness/kill-at-call.ts';
import { post, type RunningServer, register, runSvc, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `node Note { has n: int; has text: str = ""; }
walker Fill { has count: int; can fill with Root entry { for i in range(self.count) { here ++> Note(n=-1, text="x" * 200); } } }
walker Add { has n: int; can add with Root entry { here ++> Note(n=self.n); report self.n; } }
walker All { can list with Root entry { report [n.n for n in [-->[?:Note, n >= 0]]]; } }
`;
const hasStrace = findTool('strace', 'strace') !== undefined;
const app = folderWith({ 'main.svc': program });
const cwd = app.path;
let server: RunningServer;
let token: string;
const answered: number[] = [];

async function add(): Promise<void> {
  const n = answered.length;
  expect((await post(server.base, '/walker/Add', { n }, token)).reports).toEqual([n]);
  answered.push(n);
}

beforeAll(async () => {
  server = await startServer({ folder: cwd });
  ({ token } = await register(server.base, 'ann'));
  await post(server.base, '/walker/Fill', { count: 2000 }, token);
  await add();
});
afterAll(async () => {
  await server.stop();
  app[Symbol.dispose]();
});

/** Files that look like a copy, or like a part of one. */
const copies = () => readdirSync(cwd).filter((name) => name.includes('.db'));
const isWhole = (name: string) => {
  // Opening a file that is not there would make one.
  expect(existsSync(join(cwd, name))).toBe(true);
  const db = openDriver(join(cwd, name));
  try {
    return db.prepare('PRAGMA integrity_check').row()?.['integrity_check'] === 'ok';
  } finally {
    db.close();
  }
};

/** Gives what is found when the copy is put in the place of the store. */
async function restored(name: string): Promise<number[]> {
  using other = folderWith({ 'main.svc': program });
  mkdirSync(join(other.path, '.svc/data'), { recursive: true });
  copyFileSync(join(cwd, name), join(other.path, '.svc/data/svc.db'));
  await using copy = await startServer({ folder: other.path });
  const login = await post(copy.base, '/user/login', { username: 'ann', password: 'correct horse 1' });
  return (await post(copy.base, '/walker/All', {}, login.data.access_token)).reports[0];
}

/** A call of each step: the first, middle and last write of the copy, every sync, its name, and the sync of that. */
function steps(calls: readonly FileCall[]): FileCall[] {
  const own = calls.filter(({ text }) => text.includes('.partial'));
  const named = (name: string) => own.filter((call) => call.name === name);
  const writes = named('pwrite64').filter(({ text }) => !text.includes('-journal'));
  expect(writes.length).toBeGreaterThan(100);
  const folder = calls.findLast(({ name, text }) => name === 'fsync' && text.includes(`<${cwd}>`))!;
  return [writes[0]!, writes[writes.length >> 1]!, writes.at(-1)!, ...named('fsync'), named('rename')[0]!, folder];
}

test.skipIf(!hasStrace)(
  'a backup that is killed at any step leaves none under its name, or all of it; the one before and the application are as they were',
  async () => {
    expect((await runSvc(['backup', '-o', 'monday.db'], { cwd })).code).toBe(0);
    const monday = readFileSync(join(cwd, 'monday.db'));
    const before = [...answered];
    const whole = runTraced(['backup', '-o', 'whole.db'], cwd);
    expect([whole.code, whole.stderr]).toEqual([0, 'svc: .svc/data/svc.db was copied to whole.db\n']);
    expect(copies().sort()).toEqual(['monday.db', 'whole.db']);
    const points = steps(whole.calls);
    for (const [i, point] of points.entries()) {
      const isNamed = i === points.length - 1;
      // Over an older copy, and where there is none; the application writes meanwhile.
      for (const [name, ...more] of [['tuesday.db'], ['monday.db', '--force']] as const) {
        const left = copies().filter((each) => each.startsWith(name) && each !== name);
        await add();
        const killed = runTraced(['backup', '-o', name, ...more], cwd, point);
        expect([killed.signal, killed.stderr.includes('was copied')], point.text).toEqual(['SIGKILL', false]);
        const last = killed.calls.at(-1)!;
        const file = isNamed ? `<${cwd}>` : `${name}.`;
        expect([last.name, last.number, last.text]).toEqual([point.name, point.number, expect.stringContaining(file)]);
        expect(killed.stderr.includes(`svc: a backup to ${name} broke off; this one begins anew`)).toBe(
          left.length > 0,
        );
        if (isNamed) expect(isWhole(name)).toBe(true);
        else if (name === 'tuesday.db') expect(existsSync(join(cwd, name))).toBe(false);
        else expect(readFileSync(join(cwd, name)).equals(monday)).toBe(true);
        const parts = copies().filter((each) => each.startsWith(`${name}.`) && !each.endsWith('-journal'));
        expect(parts, 'no more than the last one has left').toHaveLength(isNamed ? 0 : 1);
        await add();
        if (isNamed) {
          expect(await restored(name)).toEqual(expect.arrayContaining(before));
          continue;
        }
        if (name === 'monday.db') continue;
        const next = await runSvc(['backup', '-o', name], { cwd });
        const told = `svc: a backup to ${name} broke off; this one begins anew\nsvc: .svc/data/svc.db was copied to ${name}\n`;
        expect([next.code, next.stderr]).toEqual([0, told]);
        expect(copies().filter((each) => each.startsWith(`${name}.`))).toEqual([]);
        if (i === 0) expect((await restored(name)).sort((a, b) => a - b)).toEqual(answered);
        rmSync(join(cwd, name));
      }
      if (i === 1) expect(await restored('monday.db'), 'from the one before').toEqual(before);
    }
    expect(
      (await post(server.base, '/walker/All', {}, token)).reports[0].sort((a: number, b: number) => a - b),
    ).toEqual(answered);
    expect(isWhole('.svc/data/svc.db')).toBe(true);
  },
);

test('two backups to one name at once: each is whole, whichever is the last', async () => {
  const runs = await Promise.all([0, 1, 2].map(() => runSvc(['backup', '-o', 'at-once.db', '--force'], { cwd })));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(isWhole('at-once.db')).toBe(true);
  expect(copies().filter((name) => name.startsWith('at-once'))).toEqual(['at-once.db']);
  // One that is still being written is nobody's leftover.
  const foreign = `at-once.db.${process.pid}-0badcafe.partial`;
  writeFileSync(join(cwd, foreign), 'half');
  expect((await runSvc(['backup', '-o', 'at-once.db', '--force'], { cwd })).stderr).not.toContain('broke off');
  expect(existsSync(join(cwd, foreign))).toBe(true);
});
