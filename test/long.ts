import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import long from './long.json' with { type: 'json' };

const seconds: Readonly<Record<string, number>> = { ...long.always, ...long.onlyWithAll };

/** Files of `long.json` begin before all others, the longest first: no worker is left with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}

function secondsOf({ moduleId, project }: TestSpecification): number {
  return seconds[relative(project.config.root, moduleId)] ?? 0;
}
