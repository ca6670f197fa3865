/** `POST /cl/__error__`: errors of pages, told to the log of the server (docs/server/client-pages.md). */
import { reportedText } from '../../../base/reported-text.ts';
import { Failure } from '../../../core/errors.ts';
import type { Log } from '../../../core/log/log.ts';
import { answer, type FixedRoute } from '../../routes.ts';
import { createRateLimit } from '../rate-limit.ts';

export interface ErrorRouteOptions {
  readonly log: Log;
  /** Gives the stack of a browser with places in the author's files; lines that have none are left out. */
  readonly mapStack: ((stack: string) => MappedStack) | undefined;
  /** Prints what a person should see who develops; absent: the log alone. */
  readonly print?: ((message: string, mapped: MappedStack) => void) | undefined;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

export interface MappedStack {
  readonly frames: readonly {
    readonly function?: string | undefined;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  }[];
}

const maxBodyBytes = 8192;
const perMinute = 30;
/** Errors that were told already are remembered so many. */
const mostKnown = 500;

export function errorRoute({ log, mapStack, print, now }: ErrorRouteOptions): FixedRoute {
  const rates = createRateLimit({ requestsPerMinute: perMinute, burst: perMinute, now });
  const told = new Set<string>();
  return {
    method: 'POST',
    template: '/cl/__error__',
    auth: 'none',
    tag: 'Pages',
    operationId: '',
    maxBodyBytes,
    run({ body, client }) {
      const waitSeconds = rates.take(client);
      if (waitSeconds > 0)
        throw new Failure('RATE_LIMITED', 'Too many errors were reported.', {
          headers: { 'Retry-After': String(waitSeconds) },
        });
      tell(reportedText(body['message'], 1000), reportedText(body['stack'], 6000), reportedText(body['url'], 500));
      return answer({ status: 204, raw: { contentType: undefined, body: undefined } });
    },
  };

  function tell(message: string, stack: string, url: string): void {
    const mapped = mapStack?.(stack) ?? { frames: [] };
    const [first] = mapped.frames;
    const key = `${message}|${first === undefined ? '' : `${first.file}:${first.line}`}`;
    if (told.has(key)) return;
    if (told.size >= mostKnown) told.clear();
    told.add(key);
    if (print !== undefined) {
      print(message, mapped);
      return;
    }
    log.error(`in the browser: ${message}`, {
      url,
      frames: mapped.frames.length === 0 ? undefined : mapped.frames,
      stack: mapped.frames.length === 0 ? stack : undefined,
    });
  }
}
