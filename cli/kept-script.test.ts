import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepScripts, runScript } from './kept-script.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const kept = () => {
  const [place] = readdirSync(folder).filter((name) => name.startsWith('svc-code'));
  return place === undefined ? [] : readdirSync(join(folder, place)).map((name) => join(folder, place, name));
};

const text = `(function($load,$0){"use strict";function more(n){return n+$0.by}function other(n){${'n=n*$0.by+$0.by-n;'.repeat(60)}return n-n+5}return{more,other,load:$load}})`;

/** Runs a script of its own name, as a process of its own would, and calls one of its functions. */
function run(name = 'part-1a', load: (path: string) => unknown = () => undefined, called = 'more'): unknown {
  const path = join(folder, `${name}.js`);
  writeFileSync(path, text);
  const exported = runScript(pathToFileURL(path).href, [load, { by: 2 }]) as Record<string, any>;
  expect(exported['load']).toBe(load);
  return exported[called](3);
}

test('what was run is kept for later processes, where nobody else can write', () => {
  expect(run()).toBe(5);
  expect(kept()).toEqual([]);
  keepScripts(false);
  const [path] = kept();
  expect(kept()).toHaveLength(1);
  expect([statSync(path!).mode & 0o777, statSync(join(path!, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  const first = readFileSync(path!);
  // Accepted: there is nothing to keep any more.
  expect(run()).toBe(5);
  rmSync(path!);
  keepScripts(true);
  expect(kept()).toEqual([]);
  // Nothing is left of what could not be written.
  mkdirSync(path!);
  expect(run('part-1b')).toBe(5);
  expect(run()).toBe(5);
  keepScripts(true);
  expect(kept().filter((name) => !name.includes('part-1b'))).toEqual([path]);
  rmSync(path!, { recursive: true });
  // The remains of a file are not run, and replaced.
  for (const broken of [first.subarray(0, 100), Buffer.concat([first.subarray(0, -1), Buffer.of(7)])]) {
    writeFileSync(path!, broken);
    expect(run()).toBe(5);
    keepScripts(true);
    expect(readFileSync(path!).length).toBe(first.length);
    expect(readFileSync(path!).equals(broken)).toBe(false);
  }
  // A later process calls more of it; one that is in a hurry leaves what is kept.
  writeFileSync(path!, first);
  run('part-1a', () => undefined, 'other');
  keepScripts(false);
  expect(readFileSync(path!).equals(first)).toBe(true);
  run('part-1a', () => undefined, 'other');
  keepScripts(true);
  expect(readFileSync(path!).length).toBeGreaterThan(first.length * 1.1);
});

test('nothing is kept where others can write, nor where Node keeps nothing', () => {
  run();
  keepScripts(true);
  const place = join(kept()[0]!, '..');
  chmodSync(place, 0o777);
  expect(run('part-2b')).toBe(5);
  keepScripts(true);
  expect(kept()).toHaveLength(1);
  chmodSync(place, 0o700);
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1');
  expect(run('part-3c')).toBe(5);
  keepScripts(true);
  expect(kept()).toHaveLength(1);
  rmSync(place, { recursive: true });
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', undefined);
  writeFileSync(place, '');
  expect(run('part-4d')).toBe(5);
});

test('the newest versions of a part stay', () => {
  for (let i = 0; i < 9; i += 1) {
    run(`part-${i}`);
    run(`joined-010-${i}`);
    run(`joined-001-${i}`);
    keepScripts(true);
    for (const path of kept()) if (path.includes(`-${i}-`)) utimesSync(path, i, i);
  }
  const names = kept().map((path) => path.replace(/.*\/(.+-\d)-.*/, '$1'));
  expect(names.filter((name) => name.startsWith('part')).sort()).toEqual([3, 4, 5, 6, 7, 8].map((i) => `part-${i}`));
  expect(names).toHaveLength(18);
});
