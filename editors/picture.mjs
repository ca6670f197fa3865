/** Draws programs in the colours of the TextMate grammar: `node editors/picture.mjs OUT.png FILE[:FROM-TO]...`, with Chromium. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const require = createRequire(import.meta.url);
const { OnigScanner, OnigString, loadWASM } = oniguruma;

// The colours of VS Code's light theme, by scope, the first that fits.
const colours = [
  [/^comment/, '#008000'],
  [/^constant\.character\.(escape|entity)/, '#ee0000'],
  [/^(constant\.other|storage\.modifier\.conversion|punctuation\.section\.embedded)/, '#0070c1'],
  [/^(string|punctuation\.definition\.string|storage\.type\.string)/, '#a31515'],
  [/^constant\.numeric/, '#098658'],
  [/^(keyword\.control|keyword\.other)/, '#af00db'],
  [/^(storage|constant\.language|variable\.language|keyword\.operator\.word)/, '#0000ff'],
  [/^keyword\.operator\.graph/, '#c05000'],
  [/^(support\.type|entity\.name\.type)/, '#267f99'],
  [/^entity\.name\.function/, '#795e26'],
  [/^(entity\.name\.tag|punctuation\.definition\.tag)/, '#800000'],
  [/^entity\.other\.attribute-name/, '#e50000'],
  [/^variable/, '#001080'],
  [/^meta\.(embedded|interpolation|tag)/, '#222222'],
];

const [out, ...files] = process.argv.slice(2);
const grammar = await load();
const columns = files.map((file) => `<pre>${highlight(read(file))}</pre>`).join('');
const style =
  'body{margin:0;display:inline-flex;gap:1px;background:#ddd}pre{margin:0;padding:12px 16px;background:#fff;font:12px/1.45 monospace}';
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1200 } });
  await page.setContent(`<meta charset="utf-8"><style>${style}</style><body>${columns}</body>`);
  await page.locator('body').screenshot({ path: out });
} finally {
  await browser.close();
}

function read(given) {
  const [, file, from = '1', to = 'Infinity'] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(given);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(Number(from) - 1, Number(to));
}

async function load() {
  await loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
  const path = join(import.meta.dirname, 'vscode/syntaxes/svc.tmLanguage.json');
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (scope) =>
      scope === 'source.svc' ? textmate.parseRawGrammar(readFileSync(path, 'utf8'), path) : null,
  });
  return await registry.loadGrammar('source.svc');
}

function highlight(lines) {
  let stack = textmate.INITIAL;
  return lines
    .map((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
      stack = ruleStack;
      return tokens
        .map(({ startIndex, endIndex, scopes }) => {
          const text = line.slice(startIndex, endIndex).replace(/&/g, '&amp;').replace(/</g, '&lt;');
          return `<span style="color:${colourOf(scopes)}">${text}</span>`;
        })
        .join('');
    })
    .join('\n');
}

function colourOf(scopes) {
  for (const scope of scopes.toReversed())
    for (const [pattern, colour] of colours) if (pattern.test(scope)) return colour;
  return '#222222';
}
