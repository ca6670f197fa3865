import { expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { importedPackages } from './imported-packages.ts';

test('packages that compiled modules and the scripts beside them import', () => {
  using folder = folderWith({
    'Box.tsx': `import one, { type Two } from 'one/part';
import * as all from "@scope/two";
import './again.ts'
import type { Three } from 'three';
export { four } from 'four';
export type { Five } from 'five';
import { readFileSync } from 'node:fs';
export function Box() { return <p id="six">{'seven'}</p>; }
export default 'eight';
`,
    'again.ts': `import "./Box.tsx";\nimport {\n  nine,\n} from 'nine';\nimport { x } from '@/ten';\n`,
  });
  const code =
    'import { a } from "ten-b";\nimport "./Box.tsx";\nimport { $add } from "@svc/runtime/lang";\nconst x = "eleven";\n';
  const modules = new Map([[`${folder.path}/main.svc`, { code, map: '' }]]);
  expect(importedPackages({ modules: () => modules }, { '@/*': './*' }).toSorted()).toEqual([
    '@scope/two',
    'four',
    'nine',
    'one',
    'ten-b',
  ]);
});
