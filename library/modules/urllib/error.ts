/** Module `urllib.error`. */

import type { Members } from '../../builtins/module.ts';
import { BaseException, nameException, OSError } from '../../values/objects/exceptions.ts';
import { $construct, $repr, $str } from '../../values/objects/protocol.ts';
import { strOf } from '../../values/objects/repr.ts';

export class URLError extends OSError {
  declare reason: unknown;

  constructor(reason?: unknown, ...rest: unknown[]) {
    super(reason, ...rest);
    Object.defineProperty(this, 'reason', {
      value: reason ?? null,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }

  static override [$construct](this: any, args: unknown[], kwargs?: Iterable<readonly [string, unknown]>): unknown {
    return BaseException[$construct].call(this, args, kwargs);
  }

  override [$str](): string {
    return `<urlopen error ${strOf(this.reason)}>`;
  }
}

/** An answer with an error status: `e.code`, `e.headers`, `e.read()`. */
export class HTTPError extends URLError {
  declare code: number;
  declare msg: string;
  declare url: string;
  declare headers: any;
  declare fp: any;

  constructor(url?: any, code?: any, msg?: any, headers?: any, fp?: any) {
    super(msg);
    Object.assign(this, { code, status: code, msg, url, headers: headers ?? null, fp: fp ?? null });
  }

  override get filename(): unknown {
    return this.url;
  }

  read(size?: unknown): unknown {
    return this.fp?.read(size) ?? null;
  }

  getcode(): number {
    return this.code;
  }

  geturl(): string {
    return this.url;
  }

  info(): unknown {
    return this.headers;
  }

  close(): null {
    return null;
  }

  override [$str](): string {
    return `HTTP Error ${this.code}: ${this.msg}`;
  }

  override [$repr](): string {
    return `<HTTPError ${this.code}: '${this.msg}'>`;
  }
}

class ContentTooShortError extends URLError {}
nameException(URLError, 'URLError', 'urllib.error');
nameException(HTTPError, 'HTTPError', 'urllib.error');
nameException(ContentTooShortError, 'ContentTooShortError', 'urllib.error');

export function makeUrllibError(): Members {
  return { ContentTooShortError, HTTPError, URLError };
}
