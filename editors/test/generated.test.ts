/** Files for editors that are made from the scanner's tables: `UPDATE=1 npx vitest run editors/test/generated.test.ts` writes them anew. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { textMateGrammar } from '../grammar/textmate.ts';
import { treeSitterTables, treeSitterWords } from '../grammar/tree-sitter.ts';

const files: readonly (readonly [string, () => string])[] = [
  ['vscode/syntaxes/svc.tmLanguage.json', () => `${JSON.stringify(textMateGrammar(), null, 1)}\n`],
  ['tree-sitter/tables.js', treeSitterTables],
  ['tree-sitter/src/words.h', treeSitterWords],
];

test.each(files)('%s is the generated one', (name, make) => {
  const path = join(import.meta.dirname, '..', name);
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, make());
  }
  expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(make());
});
