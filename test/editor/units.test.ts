/** Programs that the language server has open, asked by several requests at once. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUnits } from '../../cli/lsp/units.ts';
import { folderWith } from '../harness/svc-process.ts';

test('what is known without a standard module that is still being loaded is not kept', async () => {
  using folder = folderWith({
    'main.svc': 'import from statistics { mean, absent }\nwith entry { print(mean([1])); }\n',
  });
  const units = createUnits({ env: {}, textOf: () => undefined, onFailure: (error) => expect.fail(String(error)) });
  const path = join(folder.path, 'main.svc');
  await Promise.all([units.viewOf(path, 'open'), units.viewOf(path, 'open')]);
  const view = await units.viewOf(path, 'open');
  expect(view!.analysis.diagnostics.map(({ code }) => code)).toContain('W0701');
});
