/** Error for which a deployment cannot go on; the command line gives each kind its exit code. */
export class DeployFailure extends Error {
  readonly kind: 'invalid' | 'failed' | 'late' | 'prerequisite';
  readonly hints: readonly string[];
  /** Last lines that a tool printed. */
  readonly output: readonly string[];

  constructor(
    kind: DeployFailure['kind'],
    message: string,
    more: { readonly hints?: readonly string[]; readonly output?: readonly string[] } = {},
  ) {
    super(message);
    this.name = 'DeployFailure';
    this.kind = kind;
    this.hints = more.hints ?? [];
    this.output = more.output ?? [];
  }
}
