import { callerFrame } from '../../library/values/calls/stack-frames.ts';

/** Switches that keep older programs running (`[run]` of svc.toml). */
export interface Compatibility {
  readonly compatWarnings: boolean;
  readonly connectReturnsList: boolean;
  readonly exitOrder: 'deferred' | 'immediate';
  readonly forwardNestedReports: boolean;
  /** Places already warned about. */
  readonly warnedSites: Set<string>;
  readonly warn: (line: string) => void;
}

let present = (): Compatibility => {
  throw new Error('no execution context');
};

/** The switches of the present call, for files below the execution context. */
export function compatibility(): Compatibility {
  return present();
}

/** Says where the present switches are found. */
export function fillCompatibility(find: () => Compatibility): void {
  present = find;
}

/** Tells the author of an older program what differs here, once per place that calls. */
export function warnAtPlace(message: string): void {
  const { compatWarnings, warnedSites, warn } = compatibility();
  if (!compatWarnings) return;
  const frame = callerFrame();
  const site = frame === undefined ? '?' : `${frame.file}:${frame.line}`;
  if (warnedSites.has(site)) return;
  warnedSites.add(site);
  warn(`svc: ${message} (${site})`);
}
