import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileMeta } from './harness/missing.ts';

/** A list at the end of a run: which tests were left out on this machine, and for want of which part. */
export const leftOut: Reporter = {
  onTestRunEnd(modules) {
    const list = listLeftOut(modules);
    if (list !== '') process.stdout.write(`\n${list}\n`);
  },
};

/** Lines of the list, one for each set of parts that are missing; empty when every test ran. */
function listLeftOut(modules: readonly TestModule[]): string {
  const groups = new Map<string, Map<string, number>>();
  let count = 0;
  for (const module of modules) {
    const { missing = [] } = module.meta() as FileMeta;
    const file = relative(module.project.config.root, module.moduleId);
    for (const test of module.children.allTests('skipped')) {
      const { note } = test.result() as { readonly note?: string | undefined };
      const want = note ?? (missing.length > 0 ? `without ${missing.join(', ')}` : 'without a reason given');
      const files = groups.get(want) ?? new Map<string, number>();
      groups.set(want, files.set(file, (files.get(file) ?? 0) + 1));
      count++;
    }
  }
  if (count === 0) return '';
  const lines = [...groups].sort().map(([want, files]) => {
    const tests = [...files.values()].reduce((sum, one) => sum + one, 0);
    return `  ${want}: ${tests}\n    ${[...files.keys()].sort().join('\n    ')}`;
  });
  return `LEFT OUT on this machine: ${count} tests (.ci/run installs what they need on Debian)\n${lines.join('\n')}`;
}
