import type { Failure } from '../../core/errors.ts';

/** Titles of failure codes: their meaning in few words. */
export const titles: Readonly<Record<string, string>> = {
  INVALID_JSON: 'The body is not valid JSON',
  BAD_REQUEST: 'Bad request',
  UPDATE_FAILED: 'The update failed',
  INVALID_PLATFORM: 'Unknown sign-in provider',
  INVALID_OPERATION: 'Unknown operation',
  EMAIL_MISSING: 'The provider gave no e-mail address',
  INVALID_STATE: 'The sign-in was not started here',
  INVALID_CALLBACK_URL: 'The return address is not allowed',
  UNAUTHORIZED: 'Authentication needed',
  FORBIDDEN: 'Not allowed',
  PERMISSION_DENIED: 'Permission denied',
  ACCOUNT_DISABLED: 'The account is disabled',
  NOT_FOUND: 'Not found',
  NODE_NOT_FOUND: 'Node not found',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  REQUEST_TIMEOUT: 'The request did not arrive in time',
  WRITE_CONFLICT: 'Write conflict',
  IDENTITY_TAKEN: 'The identity is taken',
  ACCOUNT_EXISTS: 'The account exists',
  IDEMPOTENCY_IN_PROGRESS: 'The same request is still running',
  LIMIT_REACHED: 'Limit reached',
  NOT_READ_ONLY: 'The run is not read-only',
  PAYLOAD_TOO_LARGE: 'The body is too large',
  COMMIT_TOO_LARGE: 'The commit is too large',
  URI_TOO_LONG: 'The request line is too long',
  UNSUPPORTED_MEDIA_TYPE: 'Unsupported media type',
  VALIDATION_ERROR: 'The fields do not fit',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used for another request',
  UPGRADE_REQUIRED: 'Upgrade required',
  RATE_LIMITED: 'Too many requests',
  HEADERS_TOO_LARGE: 'The headers are too large',
  EXECUTION_ERROR: 'The application failed',
  INTERNAL_ERROR: 'The server failed',
  SSO_NOT_CONFIGURED: 'Sign-in is not configured',
  SSO_PROVIDER_ERROR: 'The sign-in provider failed',
  SERVICE_UNAVAILABLE: 'Service unavailable',
  EXECUTION_TIMEOUT: 'The application took too long',
};

/**
 * A failure in the form of RFC 9457 (docs/server/errors.md#problem-details). `detailsText` is the JSON text of the
 * details, if any; `further` are members after them, each with a comma before it.
 */
export function problemText(
  failure: Failure,
  path: string,
  requestId: string,
  detailsText: string | undefined,
  further: string,
): string {
  const head = JSON.stringify({
    type: `urn:svc:problem:${failure.code.toLowerCase().replaceAll('_', '-')}`,
    title: titles[failure.code] ?? failure.code,
    status: failure.status,
    detail: failure.message,
    instance: path,
    code: failure.code,
    request_id: requestId,
  });
  const errors = detailsText === undefined ? '' : `,"errors":${detailsText}`;
  return `${head.slice(0, -1)}${errors}${further}}`;
}
