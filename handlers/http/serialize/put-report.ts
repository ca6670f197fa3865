/** Reports as JSON texts, and the largest answer there is. `run/call.ts` streams them; `run/answer.ts` and frames of sockets join them. */
import { Failure } from '../../../core/errors.ts';
import { GraphObject } from '../../../core/graph/objects.ts';
import { putValue } from './put-value.ts';
import { take } from './scratch.ts';
import type { Writer } from './writer.ts';

export const maxAnswerBytes = 32 * 1024 * 1024;

/** One report. @throws Failure `EXECUTION_ERROR` when there are more than 32 MiB by now */
export function putReport(report: unknown, writer: Writer): void {
  if (report instanceof GraphObject) writer.written?.delete(report);
  putValue(report, writer);
  if (writer.out.at > maxAnswerBytes) throw tooLarge();
}

/** One report by itself. */
export function reportText(report: unknown, writer: Writer): string {
  putReport(report, writer);
  return take(writer.out, 0);
}

export function tooLarge(): Failure {
  return new Failure('EXECUTION_ERROR', 'The answer is larger than 32 MiB.');
}
