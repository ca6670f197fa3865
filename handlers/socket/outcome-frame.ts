/** Frames with the outcome of a run: written once, as bytes (docs/server/sockets.md#frames). */
import type { Written } from '../http/run/types.ts';
import { putReport } from '../http/serialize/put-report.ts';
import { putValue } from '../http/serialize/put-value.ts';
import { dropExcess, putByte } from '../http/serialize/scratch.ts';
import type { Writer } from '../http/serialize/writer.ts';
import { type Frame, type FrameText, headRoom, textFrame } from './frames.ts';

const head = Buffer.from('{"ok":true,"data":{"result":');
const middle = Buffer.from(',"reports":[');
const tail = Buffer.from(']}}');

/** Outcome of a run as frames know it. */
export interface SocketOutcome extends Written {
  readonly full: FrameText;
  /** Places of result and reports in the bytes of `full`: begin and end of each. */
  readonly result: readonly [number, number];
  readonly reports: readonly number[];
}

/**
 * Writes what a run gave. Reports are written first, so that a node that is in both is in full among them.
 *
 * @throws Failure `EXECUTION_ERROR` above 32 MiB
 */
export function writeSocketOutcome(result: unknown, reports: readonly unknown[], writer: Writer): SocketOutcome {
  const { out } = writer;
  const bounds: number[] = [];
  for (let i = 0; i < reports.length; i++) {
    if (i > 0) putByte(out, 0x2c);
    bounds.push(out.at);
    putReport(reports[i], writer);
    bounds.push(out.at);
  }
  const reportBytes = out.at;
  putValue(result, writer);
  const resultBytes = out.at - reportBytes;

  const resultAt = headRoom + head.length;
  const reportsAt = resultAt + resultBytes + middle.length;
  const bytes = Buffer.allocUnsafe(reportsAt + reportBytes + tail.length);
  bytes.set(head, headRoom);
  out.bytes.copy(bytes, resultAt, reportBytes, out.at);
  bytes.set(middle, resultAt + resultBytes);
  out.bytes.copy(bytes, reportsAt, 0, reportBytes);
  bytes.set(tail, reportsAt + reportBytes);
  for (let i = 0; i < bounds.length; i++) bounds[i]! += reportsAt;
  dropExcess(out);
  return {
    full: new RoomyText(bytes),
    result: [resultAt, resultAt + resultBytes],
    reports: bounds,
    odd: writer.odd,
  };
}

export function outcomeFrame(outcome: SocketOutcome, kind: 'walker' | 'function', warnings: readonly string[]): Frame {
  const { full } = outcome;
  if (warnings.length === 0) return new OutcomeFrame(outcome, kind, full);
  const told = `${full.text.slice(0, -2)},"warnings":${JSON.stringify(warnings)}}}`;
  return new OutcomeFrame(outcome, kind, textFrame(told));
}

class RoomyText implements FrameText {
  readonly roomy: Buffer;
  bytes?: Uint8Array;
  private decoded: string | undefined = undefined;

  constructor(roomy: Buffer) {
    this.roomy = roomy;
  }

  get text(): string {
    this.decoded ??= this.roomy.toString('utf8', headRoom);
    return this.decoded;
  }
}

class OutcomeFrame implements Frame {
  readonly full: FrameText;
  readonly isError = false;
  private readonly outcome: SocketOutcome;
  private readonly kind: 'walker' | 'function';
  private values: readonly FrameText[] | undefined = undefined;

  constructor(outcome: SocketOutcome, kind: 'walker' | 'function', full: FrameText) {
    this.outcome = outcome;
    this.kind = kind;
    this.full = full;
  }

  /** Made when somebody gets them: few connections ask for bare values. */
  get bare(): readonly FrameText[] {
    if (this.values === undefined) {
      const { full, result, reports } = this.outcome;
      const bounds = this.kind === 'walker' ? reports : result;
      const values: FrameText[] = [];
      for (let i = 0; i < bounds.length; i += 2)
        values.push(textFrame(full.roomy!.toString('utf8', bounds[i]!, bounds[i + 1]!)));
      this.values = values;
    }
    return this.values;
  }
}
