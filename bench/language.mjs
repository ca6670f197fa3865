// P10: compiled kernels beside hand-written JavaScript (and CPython when there is one). P11, P12: walks over 100,000 nodes in memory.
// `node --expose-gc bench/language.mjs [P10 P11]`; `FLOATS`, only when asked: loops over numbers of unknown kind (decisions/0341).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as floatsByHand from './baselines/floats.mjs';
import * as byHand from './baselines/kernels.mjs';
import * as handWalks from './baselines/walks.mjs';
import { beside, loadSource } from './lib/bundle.mjs';
import { measure, measureAsync } from './lib/micro.mjs';
import { alternate, printRows, ratio, rounds, row } from './lib/rounds.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const here = import.meta.dirname;
const project = await loadSource('bench/lib/project.ts');
const other = beside && (await loadSource('bench/lib/project.ts', beside));
const notWorse = (id, subject, result) =>
  rows.push(row(id, `${subject} / checkout beside`, '>= 0.97', result, (x) => x >= 0.97));
const words = Array.from({ length: 2000 }, (_, i) => `w${(i * 7919) % 1000}`);
const numbers = Array.from({ length: 2000 }, (_, i) => i);
const argumentOf = { fib: 16, word_count: words, list_iterate: numbers, comprehension: numbers };
const rows = [];
const walksOf = (checkout) =>
  JSON.parse(spawnSync(process.execPath, [join(here, 'lib/walk-figures.mjs'), checkout], { encoding: 'utf8' }).stdout);

if (wants('P10')) {
  const compiled = await project.loadProgram(join(here, 'apps/kernels.svc'));
  const before = await other?.loadProgram(join(here, 'apps/kernels.svc'));
  const python = spawnSync('python3', ['-V']).status === 0;
  for (const name of Object.keys(byHand)) {
    const argument = argumentOf[name] ?? 2000;
    if (compiled[name](argument) !== byHand[name](argument)) throw new Error(`${name}: results differ`);
    const variants = {
      compiled: () => measure(() => compiled[name](argument)),
      hand: () => measure(() => byHand[name](argument)),
      ...(before && { beside: () => measure(() => before[name](argument)) }),
    };
    const figures = await alternate(variants, Math.min(rounds, 5));
    const against = python
      ? Number(spawnSync('python3', [join(here, 'baselines/kernels.py'), name], { encoding: 'utf8' }).stdout)
      : Number.NaN;
    const result = ratio(figures, 'compiled', 'hand');
    rows.push(
      row(
        'P10',
        `${name} / hand-written JavaScript (CPython x${(result.figure / against).toFixed(1)})`,
        '>= 0.8',
        result,
        (x) => x >= 0.8,
      ),
    );
    if (before) notWorse('P10', name, ratio(figures, 'compiled', 'beside'));
  }
}

if (wanted.includes('FLOATS')) {
  const compiled = await project.loadProgram(join(here, 'apps/floats.svc'));
  const [count, kinds] = [
    2000,
    { ints: numbers, 'integral floats': 1, 'floats, half of them integral': 0.5, fractions: 0.3 },
  ];
  const bare = (x) => Number(x);
  const listsOf = (kind) => (Array.isArray(kind) ? kind : compiled.floats(count, kind));
  const objects = (make) => make(count).map((one) => ({ ...one }));
  const cases = [
    ...['total', 'weighted'].flatMap((name) =>
      Object.entries(kinds).map(([kind, of]) => [name, kind, listsOf(of), listsOf(of).map(bare)]),
    ),
    ['basket', 'declared fields', compiled.items(count), objects(compiled.items).map(numbersOf)],
    ['step', 'declared fields', compiled.bodies(count), objects(compiled.bodies).map(numbersOf)],
  ];
  for (const [name, kind, given, plain] of cases) {
    if (bare(compiled[name](given)) !== floatsByHand[name](plain)) throw new Error(`${name}, ${kind}: results differ`);
    const variants = {
      compiled: () => measure(() => compiled[name](given), { perCall: count }),
      hand: () => measure(() => floatsByHand[name](plain), { perCall: count }),
    };
    const result = ratio(await alternate(variants, Math.min(rounds, 3)), 'compiled', 'hand');
    rows.push(row('floats', `${name} of ${kind} / hand-written JavaScript`, '', result, () => true));
  }
}

if (wants('P11') || wants('P12')) {
  const compiled = await project.loadProgram(join(here, 'apps/walks.svc'));
  const nodes = 100_000;
  const start = compiled.tree(nodes);
  const handStart = handWalks.tree(nodes);
  const sync = () => measure(() => compiled.walk_all(start), { perCall: nodes, slices: 3, sliceMs: 100, warmMs: 400 });
  const hand = () =>
    measure(() => handWalks.walkAll(handStart), { perCall: nodes, slices: 3, sliceMs: 100, warmMs: 400 });
  const asynchronous = () =>
    measureAsync(() => compiled.walk_all_async(start), { perCall: nodes, slices: 3, sliceMs: 100, warmMs: 400 });
  const figures = await alternate({ sync, hand, asynchronous }, Math.min(rounds, 5));
  if (beside) {
    const both = [];
    const checkouts = { this: join(here, '..'), beside };
    await alternate(
      Object.fromEntries(
        Object.entries(checkouts).map(([name, folder]) => [name, () => both.push({ name, ...walksOf(folder) })]),
      ),
      Math.min(rounds, 5),
    );
    const of = (name, key) => both.filter((one) => one.name === name).map((one) => one[key]);
    for (const [id, key, subject] of [
      ['P11', 'sync', 'walk over 100k nodes in memory'],
      ['P12', 'asynchronous', 'async walker that never waits'],
    ])
      notWorse(id, subject, ratio({ this: of('this', key), beside: of('beside', key) }, 'this', 'beside'));
  }
  rows.push(
    row(
      'P11',
      'walk over 100k nodes in memory / hand-written loop',
      '>= 0.6',
      ratio(figures, 'sync', 'hand'),
      (x) => x >= 0.6,
    ),
  );
  rows.push(
    row(
      'P12',
      'async walker that never waits / own sync walker',
      '>= 0.85',
      ratio(figures, 'asynchronous', 'sync'),
      (x) => x >= 0.85,
    ),
  );
}

printRows(rows);

/** The fields of an object as plain numbers. */
function numbersOf(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Number(value)]));
}
