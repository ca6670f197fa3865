/** Module `requests.exceptions`. */

import type { Members } from '../../builtins/module.ts';
import { mix } from '../../classes/mro.ts';
import { BaseException, nameException, OSError, ValueError, Warning } from '../../values/objects/exceptions.ts';
import { $construct, key } from '../../values/objects/protocol.ts';
import { JSONDecodeError as PlainJSONDecodeError } from '../json/json.ts';

/** Carries the exchange it belongs to: `e.response`, `e.request`. */
export class RequestException extends OSError {
  static override [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    return BaseException[$construct].call(this, args, kwargs);
  }

  protected override takesKeyword(name: string): boolean {
    return name === 'response' || name === 'request';
  }
}
Object.defineProperty(RequestException.prototype, key('response'), { value: null, writable: true, configurable: true });
Object.defineProperty(RequestException.prototype, key('request'), { value: null, writable: true, configurable: true });

export class HTTPError extends RequestException {}
export class ConnectionError extends RequestException {}
class ProxyError extends ConnectionError {}
class SSLError extends ConnectionError {}
export class Timeout extends RequestException {}
export class ConnectTimeout extends (mix(ConnectionError, Timeout) as typeof ConnectionError) {}
export class ReadTimeout extends Timeout {}
export class URLRequired extends RequestException {}
export class TooManyRedirects extends RequestException {}
export class MissingSchema extends (mix(RequestException, ValueError) as typeof RequestException) {}
export class InvalidSchema extends (mix(RequestException, ValueError) as typeof RequestException) {}
export class InvalidURL extends (mix(RequestException, ValueError) as typeof RequestException) {}
class InvalidHeader extends (mix(RequestException, ValueError) as typeof RequestException) {}
class ChunkedEncodingError extends RequestException {}
class ContentDecodingError extends RequestException {}
class StreamConsumedError extends RequestException {}
class RetryError extends RequestException {}
class UnrewindableBodyError extends RequestException {}
class InvalidJSONError extends RequestException {}
export class JSONDecodeError extends (mix(InvalidJSONError, PlainJSONDecodeError) as typeof InvalidJSONError) {
  constructor(cause: {
    args: { items: readonly unknown[] };
    msg: string;
    doc: string;
    pos: number;
    lineno: number;
    colno: number;
  }) {
    super(...cause.args.items);
    const { msg, doc, pos, lineno, colno } = cause;
    Object.assign(this, { msg, doc, pos, lineno, colno });
  }
}
class RequestsWarning extends Warning {}

const classes = {
  ChunkedEncodingError,
  ConnectTimeout,
  ConnectionError,
  ContentDecodingError,
  HTTPError,
  InvalidHeader,
  InvalidJSONError,
  InvalidSchema,
  InvalidURL,
  JSONDecodeError,
  MissingSchema,
  ProxyError,
  ReadTimeout,
  RequestException,
  RequestsWarning,
  RetryError,
  SSLError,
  StreamConsumedError,
  Timeout,
  TooManyRedirects,
  URLRequired,
  UnrewindableBodyError,
};
for (const [name, cls] of Object.entries(classes)) {
  nameException(cls, name, 'requests.exceptions');
}

export function makeRequestsExceptions(): Members {
  return { ...classes };
}
