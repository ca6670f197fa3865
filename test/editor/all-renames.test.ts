/** E4: 200 renames at random over the examples, each alone; the programs are run before and after. */
import { expect, test } from 'vitest';
import { renameAtRandom } from './renames.ts';

test('programs behave as before after 200 renames', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  expect({ seed, wrong: await renameAtRandom(200, seed) }).toEqual({ seed, wrong: [] });
}, 3_600_000);
