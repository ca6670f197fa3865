import { Failure, failureCodes } from '../../core/errors.ts';
import { hintFor } from './hints.ts';
import { titles } from './problem-details.ts';

/** The reference page of failure codes (server.md 6.3), from the tables answers are made of. */
export function failuresReference(): string {
  const rows = Object.entries(failureCodes).map(
    ([code, { status }]) => `| \`${code}\` | ${status} | ${titles[code] ?? ''} | ${toDo(code)} |`,
  );
  return [
    '# Failure codes',
    '',
    'What `error.code` of an answer can be; clients branch on it, never on the message. Applications add codes of their own with `HTTPError`.',
    'Generated from the tables the server answers with.',
    '',
    '| Code | Status | Meaning | What to do: the `hint` of answers in development |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function toDo(code: string): string {
  const details = code === 'UNAUTHORIZED' ? { reason: 'missing' } : undefined;
  const hint =
    hintFor(new Failure(code, '', { details }), { method: 'POST', path: '/', header: () => undefined }) ?? '';
  return hint.replaceAll(/[<>|]/g, '\\$&');
}
