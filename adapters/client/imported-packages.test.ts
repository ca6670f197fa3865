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
    'work.js': "import 'worker-one';\nnew Worker(new URL('./second.mjs', import.meta.url));\n",
    'second.mjs': "const late = () => import('late-one');\n// import('none')\n",
    'note.js': "import 'only-text';\n",
    'look.css':
      '@import "sheet-one/all.css";\n@import url("./more.css");\n@import "own.css";\n@import "http://x/y.css";\n',
    'more.css': '@plugin "@plug/in";\n@import \'none.css\';\n',
    'own.css': '@import "sheet-two";\n',
  });
  const code =
    'import { a } from "ten-b";\nimport "./Box.tsx";\nimport W from "./work.js?worker";\nimport N from "./note.js?raw";\nimport "./look.css";\nimport { $add } from "@svc/runtime/lang";\nconst x = "eleven";\nexport const y = "twelve";\nexport let from = "thirteen";\n';
  const modules = new Map([[`${folder.path}/main.svc`, { code, map: '' }]]);
  const found = importedPackages({ modules: () => modules }, { '@/*': './*' });
  expect(found.ofSheets.toSorted()).toEqual(['@plug/in', 'sheet-one', 'sheet-two']);
  expect(found.packages.toSorted()).toEqual([
    '@plug/in',
    '@scope/two',
    'four',
    'late-one',
    'nine',
    'one',
    'sheet-one',
    'sheet-two',
    'ten-b',
    'worker-one',
  ]);
});
