/**
 * Limits of the services between a client and a function (docs/cloud.md#what-is-different-there). Numbers are those of the pages named; a
 * megabyte there is 1024 * 1024 bytes.
 */

/** Event and result of one invocation, as JSON. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const maxPayloadBytes = 6 * 1024 * 1024;

/** Result that a load balancer takes, as JSON. https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
export const maxBalancerBytes = 1024 * 1024;

/** Body of a request to an HTTP API. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
export const maxGatewayBodyBytes = 10 * 1024 * 1024;

/** Message to or from a WebSocket API. https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
export const maxMessageBytes = 128 * 1024;

/** One frame of it; the same page. */
export const maxFrameBytes = 32 * 1024;

/** A WebSocket connection without a frame, and in all; the same page. */
export const idleMs = 10 * 60_000;
export const lifeMs = 2 * 3_600_000;

/** A call is answered by us this long before its function would be ended. */
export const answerMarginMs = 1000;
