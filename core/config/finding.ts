/**
 * Finding in the configuration (docs/server/configuration.md#validation): an error, a warning or a note. All of them
 * are listed before the start is refused.
 */
export interface Finding {
  /** `note`: right, and without effect. */
  readonly severity: 'error' | 'warning' | 'note';
  /** `svc.toml:4:1`, `svc.toml`, `environment` … */
  readonly where: string;
  /** Key as in `svc.toml`, or the name of a variable. */
  readonly key: string;
  readonly problem: string;
  /** The only thing wrong is that a variable of the environment is not there. */
  readonly unset?: boolean;
}

/** `svc.toml:4:1: serve.port: expected …`. */
export function formatFinding(finding: Finding): string {
  const { severity, where, key, problem } = finding;
  // A value out of a variable is found at that variable, which may also be how its key is called.
  const named = where.endsWith(`: ${key}`) ? '' : key;
  const text = [where, named, problem].filter((part) => part !== '').join(': ');
  return severity === 'error' ? text : `${severity}: ${text}`;
}
