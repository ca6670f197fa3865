import type { Meters } from '../../core/metrics/meters.ts';

/** Counts nothing; tests replace what they look at. */
export const noMeters: Meters = {
  requestRuns: () => {},
  requestFinished: () => {},
  walkerRan: undefined,
  committed: () => {},
  replayed: () => {},
  readConflict: () => {},
  cacheAsked: () => {},
  socketOpened: () => {},
  socketClosed: () => {},
  socketMessage: () => {},
  broadcast: () => {},
  sendFailed: () => {},
  liveRan: () => {},
  liveSubscribed: () => {},
  liveDelivered: () => {},
  topicSent: () => {},
  topicJoined: () => {},
  topicEvent: () => {},
  webhookAnswered: () => {},
  authEvent: () => {},
  rateLimited: () => {},
  uncaughtError: () => {},
};
