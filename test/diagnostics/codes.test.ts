/** Pages of diagnostic codes: the program of each really gives its code, and the mended one gives nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPages } from '../../cli/explain/pages.ts';
import { failureCodes } from '../../core/errors.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { titles } from '../../handlers/http/problem-details.ts';
import { closeCodes } from '../../handlers/socket/close-codes.ts';
import { compileProject } from '../../lang/compile.ts';
import { catalogue } from '../../lang/diagnostics.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { readProject } from '../../lang/project.ts';
import { load } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { parseCodePage } from '../harness/code-page.ts';
import { clientCodes, scriptCodes } from './cases.ts';

await load('math', 'statistics', 'asyncio', 'threading', 're', 'ast');

const folder = join(import.meta.dirname, '../../docs/reference/codes');
const pages = new Map(readPages().map((page) => [page.code, page]));

/** The headline each page must have. */
const headlines = new Map<string, string>([
  ...Object.entries(catalogue).map(([code, text]): [string, string] => [
    code,
    typeof text === 'string' ? text : Object.values(text).join(' / '),
  ]),
  ...Object.entries(failureCodes).map(([code, { status }]): [string, string] => [
    code,
    `${titles[code]} (status ${status})`,
  ]),
  ...Object.entries(closeCodes).map(([code, about]): [string, string] => [code, `${about} (close code of sockets)`]),
]);

test('every code has a page, and every page a code', () => {
  expect([...pages.keys()].sort()).toEqual([...headlines.keys()].sort());
});

describe('pages', () => {
  for (const [code, page] of pages)
    test(`${code} is whole`, () => {
      const headline = `# ${code}: ${headlines.get(code)}`;
      const text = page.text.replace(/^.*\n/, () => `${headline}\n`);
      if (process.env['UPDATE'] === '1') writeFileSync(join(folder, `${code}.md`), text);
      expect(readFileSync(join(folder, `${code}.md`), 'utf8')).toBe(text);
      expect(parseCodePage(text).headline).toBe(headline.slice(2));
      // Headlines come from the tables; the rest fits a terminal.
      const prose = text
        .replace(/^```[\s\S]*?^```$/gm, '')
        .split('\n')
        .slice(1);
      expect(prose.filter((line) => line.length > 82)).toEqual([]);
    });
});

/** Codes that only something else than the compiler of the server gives. */
const elsewhere = new Set([...clientCodes, ...scriptCodes, 'E0107', 'E0108', 'E0999']);

function codesOf(files: Readonly<Record<string, string>>, config: string): string[] {
  const project = readProject('main.svc', filesInMemory(files), {
    root: '.',
    tests: true,
    browser: Object.keys(files).filter((path) => path.startsWith('pages/')),
  });
  const { diagnostics } = compileProject(project, {
    target: 'server',
    signatures,
    graph: 'sync',
    runtime: '#runtime',
    standardMembers,
    enforceAccess: config.includes('enforce_access = true'),
    warnsLegacy: config.includes('legacy = "warn"'),
    tellsInternal: true,
  });
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe('examples', () => {
  for (const code of Object.keys(catalogue).filter((one) => !elsewhere.has(one)))
    test(`of ${code}`, () => {
      const { common, wrong, right } = parseCodePage(pages.get(code)!.text);
      const config = common['svc.toml'] ?? '';
      expect([wrong.notRun, right.notRun]).toEqual([undefined, undefined]);
      const given = codesOf(wrong.files, config);
      expect(
        given.filter((one) => one.startsWith(code)),
        given.join('\n'),
      ).not.toEqual([]);
      expect(codesOf(right.files, config)).toEqual([]);
    });
});

test('what is not run is what cannot be', () => {
  for (const code of elsewhere) {
    const { wrong } = parseCodePage(pages.get(code)!.text);
    expect(wrong.notRun !== undefined, code).toBe(!scriptCodes.includes(code));
  }
});
