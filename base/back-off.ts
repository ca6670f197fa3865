/** Wait before another try: random, so that those who were in each other's way do not meet again. */
export interface BackOff {
  /** The longest wait before the first try after a failure; it doubles with each further one. Milliseconds. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** @param attempt failures before this one */
export function backOffMs(attempt: number, { firstMs, mostMs }: BackOff): number {
  return Math.random() * Math.min(mostMs, firstMs * 2 ** attempt);
}

export function backOff(attempt: number, times: BackOff): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, backOffMs(attempt, times)));
}
