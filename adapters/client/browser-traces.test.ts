import { expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { browserTraces } from './browser-traces.ts';

test('frames of code that the bundler adds are left out', () => {
  // The second segment of the line has no source.
  const map = { version: 3, sources: ['../../main.svc'], names: [], mappings: 'AAAA,K,UAAA' };
  using folder = folderWith({ '.svc/client/.maps/client.js.map': JSON.stringify(map) });
  const config = { client: { outDir: '.svc/client' }, projectDir: folder.path } as Parameters<typeof browserTraces>[0];
  const at = (column: number) => `    at f (http://localhost/static/client.js:1:${column})`;
  const { frames } = browserTraces(config)(['Error: x', at(8), at(2)].join('\n'));
  expect(frames).toEqual([{ function: 'f', file: 'main.svc', line: 1, column: 1 }]);
});
