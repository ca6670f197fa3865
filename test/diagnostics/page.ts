import { blocks, type Code, catalogue, severityOf } from '../../lang/diagnostics.ts';
import { cases, clientCodes } from './cases.ts';

const groups: readonly (readonly [string, (code: string) => boolean])[] = [
  ['Text and syntax', (code) => /^E01/.test(code)],
  ['Modules', (code) => /^E02/.test(code)],
  ['Names and types', (code) => /^E0[34]/.test(code)],
  ['Archetypes and implementations', (code) => /^E05/.test(code)],
  ['Client and server, imports', (code) => /^E0[67]/.test(code)],
  ['Not supported', (code) => /^E09/.test(code)],
  ['Warnings: spelling', (code) => /^W0[12]/.test(code)],
  ['Warnings: code', (code) => /^W0[34]/.test(code)],
  ['Warnings: access, archetypes, graph', (code) => /^W05/.test(code)],
  ['Warnings: client and modules', (code) => /^W0[67]/.test(code)],
];

/** The reference page of all codes; an example is the first line a case marks. */
export function diagnosticsPage(codes: readonly Code[]): string {
  const parts = [
    '# Diagnostics',
    '',
    'What `svc check` reports. `svc run`, `svc start` and `svc test` stop at the errors marked **stops** and show other errors as warnings.',
    'A comment `# svc:ignore[CODE]` silences a code on its line. Generated from the catalogue of the compiler and the cases in',
    '`test/diagnostics/`; codes marked *client* are reserved for pages, which are to come. A *note* says what an author may not',
    'expect; nothing is wrong. Each code has a page with what to write instead, which `svc explain CODE` prints.',
  ];
  for (const [title, isIn] of groups) {
    parts.push('', `## ${title}`, '', '| Code | Message | | Example |', '| --- | --- | --- | --- |');
    for (const code of codes.filter(isIn)) parts.push(row(code));
  }
  return `${parts.join('\n')}\n`;
}

function row(code: Code): string {
  const entry: string | Readonly<Record<string, string>> = catalogue[code];
  const message = typeof entry === 'string' ? entry : Object.values(entry).join(' / ');
  const severity = severityOf(code);
  const note =
    severity === 'note'
      ? '*note*'
      : clientCodes.includes(code)
        ? '*client*'
        : blocks(code)
          ? '**stops**'
          : code.startsWith('W') && severity === 'error'
            ? 'an error'
            : '';
  return `| [${code}](codes/${code}.md) | ${cell(message)} | ${note} | ${example(code)} |`;
}

function example(code: Code): string {
  const one = cases.find((each) => each.code === code);
  if (one === undefined || code === 'E0107') return '';
  const text = one.files?.[one.file ?? 'main.svc'] ?? one.text ?? '';
  const line = text.split('\n')[Number(one.at.split(':')[0]) - 1] ?? '';
  return cell(`\`\` ${line.trim()} \`\``);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
