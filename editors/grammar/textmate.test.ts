/** The TextMate grammar gives every token of every program of the repository the class that the scanner has for it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import { compareClasses, programs } from './compare.ts';
import { textMateGrammar } from './textmate.ts';

const require = createRequire(import.meta.url);

async function loadGrammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer as ArrayBuffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) =>
      scope === 'source.svc' ? textmate.parseRawGrammar(JSON.stringify(textMateGrammar()), 'svc.json') : null,
  });
  return (await registry.loadGrammar('source.svc'))!;
}

test('every token of every program has the class the scanner gives it', async () => {
  const grammar = await loadGrammar();
  const { tokens, broken, wrong } = compareClasses((text) => grammarClasses(grammar, text));
  expect(wrong).toEqual([]);
  expect(tokens).toBeGreaterThan(300_000);
  expect(broken.length).toBeLessThan(programs.length / 50);
});

/** Class of each character of a text by the innermost scope that says something about it. */
function grammarClasses(grammar: textmate.IGrammar, text: string): string[] {
  const classes = new Array<string>(text.length).fill('');
  let stack = textmate.INITIAL;
  let at = 0;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    for (const { startIndex, endIndex, scopes } of tokens)
      classes.fill(classOf(scopes), at + startIndex, Math.min(at + endIndex, text.length));
    stack = ruleStack;
    at += line.length + 1;
  }
  return classes;
}

const classByScope: readonly (readonly [RegExp, string])[] = [
  [/^comment/, 'comment'],
  [/^constant\.character\.entity/, 'text'],
  [/^(string|constant\.character|punctuation\.definition\.string|storage\.type\.string)/, 'string'],
  [/^constant\.other\.format|^storage\.modifier\.conversion/, 'field'],
  [/^constant\.numeric/, 'number'],
  [/^(entity\.name\.tag|punctuation\.definition\.tag)/, 'tag'],
  [/^entity\.other\.attribute/, 'attribute'],
  [
    /^(keyword\.operator\.word|keyword\.control|keyword\.other|storage|constant\.language|variable\.language)/,
    'keyword',
  ],
  [/^support\.type/, 'type'],
  [/^(entity\.name|variable)/, 'name'],
  [/^(meta\.embedded\.block|punctuation\.definition\.foreign)/, 'foreign'],
  [/^(keyword\.operator|punctuation)/, 'operator'],
  [/^meta\.tag\.children/, 'text'],
  [/^meta\.(embedded|interpolation|tag)/, ''],
];

function classOf(scopes: readonly string[]): string {
  for (const scope of scopes.toReversed())
    for (const [pattern, name] of classByScope) if (pattern.test(scope)) return name;
  return '';
}
