import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Failure } from '../../../core/errors.ts';
import type { Call } from '../../../handlers/call.ts';

type HttpEvent = Pick<
  APIGatewayProxyEventV2,
  'rawPath' | 'rawQueryString' | 'headers' | 'cookies' | 'body' | 'isBase64Encoded'
> & { readonly requestContext: Pick<APIGatewayProxyEventV2['requestContext'], 'http' | 'stage'> };

/** One event of an HTTP API (payload format 2.0) as the handlers see it. The body is decoded when it is read. */
export class EventCall implements Call {
  readonly method: string;
  path: string;
  readonly query: string;
  private readonly event: HttpEvent;
  private controller: AbortController | undefined = undefined;
  private listeners: Set<(why?: Failure) => void> | undefined = undefined;
  private over: { readonly why: Failure | undefined } | undefined = undefined;

  constructor(event: HttpEvent) {
    const { http, stage } = event.requestContext;
    this.event = event;
    this.method = http.method;
    this.path = withoutStage(event.rawPath, stage);
    this.query = event.rawQueryString;
  }

  header(name: string): string | undefined {
    return name === 'cookie' ? this.event.cookies?.join('; ') : this.event.headers[name];
  }

  headers(): Iterable<readonly [string, string]> {
    const cookie = this.header('cookie');
    const named = Object.entries(this.event.headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return cookie === undefined ? named : [...named, ['cookie', cookie]];
  }

  get contentLength(): number | undefined {
    const declared = this.event.headers['content-length'];
    return declared === undefined ? undefined : Number(declared);
  }

  /** The gateway's own word for it; headers could say anything. */
  get peer(): string {
    return this.event.requestContext.http.sourceIp;
  }

  body(limit: number): Uint8Array {
    const { isBase64Encoded } = this.event;
    const body = this.event.body as string | null | undefined; // emulators say null
    if (body === undefined || body === null) return empty;
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > limit) {
      throw new Failure('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, { details: { limit } });
    }
    return bytes;
  }

  async *stream(): AsyncIterable<Uint8Array> {
    yield this.body(Number.POSITIVE_INFINITY);
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      this.onGone(() => controller.abort());
    }
    return this.controller.signal;
  }

  /**
   * Calls `listener` when the call ends early: only a function that streams hears that its client went away; else it is
   * the time limit.
   */
  onGone(listener: (why?: Failure) => void): () => void {
    if (this.over !== undefined) listener(this.over.why);
    else {
      this.listeners ??= new Set();
      this.listeners.add(listener);
    }
    return () => this.listeners?.delete(listener);
  }

  /** Gives the call up: whatever it still does is discarded. `why`: when its client is still there. */
  abandon(why?: Failure): void {
    this.over = { why };
    for (const listener of this.listeners ?? []) listener(why);
  }
}

const empty = new Uint8Array();

/** Stages other than the default one are part of the path. */
function withoutStage(path: string, stage: string): string {
  if (stage === '$default' || !path.startsWith(`/${stage}`)) return path;
  const rest = path.slice(stage.length + 1);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}
