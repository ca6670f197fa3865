import { Failure } from '../../core/errors.ts';

/** The provider's fault, or that of its configuration. What was wrong is for the log only. */
export function providerError(cause: unknown): Failure {
  return new Failure('SSO_PROVIDER_ERROR', 'The sign-in provider did not answer as it should.', {
    cause: typeof cause === 'string' ? new Error(cause) : cause,
  });
}
