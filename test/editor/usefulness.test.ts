/** Completion on the examples with the text cut off: a sample; SVC_CUTS measures more. */
import { beforeAll, expect, test } from 'vitest';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { completionAt } from '../../lang/editor/complete/completion.ts';
import { viewOf } from '../../lang/editor/view.ts';
import { entryFor, exampleAnalyst, loadModules, readText, shown } from './examples.ts';
import { allCuts, type Cut, measure, sample } from './usefulness.ts';

let cuts: readonly Cut[];
beforeAll(async () => {
  await loadModules();
  cuts = allCuts();
}, 60_000);

test('the word that stood there is among the first ten', () => {
  expect(cuts.length).toBeGreaterThan(3000);
  const { asked, found, missed } = measure(sample(cuts, Number(process.env['SVC_CUTS'] ?? 60), 11));
  expect(found / asked, missed.map(({ cut }) => cut.word).join(' ')).toBeGreaterThanOrEqual(0.9);
}, 120_000);

test('so is the member behind a dot, and no member is offered that is not there', () => {
  const { members, membersFound, offered, wrong, missed } = measure(
    sample(
      cuts.filter(({ sort }) => sort === 'member'),
      cuts.length,
      7,
    ),
  );
  expect(membersFound / members, missed.map(({ cut }) => cut.word).join(' ')).toBeGreaterThanOrEqual(0.9);
  expect(offered).toBeGreaterThan(50);
  expect(wrong / offered).toBeLessThanOrEqual(0.01);
}, 120_000);

test('of an open file as much is known as when the whole program is asked', () => {
  for (const { example, file, start, typed } of sample(cuts, 25, 3)) {
    const analyst = exampleAnalyst(example);
    const entry = entryFor(example, file, analyst(new Map()));
    const texts = new Map([[file, readText(file).slice(0, start + typed)]]);
    const [open, whole] = [analyst(texts, entry, file), analyst(texts, entry)].map((analysis) => {
      const view = viewOf(analysis, shown(example, file))!;
      const { items } = completionAt(view, start + typed, { standardMembers, files: diskFiles, packages: [] });
      return { items, found: analysis.diagnostics.filter(({ path }) => path === view.source.path) };
    });
    expect(open, `${file}:${start}`).toEqual(whole);
  }
}, 120_000);
