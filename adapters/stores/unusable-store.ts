import { Failure } from '../../core/errors.ts';

/** A store that answers but is of the wrong kind. The message says all of it. */
export class UnusableStore extends Failure {
  constructor(message: string) {
    super('SERVICE_UNAVAILABLE', message);
  }
}
