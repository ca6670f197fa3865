import type { Diagnostic } from '../../lang/diagnostics.ts';
import { forStarting, reportDiagnostics, shownAtStart } from '../program/report-diagnostics.ts';
import type { Runnable } from './reload.ts';
import type { StartJob } from './start-job.ts';

/** Diagnostics of a program that is served; some of them are looked for when the server answers (decisions/0780). */
export interface Findings {
  /** Gives all. */
  all(): Promise<readonly Diagnostic[]>;
  /** Prints them, unless they have been printed or `all` has been asked for: who asks tells them with those of a later version. */
  tell(): Promise<void>;
  /** They have been printed, by `tell` or by whoever compiled the program. */
  areTold(): boolean;
}

export function findingsOf({ terminal, config }: StartJob, { check, diagnostics }: Runnable): Findings {
  let found: Promise<readonly Diagnostic[]> | undefined;
  let areTold = check === undefined;
  const all = () => (found ??= check === undefined ? Promise.resolve(diagnostics) : check());
  return {
    all,
    areTold: () => areTold,
    async tell() {
      if (areTold || found !== undefined) return;
      areTold = true;
      const told = forStarting(await all(), config.mode);
      await reportDiagnostics(told, { terminal, stream: 'err', projectDir: config.projectDir, shown: shownAtStart });
    },
  };
}
