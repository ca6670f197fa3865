/** Limits that the listening server keeps by itself, before any application sees a request. */
/** Limits of docs/server/errors.md#limits that a connection can break. */
export interface ServeLimits {
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly keepaliveMs: number;
}
