import type { Writable } from 'node:stream';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { StreamHandler } from '../../adapters/hosts/lambda/stream-handler.ts';
import type { FunctionBase } from './open-base.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

type Observer = Pick<FunctionBase, 'begin' | 'metrics'>;

/** A handler whose log lines name the call, with fresh secrets before it and its metrics in the log behind it. */
export function observed<Event, Result>(
  { begin, metrics }: Observer,
  serve: (event: Event, context: Context) => Result | Promise<Result>,
): Handler<Event, Result> {
  return async (event, context) => {
    const stale = begin(context);
    if (stale !== undefined) await stale;
    try {
      return await serve(event, context);
    } finally {
      metrics?.flush();
    }
  };
}

/** The same of a handler that writes its answer. */
export function observedStream(observer: Observer, serve: StreamHandler) {
  return (event: APIGatewayProxyEventV2, output: Writable, context: Context): Promise<void> => {
    // Only functions that stream would wait for every timer and connection that is left before they take the next event.
    context.callbackWaitsForEmptyEventLoop = false;
    return observed(observer, (given: APIGatewayProxyEventV2) => serve(given, output, context))(event, context);
  };
}
