/** Module `http`: what server programs need (docs/server/programs.md#names), and the status codes. */

import type { Members } from '../../library/builtins/module.ts';
import { Enum, enumeration } from '../../library/values/objects/enums.ts';
import { httpMembers } from './http-members.ts';

/** `name code phrase` */
const statuses = `CONTINUE 100 Continue
SWITCHING_PROTOCOLS 101 Switching Protocols
PROCESSING 102 Processing
EARLY_HINTS 103 Early Hints
OK 200 OK
CREATED 201 Created
ACCEPTED 202 Accepted
NON_AUTHORITATIVE_INFORMATION 203 Non-Authoritative Information
NO_CONTENT 204 No Content
RESET_CONTENT 205 Reset Content
PARTIAL_CONTENT 206 Partial Content
MULTI_STATUS 207 Multi-Status
ALREADY_REPORTED 208 Already Reported
IM_USED 226 IM Used
MULTIPLE_CHOICES 300 Multiple Choices
MOVED_PERMANENTLY 301 Moved Permanently
FOUND 302 Found
SEE_OTHER 303 See Other
NOT_MODIFIED 304 Not Modified
USE_PROXY 305 Use Proxy
TEMPORARY_REDIRECT 307 Temporary Redirect
PERMANENT_REDIRECT 308 Permanent Redirect
BAD_REQUEST 400 Bad Request
UNAUTHORIZED 401 Unauthorized
PAYMENT_REQUIRED 402 Payment Required
FORBIDDEN 403 Forbidden
NOT_FOUND 404 Not Found
METHOD_NOT_ALLOWED 405 Method Not Allowed
NOT_ACCEPTABLE 406 Not Acceptable
PROXY_AUTHENTICATION_REQUIRED 407 Proxy Authentication Required
REQUEST_TIMEOUT 408 Request Timeout
CONFLICT 409 Conflict
GONE 410 Gone
LENGTH_REQUIRED 411 Length Required
PRECONDITION_FAILED 412 Precondition Failed
REQUEST_ENTITY_TOO_LARGE 413 Request Entity Too Large
REQUEST_URI_TOO_LONG 414 Request-URI Too Long
UNSUPPORTED_MEDIA_TYPE 415 Unsupported Media Type
REQUESTED_RANGE_NOT_SATISFIABLE 416 Requested Range Not Satisfiable
EXPECTATION_FAILED 417 Expectation Failed
IM_A_TEAPOT 418 I'm a Teapot
MISDIRECTED_REQUEST 421 Misdirected Request
UNPROCESSABLE_ENTITY 422 Unprocessable Entity
LOCKED 423 Locked
FAILED_DEPENDENCY 424 Failed Dependency
TOO_EARLY 425 Too Early
UPGRADE_REQUIRED 426 Upgrade Required
PRECONDITION_REQUIRED 428 Precondition Required
TOO_MANY_REQUESTS 429 Too Many Requests
REQUEST_HEADER_FIELDS_TOO_LARGE 431 Request Header Fields Too Large
UNAVAILABLE_FOR_LEGAL_REASONS 451 Unavailable For Legal Reasons
INTERNAL_SERVER_ERROR 500 Internal Server Error
NOT_IMPLEMENTED 501 Not Implemented
BAD_GATEWAY 502 Bad Gateway
SERVICE_UNAVAILABLE 503 Service Unavailable
GATEWAY_TIMEOUT 504 Gateway Timeout
HTTP_VERSION_NOT_SUPPORTED 505 HTTP Version Not Supported
VARIANT_ALSO_NEGOTIATES 506 Variant Also Negotiates
INSUFFICIENT_STORAGE 507 Insufficient Storage
LOOP_DETECTED 508 Loop Detected
NOT_EXTENDED 510 Not Extended
NETWORK_AUTHENTICATION_REQUIRED 511 Network Authentication Required`;

const phrases = new Map<number, string>();

class HTTPStatus extends Enum {
  get phrase(): string {
    return phrases.get(Number(this.value)) ?? '';
  }

  get description(): string {
    return '';
  }

  get is_informational(): boolean {
    return this.$between(100);
  }

  get is_success(): boolean {
    return this.$between(200);
  }

  get is_redirection(): boolean {
    return this.$between(300);
  }

  get is_client_error(): boolean {
    return this.$between(400);
  }

  get is_server_error(): boolean {
    return this.$between(500);
  }

  $between(from: number): boolean {
    return Number(this.value) >= from && Number(this.value) < from + 100;
  }
}
/** Gives the class with all its members, made once a program asks for it. */
function httpStatus(): typeof HTTPStatus {
  if (phrases.size > 0) return HTTPStatus;
  const rows = statuses.split('\n').map((line) => /^(\w+) (\d+) (.*)$/.exec(line)!);
  for (const [, , code, phrase] of rows) phrases.set(Number(code), phrase!);
  return enumeration(HTTPStatus, {
    name: 'HTTPStatus',
    module: 'http',
    bases: ['int'],
    members: rows.map(([, name, code]) => [name!, Number(code)] as const),
  });
}

export function makeHttp(): Members {
  return {
    ...httpMembers,
    get HTTPStatus() {
      return httpStatus();
    },
  };
}
