import { didYouMean } from '../../base/did-you-mean.ts';
import { currentContext } from '../../core/memory/context.ts';
import { rootOf } from '../../core/memory/session-rows.ts';
import { spawn } from '../../core/walkers/spawn.ts';
import { metaOf } from '../../library/classes/meta.ts';
import { usageFailure } from '../command-failure.ts';

/**
 * Runs a walker of a loaded program at the root of the caller. `exports`: those of its entry module.
 *
 * @throws CommandFailure when no walker has the name; `labels` are the entry blocks that may have been meant
 */
export async function runWalker(
  name: string,
  exports: Readonly<Record<string, unknown>>,
  labels: readonly string[],
): Promise<void> {
  const walkers = Object.values(exports).flatMap((value) => {
    const meta = metaOf(value);
    return meta?.kind === 'walker' ? [meta] : [];
  });
  const found = walkers.find((meta) => meta.name === name);
  if (found !== undefined) return void (await spawn(found.cls, rootOf(currentContext().session)));
  const nearest = didYouMean(name, [...labels, ...walkers.map((meta) => meta.name)]);
  throw usageFailure(
    '--entry',
    `there is no entry block or walker '${name}'`,
    nearest === undefined ? [] : [`did you mean ${nearest}?`],
  );
}
