/** Outcome of a live run as the JSON text that its frames carry. */
import type { Written } from '../http/run/types.ts';
import { putReport } from '../http/serialize/put-report.ts';
import { putValue } from '../http/serialize/put-value.ts';
import { putByte, take } from '../http/serialize/scratch.ts';
import type { Writer } from '../http/serialize/writer.ts';

export interface LiveOutcomeText extends Written {
  /** `{"result":…,"reports":[…]}`. */
  readonly text: string;
  /** Length of the text as UTF-8. */
  readonly bytes: number;
}

/** Writes what a run gave. Reports are written first, so that a node that is in both is in full among them. */
export function writeLiveOutcome(result: unknown, reports: readonly unknown[], writer: Writer): LiveOutcomeText {
  const { out } = writer;
  for (let i = 0; i < reports.length; i++) {
    if (i > 0) putByte(out, 0x2c);
    putReport(reports[i], writer);
  }
  const reportsEnd = out.at;
  putValue(result, writer);
  const bytes = out.at + frameBytes;
  const resultText = take(out, reportsEnd);
  return { text: `{"result":${resultText},"reports":[${take(out, 0)}]}`, bytes, odd: writer.odd };
}

const frameBytes = '{"result":,"reports":[]}'.length;
