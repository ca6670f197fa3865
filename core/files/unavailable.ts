import { ConnectionError, nameException } from '../../library/values/objects/exceptions.ts';
import { Failure } from '../errors.ts';

/** A storage over the network cannot be used at the moment. A call that does not catch it is answered 503. */
export class StorageUnavailable extends ConnectionError {
  readonly failure: Failure;

  constructor(message: string, cause: unknown) {
    super(message);
    this.failure = new Failure('SERVICE_UNAVAILABLE', 'The file storage is not available.', {
      cause,
      headers: { 'Retry-After': '1' },
    });
  }
}
nameException(StorageUnavailable, 'StorageUnavailable');
