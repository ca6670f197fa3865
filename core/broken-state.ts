/**
 * Error after which memory of this process may differ from its store, so that answers cannot be trusted. Thrown where
 * nothing catches it: the process finishes its calls and ends (decisions/0401).
 */
export class BrokenState extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BrokenState';
  }
}
