import { Failure, failureCodes } from '../../core/errors.ts';
import { closeCodes } from '../socket/close-codes.ts';
import { hintFor } from './hints.ts';
import { titles } from './problem-details.ts';

/** The reference page of failure codes (docs/server/errors.md#failures), from the tables answers are made of. */
export function failuresReference(): string {
  const rows = Object.entries(failureCodes).map(
    ([code, { status }]) => `| [\`${code}\`](codes/${code}.md) | ${status} | ${titles[code] ?? ''} | ${toDo(code)} |`,
  );
  return [
    '# Failure codes',
    '',
    'What `error.code` of an answer can be; clients branch on it, never on the message. Applications add codes of their own with `HTTPError`.',
    'Each has a page with a request that gets it, which `svc explain CODE` prints. Generated from the tables the server answers with.',
    '',
    '| Code | Status | Meaning | What to do: the `hint` of answers in development |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## Close codes of sockets',
    '',
    '| Code | Meaning |',
    '| --- | --- |',
    ...Object.entries(closeCodes).map(([code, about]) => `| [\`${code}\`](codes/${code}.md) | ${about} |`),
    '',
  ].join('\n');
}

function toDo(code: string): string {
  const details = code === 'UNAUTHORIZED' ? { reason: 'missing' } : undefined;
  const hint =
    hintFor(new Failure(code, '', { details }), { method: 'POST', path: '/', header: () => undefined }) ?? '';
  return hint.replaceAll(/[<>|]/g, '\\$&');
}
