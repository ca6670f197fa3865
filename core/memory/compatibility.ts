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
