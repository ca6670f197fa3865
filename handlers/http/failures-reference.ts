import { failureCodes } from '../../core/errors.ts';
import { titles } from './problem-details.ts';

/** The reference page of failure codes (server.md 6.3), from the tables answers are made of. */
export function failuresReference(): string {
  const rows = Object.entries(failureCodes).map(
    ([code, { status }]) => `| \`${code}\` | ${status} | ${titles[code] ?? ''} |`,
  );
  return [
    '# Failure codes',
    '',
    'What `error.code` of an answer can be; clients branch on it, never on the message. Applications add codes of their own with `HTTPError`.',
    'Generated from the tables the server answers with.',
    '',
    '| Code | Status | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
