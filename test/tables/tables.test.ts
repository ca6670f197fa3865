/**
 * Runs the cases of each table as one `.svc` program, through the compiler and the command line, and compares what they give with what the
 * table says. make.py computes the tables; they are never written from our own output.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder, runSvc } from '../harness/server.ts';

interface Table {
  readonly setup: string;
  /** Statements of a function, and the `repr` of its result or `!Name: message`. */
  readonly rows: readonly (readonly [source: string, outcome: string])[];
}

const here = import.meta.dirname;

for (const file of readdirSync(here).filter((name) => name.endsWith('.json'))) {
  test(file.slice(0, -'.json'.length), async () => {
    const table = JSON.parse(readFileSync(join(here, file), 'utf8')) as Table;
    const folder = mkdtempSync(join(tmpdir(), 'svc-table-'));
    writeFileSync(join(folder, 'main.svc'), programOf(table));
    const { stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
    removeFolder(folder);
    const outcomes = new Map(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('@'))
        .map((line) => JSON.parse(line.slice(1)) as [number, string]),
    );
    const wrong = table.rows.flatMap(([source, wanted], i) => {
      const given = outcomes.get(i);
      return given === wanted ? [] : [`${source}\n  gives  ${given}\n  not    ${wanted}`];
    });
    expect(wrong.join('\n') + (outcomes.size === 0 ? stdout + stderr : '')).toBe('');
  });
}

function programOf(table: Table): string {
  const cases = table.rows.map(([source], i) => `def row${i}() {\n${source}\n}\n`);
  const calls = table.rows.map(
    (_, i) =>
      `  try { show(${i}, repr(row${i}())); } except BaseException as e { show(${i}, f"!{type(e).__name__}: {e}"); }\n`,
  );
  return `import json as shown_as;
${table.setup}
def show(i: int, text: str) { print("@" + shown_as.dumps([i, text])); }
${cases.join('')}
with entry {
${calls.join('')}}
`;
}
