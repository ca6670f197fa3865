/** REST APIs of API Gateway and load balancers before the functions of an HTTP API. Their part is loaded with the first event of theirs. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import type { App } from '../../../handlers/app.ts';
import type { HttpHandler } from './http-handler.ts';
import type { OlderEvent, OlderResult } from './older-events.ts';
import type { Invocation } from './out-of-time.ts';

/** Call of an HTTP API, a REST API or a load balancer. */
export type AnyEvent = APIGatewayProxyEventV2 | OlderEvent;
export type AnyResult = APIGatewayProxyStructuredResultV2 | OlderResult;

/** Serves events of all three. Like `serve`, it never throws or rejects. */
export function behindAnyGateway(
  app: App,
  serve: HttpHandler,
): (event: AnyEvent, invocation: Invocation) => MaybePromise<AnyResult> {
  return (event, invocation) =>
    'httpMethod' in event ? serveOlder(app, serve, event, invocation) : serve(event, invocation);
}

async function serveOlder(
  app: App,
  serve: HttpHandler,
  event: OlderEvent,
  invocation: Invocation,
): Promise<OlderResult> {
  const { olderAnswer, toHttpEvent } = await import('./older-events.ts');
  return olderAnswer(app, event, await serve(toHttpEvent(event), invocation));
}
