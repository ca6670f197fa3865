/** Renaming over the examples: the program prints the same afterwards, whatever was renamed. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { clientEmitter } from '../../lang/6-emit-client/emitter.ts';
import { sitesWhere } from '../../lang/editor/references.ts';
import { renameAt, renameableAt } from '../../lang/editor/rename.ts';
import { type View, viewOf, viewsOf } from '../../lang/editor/view.ts';
import { beginCompilation } from '../../lang/phases.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { runSvc } from '../harness/server.ts';
import { drivers } from './drivers.ts';
import { allExamples, type Example, exampleAnalyst, loadModules } from './examples.ts';
import { sample } from './usefulness.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const newName = 'Another_name';

/** Texts of an example after one name was renamed; undefined where that was refused. */
function renamed(view: View, offset: number): ReadonlyMap<string, string> | undefined {
  const result = renameAt(view, offset, newName);
  if (result.refused !== undefined) return undefined;
  const texts = new Map<string, string>();
  for (const edit of [...result.edits].sort((a, b) => b.start - a.start)) {
    const text = texts.get(edit.source.path) ?? edit.source.text;
    texts.set(edit.source.path, text.slice(0, edit.start) + edit.text + text.slice(edit.end));
  }
  return texts;
}

/** The output of the program. Shown objects have the names of classes and fields, which is why both names count as one. */
async function output(example: Example, texts: ReadonlyMap<string, string>, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rename-'));
  made.push(folder);
  cpSync(example.root, folder, { recursive: true });
  const all = new Map([['drive.svc', drivers[example.name]!], ...texts]);
  for (const [path, text] of all) writeFileSync(join(folder, path), text);
  const { stdout, code } = await runSvc(['run', 'drive.svc', '--no-persist'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
  return `${code}\n${stdout}`.replace(new RegExp(`\\b(?:${name}|${newName})\\b`, 'g'), '·');
}

test('programs behave as before when names are renamed', async () => {
  await loadModules();
  const seed = Date.now() % 1_000_000;
  const count = Number(process.env['SVC_RENAMES'] ?? 4);
  const places = allExamples().flatMap((one) => {
    const driver = drivers[one.name];
    if (driver === undefined) return [];
    const example = { ...one, entry: join(one.root, 'drive.svc') };
    const views = viewsOf(exampleAnalyst(example)(new Map([[example.entry, driver]])));
    const sites = views.flatMap((view) =>
      sitesWhere(view, () => true).map(({ start, site }) => ({ example, view, start, name: site.name })),
    );
    return sites.filter(({ view, start }) => !('refused' in renameableAt(view, start)));
  });
  expect(places.length).toBeGreaterThan(300);
  const plain = new Map<string, string>();
  let done = 0;
  const wrong: string[] = [];
  for (const { example, view, start, name } of sample(places, places.length, seed)) {
    if (done >= count) break;
    const texts = renamed(view, start);
    if (texts === undefined) continue;
    done++;
    const key = `${example.name} ${name}`;
    if (!plain.has(key)) plain.set(key, await output(example, new Map(), name));
    const after = await output(example, texts, name);
    if (after !== plain.get(key)) wrong.push(`${key} in ${view.source.path} at ${start}: ${after.slice(0, 400)}`);
  }
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(done).toBe(count);
}, 3_600_000);

/** Code for both halves and what is said of the program, with both names as one. */
function compiled(example: Example, texts: ReadonlyMap<string, string>, name: string) {
  const absolute = new Map([...texts].map(([path, text]) => [join(example.root, path), text]));
  const { project, diagnostics } = exampleAnalyst(example)(absolute);
  const options = { target: 'server', graph: 'sync', runtime: '#runtime', signatures, mode: 'serve' } as const;
  const client = { mode: 'production' } as const;
  const made = beginCompilation(project, { ...options, client }, clientEmitter).finish();
  // Names that are made of a name: setters of states, classes of the server; `{ a }` is `{ a: b }`, columns and ends of lines move.
  const setter = `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const words = new RegExp(
    `\\b(?:${name}|${newName}|${setter}|set${newName})\\b|\\$(?:${name}|${newName})\\d+\\b`,
    'g',
  );
  const same = (text: string) =>
    text
      .replace(words, '·')
      .replace(/(\.svc:\d+):\d+/g, '$1')
      .replace(/\s+/g, '')
      .replace(/,(?=[\])}])/g, '')
      .replaceAll('·:·', '·');
  return {
    said: diagnostics.map(({ code, path, message }) => same(`${path} ${code} ${message}`)).sort(),
    code: [...made.modules.map(({ output }) => output.code), ...made.client.map(({ output }) => output.code)].map(same),
  };
}

test('code of both halves is as before when names of a program with pages are renamed, from each place alike', async () => {
  await loadModules();
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const count = Number(process.env['SVC_RENAMES'] ?? 4);
  const places = allExamples()
    .filter(({ name }) => name === 'board' || name === 'social')
    .flatMap((example) =>
      viewsOf(exampleAnalyst(example)(new Map())).flatMap((view) =>
        sitesWhere(view, () => true).map(({ start, site }) => ({ example, view, start, name: site.name })),
      ),
    )
    .filter(({ view, start }) => !('refused' in renameableAt(view, start)));
  expect(places.length).toBeGreaterThan(300);
  let done = 0;
  const wrong: string[] = [];
  for (const { example, view, start, name } of sample(places, places.length, seed)) {
    if (done >= count) break;
    const texts = renamed(view, start);
    if (texts === undefined) continue;
    done++;
    const told = `${example.name} ${name} in ${view.source.path} at ${start}`;
    const edits = placesOf(view, start);
    for (const { source, start: other } of sample(edits, 2, seed)) {
      const there = placesOf(viewOf(view.analysis, source.path)!, other);
      // From a value whose type is not known the new name is refused.
      if (there.length > 0 && shownPlaces(there) !== shownPlaces(edits))
        wrong.push(`${told}: otherwise from ${source.path} at ${other}`);
    }
    const [before, after] = [compiled(example, new Map(), name), compiled(example, texts, name)];
    for (const part of ['said', 'code'] as const) {
      const at = after[part].findIndex((one, i) => one !== before[part][i]);
      if (at < 0) continue;
      const [old = '', now = ''] = [before[part][at], after[part][at]];
      const from = Math.max(0, [...now].findIndex((one, i) => one !== old[i]) - 40);
      wrong.push(`${told}: ${old.slice(from, from + 150)} became ${now.slice(from, from + 150)}`);
    }
  }
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  expect(done).toBe(count);
}, 3_600_000);

function placesOf(view: View, offset: number) {
  const result = renameAt(view, offset, newName);
  return result.refused === undefined ? result.edits : [];
}

function shownPlaces(edits: ReturnType<typeof placesOf>): string {
  return edits
    .map(({ source, start }) => `${source.path}:${start}`)
    .sort()
    .join(' ');
}
