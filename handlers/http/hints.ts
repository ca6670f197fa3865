/**
 * Advice on refused requests: `error.hint` of answers in development (docs/server/errors.md#failures). One entry for each code of the
 * closed table whose status is below 500; whoever throws a failure may know better and give it a hint of its own. Never
 * sent in production, nor in mode `test`, whose answers are compared with what is written down (GEN-03).
 */
import type { Failure, FailureCode, failureCodes } from '../../core/errors.ts';
import type { Call } from '../call.ts';

/** Codes that say the request was at fault. */
export type ClientFault = {
  [C in FailureCode]: (typeof failureCodes)[C]['status'] extends 500 | 501 | 502 | 503 | 504 ? never : C;
}[FailureCode];

export type HintedCall = Pick<Call, 'header' | 'path' | 'method'>;
type Hint = string | ((reason: unknown, call: HintedCall) => string);

const signIn =
  'Sign in with POST /user/login {"email": "…", "password": "…"} (new here: POST /user/register), then send the header "Authorization: Bearer <access_token>".';

export const hints: Readonly<Record<ClientFault, Hint>> = {
  INVALID_JSON:
    'Send one JSON object in UTF-8, such as {"title": "milk"}: keys and texts in double quotes, no key twice, no comma at the end. details.position counts characters from 0.',
  BAD_REQUEST:
    'Look at the percent-encoding of path and query, at the header the message names, and at the form of the body.',
  UPDATE_FAILED: 'current_password is the password that is in use now; new_password the one to come.',
  INVALID_PLATFORM:
    'Providers are tables of svc.toml: [plugins.scale.sso.<name>] with issuer, client_id and client_secret. Then GET /sso/<name>/login.',
  INVALID_OPERATION: 'GET /sso/<name>/login signs in, GET /sso/<name>/register makes an account.',
  EMAIL_MISSING: 'The scopes of the provider must include "email", and the address must be verified there.',
  INVALID_STATE:
    'Begin again at /sso/<name>/login in the same browser: a sign-in lasts 10 minutes, counts once and needs its cookie.',
  INVALID_CALLBACK_URL:
    'client_callback must be [plugins.scale.sso] client_auth_callback_url or a path below it; native clients may use http://127.0.0.1:<port>/…',
  UNAUTHORIZED: (reason, call) => unauthorized(reason, call),
  FORBIDDEN: (reason) =>
    forbidden[String(reason)] ??
    'This account may not use the endpoint; GET /user/me shows its role. Administrators are listed in [plugins.scale.auth] admins.',
  PERMISSION_DENIED:
    'The owner of the object gives access with perm_grant(object, LEVEL) or allow_root(object, root, LEVEL); details name object, operation and the level it needs.',
  ACCOUNT_DISABLED: 'An account that is switched off keeps its data; only who runs the server can switch it on.',
  NOT_FOUND:
    'GET /walkers and GET /functions list what is served; the API console is at /docs. Names are case-sensitive.',
  NODE_NOT_FOUND:
    'The id is unknown or the caller may not read the object, which is not told apart. Ids are 32 hexadecimal digits or "root".',
  METHOD_NOT_ALLOWED:
    'The header Allow of this answer lists the methods of the path; walkers take POST unless restspec(method=…) says otherwise.',
  REQUEST_TIMEOUT:
    'Headers must arrive within 10 s and the body within [serve] request_timeout_seconds; look whether Content-Length is right.',
  WRITE_CONFLICT:
    'Others kept changing the same objects. Nothing was stored: send the request again after Retry-After.',
  IDENTITY_TAKEN: 'Sign in with POST /user/login, or register under another name.',
  ACCOUNT_EXISTS: 'Sign in with the password of the account first: its address was never verified here.',
  IDEMPOTENCY_IN_PROGRESS: 'The first request with this Idempotency-Key is still running; ask again after Retry-After.',
  LIMIT_REACHED: 'details.limit is how many there may be; remove one first, such as with DELETE /api-key/{api_key_id}.',
  NOT_READ_ONLY:
    'Live runs only read: no change of the graph, no commit, save, perm_*, publish or on_commit, no writing of files or kvstore. Call the walker over HTTP instead.',
  PAYLOAD_TOO_LARGE:
    'details.limit is in bytes (of the decoded body). Limits are keys of svc.toml: [serve] max_body_bytes, max_upload_bytes; [plugins.scale.webhook] max_body_bytes.',
  COMMIT_TOO_LARGE:
    'One call changes too much, or one object is too large: [plugins.scale.database] max_commit_operations, node_max_bytes.',
  URI_TOO_LONG: 'Move fields from the query into the body of a POST, or raise [serve] max_url_bytes.',
  UNSUPPORTED_MEDIA_TYPE:
    'Send the header "Content-Type: application/json"; targets with UploadFile fields take multipart/form-data. details.accepted lists what fits.',
  VALIDATION_ERROR: (_reason, { path }) =>
    `Each entry of details has the place of a field and what it must be. ${fieldsAt(path)}`,
  IDEMPOTENCY_KEY_REUSED:
    'An Idempotency-Key stands for one request with one body; take a new key for another request.',
  UPGRADE_REQUIRED: 'Open the address with a WebSocket client: ws:// instead of http://, protocol version 13.',
  RATE_LIMITED:
    'Wait as many seconds as the header Retry-After says. Limits: [plugins.scale.rate_limit], [plugins.scale.auth] login_max_failures, [plugins.scale.webhook] rate_limit_per_minute.',
  HEADERS_TOO_LARGE:
    'At most 100 header fields and [serve] max_header_bytes together; large cookies are the usual cause.',
};

