/**
 * Limits of AWS that what runs in functions keeps to, or that are emulated; the whole table, with its sources, is infra/limits/aws-limits.ts. A megabyte
 * there is 1024 * 1024 bytes.
 */

/** Event and result of one invocation, as JSON. */
export const maxPayloadBytes = 6 * 1024 * 1024;
/** Body of a request to an HTTP API. */
export const maxGatewayBodyBytes = 10 * 1024 * 1024;
/** Line and headers of such a request. */
export const maxGatewayHeadBytes = 10_240;
/** Answer of a function that streams. */
export const maxStreamedBytes = 200 * 1024 * 1024;
/** Message to or from a WebSocket API, and one frame of it. */
export const maxMessageBytes = 128 * 1024;
export const maxFrameBytes = 32 * 1024;
/** A WebSocket connection without a frame, and in all. */
export const idleMs = 10 * 60_000;
export const lifeMs = 2 * 3_600_000;
/** Items of a batch that is read and of a transaction of DynamoDB. */
export const maxItems = 100;
/** Values of one metric in a record of the embedded format. */
export const maxMetricValues = 100;
