/**
 * Failures a caller can see (docs/server/errors.md#failures). This table is the only place that knows a status: HTTP,
 * webhooks and sockets read it. A Failure is an answer; anything else that is thrown is a bug (`internal`) or an
 * exception of application code.
 */
export const failureCodes = {
  INVALID_JSON: { status: 400 },
  BAD_REQUEST: { status: 400 },
  UPDATE_FAILED: { status: 400 },
  INVALID_PLATFORM: { status: 400 },
  INVALID_OPERATION: { status: 400 },
  EMAIL_MISSING: { status: 400 },
  INVALID_STATE: { status: 400 },
  INVALID_CALLBACK_URL: { status: 400 },
  UNAUTHORIZED: { status: 401 },
  FORBIDDEN: { status: 403 },
  PERMISSION_DENIED: { status: 403 },
  ACCOUNT_DISABLED: { status: 403 },
  NOT_FOUND: { status: 404 },
  NODE_NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  REQUEST_TIMEOUT: { status: 408 },
  WRITE_CONFLICT: { status: 409 },
  IDENTITY_TAKEN: { status: 409 },
  ACCOUNT_EXISTS: { status: 409 },
  IDEMPOTENCY_IN_PROGRESS: { status: 409 },
  LIMIT_REACHED: { status: 409 },
  NOT_READ_ONLY: { status: 409 },
  PAYLOAD_TOO_LARGE: { status: 413 },
  COMMIT_TOO_LARGE: { status: 413 },
  URI_TOO_LONG: { status: 414 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  VALIDATION_ERROR: { status: 422 },
  IDEMPOTENCY_KEY_REUSED: { status: 422 },
  UPGRADE_REQUIRED: { status: 426 },
  RATE_LIMITED: { status: 429 },
  HEADERS_TOO_LARGE: { status: 431 },
  EXECUTION_ERROR: { status: 500 },
  INTERNAL_ERROR: { status: 500 },
  SSO_NOT_CONFIGURED: { status: 501 },
  SSO_PROVIDER_ERROR: { status: 502 },
  SERVICE_UNAVAILABLE: { status: 503 },
  EXECUTION_TIMEOUT: { status: 504 },
} as const;

export type FailureCode = keyof typeof failureCodes;

export interface FailureOptions {
  readonly details?: unknown;
  /** Number of all items of the kind that `details` lists, when it does not list them all. */
  readonly count?: number;
  /**
   * Advice for the developer, in answers in development; null when the table of hints has nothing to say about this
   * failure.
   */
  readonly hint?: string | null;
  /** Further things to know about the request, for answers in development. */
  readonly warnings?: readonly string[];
  /** Extra response headers, e.g. `Retry-After`, `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the table's status: `HTTPError` of application code, and 400 VALIDATION_ERROR of refresh. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** An answer a caller should get. `message` is for the caller, `cause` for the log. */
export class Failure extends Error {
  /** A `FailureCode`, or the code an application gave to `HTTPError`. */
  readonly code: FailureCode | (string & {});
  readonly status: number;
  readonly details: unknown;
  readonly count: number | undefined;
  readonly hint: string | null | undefined;
  readonly warnings: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: FailureCode | (string & {}), message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.status = options.status ?? (failureCodes as Record<string, { status: number }>)[code]?.status ?? 500;
    this.details = options.details;
    this.count = options.count;
    this.hint = options.hint;
    this.warnings = options.warnings;
    this.headers = options.headers;
  }
}