export type HintFor = typeof hintFor;

/** The hint for a failure; undefined when the request is not at fault or the program chose the failure. */
export function hintFor(failure: Failure, call: HintedCall): string | undefined {
  if (failure.hint !== undefined) return failure.hint ?? undefined;
  if (failure.status >= 500 || !Object.hasOwn(hints, failure.code)) return undefined;
  const hint = hints[failure.code as ClientFault];
  return typeof hint === 'string' ? hint : hint((failure.details as { reason?: unknown } | undefined)?.reason, call);
}

function unauthorized(reason: unknown, call: HintedCall): string {
  if (call.path.startsWith('/webhook/')) return webhookHints[String(reason)] ?? webhookHints['invalid']!;
  const given = call.header('authorization');
  if (reason === 'missing' && given !== undefined && !/^bearer\s/i.test(given)) {
    return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(given.trim())
      ? 'The token was sent without "Bearer ": the header must be "Authorization: Bearer <access_token>".'
      : `Authorization takes the scheme Bearer only. ${signIn}`;
  }
  return tokenHints[String(reason)] ?? signIn;
}

const tokenHints: Readonly<Record<string, string>> = {
  missing: signIn,
  invalid: `The token was not made by this server, or its secret has changed since. ${signIn}`,
  expired:
    'The token has expired: POST /user/refresh-token gives a new one for a while, else sign in again with POST /user/login.',
  revoked: 'The session was ended by a logout or a new password: sign in again with POST /user/login.',
  unknown_user: 'There is no account for this token in this store: sign in again with POST /user/login.',
  wrong_type: 'This is not an access token: send the access_token of POST /user/login.',
  credentials: 'Unknown name or wrong password, which is not told apart. POST /user/register makes an account.',
};

const webhookHints: Readonly<Record<string, string>> = {
  missing:
    'Make a key with POST /api-key/create and send it as X-API-Key; "svc webhook send <walker>" makes a whole call.',
  invalid:
    'The key is unknown, revoked or expired, which is not told apart: GET /api-key/list shows yours, POST /api-key/create makes one.',
  signature:
    'X-Webhook-Signature is the HMAC-SHA256, in hexadecimal, of the exact bytes of the body with the API key as the key: "svc webhook sign <walker>" prints it.',
  timestamp:
    'X-Webhook-Timestamp is the time in Unix seconds, at most [plugins.scale.webhook] replay_tolerance_seconds from now.',
};

const forbidden: Readonly<Record<string, string>> = {
  walker_not_allowed:
    'The key was made for other walkers: allowed_walkers of GET /api-key/list. Make one for this walker with POST /api-key/create.',
  registration_closed: '[plugins.scale.auth] allow_registration is false; who runs the server makes accounts.',
  origin:
    'List the origin of the page in [plugins.scale.websocket] allowed_origins or [plugins.scale.cors] allow_origins.',
  login_too_old: 'An account without a password may set one within 10 minutes after signing in: sign in again first.',
};

/** Gives the hint that says where the fields of a walker or function can be looked up. */
function fieldsAt(path: string): string {
  const [, kind, name] = path.split('/');
  const isTarget = (kind === 'walker' || kind === 'function') && name !== undefined && name.length <= 100;
  return isTarget
    ? `GET /${kind}/${name} lists the fields and their types.`
    : 'The API console at /docs shows what is expected.';
}
