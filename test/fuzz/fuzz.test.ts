/**
 * Random programs and random damage to programs: whatever the text, the compiler answers with findings inside of it or with JavaScript.
 * A short run with fixed seeds belongs to the suite; SVC_FUZZ=<rounds> runs that many of each kind, SVC_FUZZ_SEED=<n> from another seed.
 * What a run finds is added to `found/` with the fix.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../harness/random.ts';
import { compare } from './compare.ts';
import { readCorpus } from './corpus.ts';
import { generateProgram } from './generate.ts';
import { judge } from './judge.ts';
import { mutate } from './mutate.ts';

const rounds = Number(process.env['SVC_FUZZ'] ?? 24);
const firstSeed = Number(process.env['SVC_FUZZ_SEED'] ?? 1);
const modes = [undefined, 'run', 'serve', 'test'] as const;

async function examine(text: string, random: Random) {
  return judge(text, random.pick(modes), random.pick(['sync', 'async'] as const));
}

test('generated programs compile to JavaScript', { timeout: 0 }, async () => {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const random = createRandom(seed);
    const text = generateProgram(random);
    const { fault, blocked, codes } = await examine(text, random);
    expect(fault, `seed ${seed}\n${text}`).toBeUndefined();
    expect(blocked, `seed ${seed}: ${codes.filter((code) => code < 'E03')}\n${text}`).toBe(false);
  }
});

test('annotations and a store that answers later change nothing in what a program prints', { timeout: 0 }, async () => {
  for (let seed = firstSeed; seed < firstSeed + Math.ceil(rounds / 4); seed++) {
    const { fault, text } = await compare(seed);
    expect(fault, `seed ${seed}\n${text}`).toBeUndefined();
  }
});

test('damaged programs are reported, not stumbled over', { timeout: 0 }, async () => {
  const corpus = [...readCorpus().values()];
  let broken = 0;
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const random = createRandom(seed);
    const text = mutate(random, random.pick(corpus), random.pick(corpus));
    const { fault, blocked } = await examine(text, random);
    if (blocked) broken++;
    expect(fault, `seed ${seed}\n${text}`).toBeUndefined();
  }
  expect(broken).toBeGreaterThan(rounds / 4);
});

test('a seed gives the same program every time', () => {
  const corpus = [...readCorpus().values()];
  const both = (seed: number) => {
    const random = createRandom(seed);
    return [generateProgram(random), mutate(random, random.pick(corpus), random.pick(corpus))];
  };
  expect(both(7)).toEqual(both(7));
  expect(both(7)).not.toEqual(both(8));
});

const found = join(import.meta.dirname, 'found');
for (const file of readdirSync(found)) {
  test(`found before: ${file}`, async () => {
    const text = readFileSync(join(found, file), 'utf8');
    for (const mode of modes) {
      for (const graph of ['sync', 'async'] as const) {
        const { fault } = await judge(text, mode, graph);
        expect(fault).toBeUndefined();
      }
    }
  });
}
