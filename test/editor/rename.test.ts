/** Renaming over the examples: the program prints the same afterwards, whatever was renamed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientEmitter } from '../../lang/6-emit-client/emitter.ts';
import { sitesWhere } from '../../lang/editor/references.ts';
import { renameAt, renameableAt } from '../../lang/editor/rename.ts';
import { type View, viewOf, viewsOf } from '../../lang/editor/view.ts';
import { beginCompilation } from '../../lang/phases.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { allExamples, type Example, exampleAnalyst, loadModules } from './examples.ts';
import { newName, renameAtRandom, renamed } from './renames.ts';
import { sample } from './usefulness.ts';

test('programs behave as before when names are renamed', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  expect({ seed, wrong: await renameAtRandom(4, seed) }).toEqual({ seed, wrong: [] });
}, 600_000);

/** Code for both halves and what is said of the program, with both names as one. */
function compiled(example: Example, texts: ReadonlyMap<string, string>, name: string, to: string) {
  const absolute = new Map([...texts].map(([path, text]) => [join(example.root, path), text]));
  const { project, diagnostics } = exampleAnalyst(example)(absolute);
  const options = { target: 'server', graph: 'sync', runtime: '#runtime', signatures, mode: 'serve' } as const;
  const client = { mode: 'production' } as const;
  const made = beginCompilation(project, { ...options, client }, clientEmitter).finish();
  // Names that are made of a name: setters of states, classes of the server; `{ a }` is `{ a: b }`, columns and ends of lines move.
  const setter = `set${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const words = new RegExp(`\\b(?:${name}|${to}|${setter}|set${to})\\b|\\$(?:${name}|${to})\\d+\\b`, 'g');
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
    // Loops over lists are written twice where they are short: the new name is as long as the old one.
    const to = newName.padEnd(name.length, 'e').slice(0, name.length);
    const texts = renamed(view, start, to);
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
    const [before, after] = [compiled(example, new Map(), name, to), compiled(example, texts, name, to)];
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
