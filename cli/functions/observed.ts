import type { Context } from 'aws-lambda';
import type { FunctionBase } from './open-base.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** A handler whose log lines name the call, with fresh secrets before it and its metrics in the log behind it. */
export function observed<Event, Result>(
  { begin, metrics }: Pick<FunctionBase, 'begin' | 'metrics'>,
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
