import { Failure } from '../../../core/errors.ts';
import { GraphObject } from '../../../core/graph/objects.ts';
import { AsyncGeneratorObject, GeneratorObject } from '../../../library/values/calls/generators.ts';
import { putValue, textOf } from '../serialize/put-value.ts';
import { putByte, take } from '../serialize/scratch.ts';
import type { Writer } from '../serialize/writer.ts';

/** What a finished run gave, as JSON texts. */
export interface Outcome {
  readonly result: string;
  readonly reports: string;
  readonly isAscii: boolean;
  /** Type names of values that have no JSON form. */
  readonly odd: readonly string[] | undefined;
}

export const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Writes result and reports. Reports come first, so that a node that is in both is written in full among the reports, whose text is
 * repeated at the top level; a node that is itself a report is always in full.
 *
 * @throws Failure `EXECUTION_ERROR` above 32 MiB
 */
export function writeOutcome(result: unknown, reports: readonly unknown[], writer: Writer): Outcome {
  const { out } = writer;
  const reportsText = writeReports(reports, writer);
  const resultText = textOf(result, writer);
  if (resultText.length + reportsText.length > maxAnswerBytes) throw tooLarge();
  return { result: resultText, reports: reportsText, isAscii: out.isAscii, odd: writer.odd };
}

function writeReports(reports: readonly unknown[], writer: Writer): string {
  if (reports.length === 0) return '[]';
  const { out } = writer;
  let mark = 0x5b;
  for (let i = 0; i < reports.length; i++) {
    putByte(out, mark);
    mark = 0x2c;
    putReport(reports[i], writer);
  }
  putByte(out, 0x5d);
  return take(out, 0);
}

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

/** A generator, whose values are answered as a stream. */
export type Streamable = Iterator<unknown> | AsyncIterator<unknown>;

export function isStreamable(value: unknown): value is Streamable {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof GeneratorObject || value instanceof AsyncGeneratorObject) return true;
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  return tag === 'Generator' || tag === 'AsyncGenerator';
}

function tooLarge(): Failure {
  return new Failure('EXECUTION_ERROR', 'The answer is larger than 32 MiB.');
}
