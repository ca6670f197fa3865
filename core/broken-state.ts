/**
 * What this process holds in memory may no longer be what its store holds, so that answers cannot be trusted. Thrown where nothing catches it: the
 * process finishes its calls and ends (decisions/0401).
 */
export class BrokenState extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BrokenState';
  }
}
