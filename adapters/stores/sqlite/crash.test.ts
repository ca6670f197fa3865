import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRuntime } from '../../../core/memory/runtime.ts';
import { runUnit } from '../../../core/memory/unit.ts';
import { type ChildScript, childScript } from '../../../test/harness/child-script.ts';
import { addEntry, type Entry, entriesNow, guest } from '../../../test/harness/entry-node.ts';
import { needTool } from '../../../test/harness/find-tool.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'));

let child: ChildScript;
beforeAll(() => {
  child = childScript(new URL('./crash-child.ts', import.meta.url));
});
afterAll(() => {
  child[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]) {
  return spawn(process.execPath, [child.path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function reading<T>(file: string, read: (entries: Entry[]) => T): Promise<T> {
  const { graph } = await openSqliteStore({ file, durability: 'full' });
  try {
    return await runUnit(createRuntime({ store: graph }), guest, () => read(entriesNow()));
  } finally {
    await graph.close();
  }
}

test('a process killed at any moment loses nothing it acknowledged', async () => {
  const file = join(folder, 'killed.db');
  const acknowledged = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const writer = start(file, 'write', String(round * 1_000_000));
    let text = '';
    writer.stdout.on('data', (chunk) => {
      text += chunk;
      // Killed in the middle of its work, later in each round.
      if (text.length > 20 + round * 400) writer.kill('SIGKILL');
    });
    await once(writer, 'close');
    const lines = text.split('\n').slice(0, -1).map(Number);
    expect(lines.length).toBeGreaterThan(0);
    for (const n of lines) acknowledged.add(n);
    const stored = await reading(file, (entries) => entries.map((entry) => entry.n));
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter((n) => !stored.includes(n))).toEqual([]);
  }
});

// Both ways of waiting for the disk: inside the commit, and beside the event loop. strace counts the calls of each thread by itself.
for (const [mode, syncMs] of [
  ['inline', '0'],
  ['beside', '5'],
] as const) {
  for (const [when, isFinal] of [
    ['4+', true],
    ['4', false],
    ['4..7', false],
  ] as const) {
    test(`syncs that fail (${mode}, ${when}): what is answered is on the disk`, async () => {
      const file = join(folder, `synced-${mode}-${when}.db`);
      await reading(file, () => {}); // made without faults
      const trace = `${file}.trace`;
      const inject = `inject=fsync,fdatasync:error=EIO:when=${when}`;
      const traced = ['-f', '-qq', '-o', trace, '-P', file, '-P', `${file}-wal`, '-e', 'trace=fsync,fdatasync'];
      const tried = spawn(
        needTool('strace', 'strace'),
        [...traced, '-e', inject, process.execPath, child.path, file, 'try', '20', syncMs],
        {
          env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let text = '';
      tried.stdout.on('data', (chunk) => (text += chunk));
      await once(tried, 'close');
      const answers = text.trimEnd().split('\n');
      expect(answers).toHaveLength(20);
      expect(readFileSync(trace, 'utf8'), 'the fault must have fired').toMatch(/f(data)?sync.*EIO.*\(INJECTED\)/);
      const refused = answers.filter((line) => !line.startsWith('ok '));
      expect(new Set(refused.map((line) => line.split(' ')[0]))).toEqual(
        refused.length === 0 ? new Set() : new Set(['SERVICE_UNAVAILABLE']),
      );
      if (isFinal) {
        // Once it fails nothing more is answered with yes.
        expect(answers.indexOf(refused[0]!)).toBeLessThan(6);
        expect(answers.slice(answers.indexOf(refused[0]!)).filter((line) => line.startsWith('ok '))).toEqual([]);
      } else expect(answers.at(-1)).toBe('ok 19');
      const stored = await reading(file, (entries) => entries.map((entry) => entry.n));
      const acknowledged = answers.filter((line) => line.startsWith('ok ')).map((line) => Number(line.slice(3)));
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      expect(new Set(stored).size).toBe(stored.length);
    });
  }
}

test('two processes that add to one number lose no addition', async () => {
  const file = join(folder, 'shared.db');
  const { graph } = await openSqliteStore({ file, durability: 'full' });
  const runtime = createRuntime({ store: graph, settings: () => ({ conflictMaxAttempts: 1000 }) });
  const counter = () => entriesNow()[0]!;
  await runUnit(runtime, guest, () => addEntry(0));
  const others = [start(file, 'count', '60'), start(file, 'count', '60')].map((process) => once(process, 'close'));
  for (let i = 0; i < 60; i++) {
    await runUnit(runtime, guest, () => void (counter().n += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await Promise.all(others)).map(([code]) => code)).toEqual([0, 0]);
  // This process sees what the others wrote, also what it has cached.
  expect(await runUnit(runtime, guest, () => counter().n)).toBe(180);
  await graph.close();
});
