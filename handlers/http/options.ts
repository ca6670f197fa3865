import { Failure } from '../../core/errors.ts';
import type { Reply } from '../call.ts';
import type { Routes } from './build-routes.ts';
import type { Cors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import type { Replies } from './replies.ts';

/** Answers OPTIONS: questions of browsers before a request of another origin, and which methods a path takes. @throws Failure `NOT_FOUND` */
export function answerOptions(exchange: Exchange, routes: Routes, { replies, cors }: OptionsParts): Reply {
  const { call, origin } = exchange;
  routes.note(exchange);
  const requested = call.header('access-control-request-method');
  if (origin !== undefined && requested !== undefined)
    return replies.empty(exchange, cors.preflightHeaders(origin, call.header('access-control-request-headers')));
  const methods = routes.methodsAt(call.path);
  if (methods === undefined) throw new Failure('NOT_FOUND', 'There is nothing at this path.');
  return replies.empty(exchange, ['Allow', methods.join(', '), ...cors.answerHeaders(origin)]);
}

export interface OptionsParts {
  readonly replies: Replies;
  readonly cors: Cors;
}
