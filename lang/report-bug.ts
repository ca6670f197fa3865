import type { Reporter } from './diagnostics.ts';
import type { Source } from './source.ts';

interface Reported {
  readonly id: string;
  readonly source: Source;
  reporterOf(source: Source): Reporter;
}

/** E0999: a mistake of ours, not of the author's (docs/language/diagnostics.md#principles). */
export function reportBug(module: Reported, pass: string, error: unknown): void {
  const isTooDeep = error instanceof RangeError && error.message.includes('call stack');
  const message = error instanceof Error ? error.message : String(error);
  const help = isTooDeep ? 'the source is nested too deeply: split it into several statements' : message;
  module.reporterOf(module.source).at('E0999', { start: 0, end: 0 }, { pass, module: module.id }, { help });
}
