/** Parts of the application that all webhook endpoints share. */
import type { Config } from '../../core/config/config.ts';
import type { KeyGate } from '../auth/key-gate.ts';
import type { BodyLimits } from '../http/body/read-json-body.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Replies } from '../http/replies.ts';
import type { Idempotency } from '../http/run/idempotency.ts';
import type { RunTarget } from '../http/run/types.ts';
import type { CreateFindUnknown } from '../http/run/unknown-fields.ts';
import type { WebhookRecords } from './record-webhook.ts';

export interface WebhookParts extends WebhookRecords {
  readonly rules: Config['scale']['webhook'];
  readonly limits: BodyLimits;
  /** Members that no field takes are named in the answer (development). */
  readonly createFindUnknown: CreateFindUnknown | undefined;
  /** Unix seconds. */
  readonly nowSeconds: () => number;
  readonly idempotency: Idempotency;
  readonly run: RunTarget;
  readonly replies: Replies;
  readonly keys: KeyGate;
  /** Rate limit of each key, and of each webhook without keys; undefined: none. */
  readonly rateLimit: RateLimit | undefined;
}
