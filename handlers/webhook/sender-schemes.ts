/**
 * Signature schemes of services that send webhook calls (decisions/0420), one row per `restspec(verify=…)`. Everything
 * is checked over the bytes as received; all signatures of a call are compared, in constant time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../core/errors.ts';
import type { Sender } from '../../library/classes/spec.ts';
import { createMac, type Mac } from './mac.ts';

export interface SenderCall {
  header(name: string): string | undefined;
}

/** Parts that a scheme reads from a call before anything is computed. */
export interface Presented {
  /** Text before the body in the signed bytes. */
  readonly prefix: string;
  /** Digests as bytes; a good one is among them. */
  readonly digests: readonly Buffer[];
}

export interface SenderScheme {
  /** Header with the signature, as its service writes it. */
  readonly header: string;
  /** Further headers it needs. */
  readonly further: readonly string[];
  macOf(secret: string): Mac;
  /** @throws Failure `UNAUTHORIZED`, reason `signature` or `timestamp` */
  read(call: SenderCall, requireFresh: (timestamp: string) => void): Presented;
  /** Names the delivery, the same for all attempts of it; undefined where the call does not say. */
  deliveryOf(call: SenderCall, fields: Readonly<Record<string, unknown>>): string | undefined;
}

const maxListed = 16;

export const senderSchemes: Readonly<Record<Exclude<Sender, 'none'>, SenderScheme>> = {
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  github: {
    header: 'X-Hub-Signature-256',
    further: ['X-GitHub-Delivery'],
    macOf: textMac,
    read(call) {
      const value = required(call, this.header);
      return { prefix: '', digests: hexDigests([/^sha256=(.*)$/.exec(value)?.[1]]) };
    },
    deliveryOf: (call) => call.header('x-github-delivery'),
  },
  // https://docs.stripe.com/webhooks#verify-manually
  stripe: {
    header: 'Stripe-Signature',
    further: [],
    macOf: textMac,
    read(call, requireFresh) {
      const parts = required(call, this.header).split(',', maxListed);
      const valuesOf = (name: string) =>
        parts.flatMap((part) => (part.trim().startsWith(`${name}=`) ? [part.trim().slice(name.length + 1)] : []));
      const [timestamp = ''] = valuesOf('t');
      requireFresh(timestamp);
      return { prefix: `${timestamp}.`, digests: hexDigests(valuesOf('v1')) };
    },
    deliveryOf: (_call, { id }) => textOrNone(id),
  },
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  slack: {
    header: 'X-Slack-Signature',
    further: ['X-Slack-Request-Timestamp'],
    macOf: textMac,
    read(call, requireFresh) {
      const value = required(call, this.header);
      const timestamp = required(call, 'X-Slack-Request-Timestamp', 'timestamp');
      requireFresh(timestamp);
      return { prefix: `v0:${timestamp}:`, digests: hexDigests([/^v0=(.*)$/.exec(value)?.[1]]) };
    },
    deliveryOf: (_call, { type, event_id: id }) => (type === 'event_callback' ? textOrNone(id) : undefined),
  },
  // https://www.standardwebhooks.com; older senders call the same headers svix-id and so on.
  standard: {
    header: 'webhook-signature',
    further: ['webhook-id', 'webhook-timestamp'],
    macOf: (secret) => createMac(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')),
    read(call, requireFresh) {
      const family = familyOf(call);
      const value = required(call, `${family}-signature`);
      const id = required(call, `${family}-id`);
      const timestamp = required(call, `${family}-timestamp`, 'timestamp');
      requireFresh(timestamp);
      const entries = value.split(' ', maxListed).filter((entry) => entry.startsWith('v1,'));
      return {
        prefix: `${id}.${timestamp}.`,
        digests: entries.map((entry) => Buffer.from(entry.slice(3), 'base64')),
      };
    },
    deliveryOf: (call) => call.header(`${familyOf(call)}-id`),
  },
};

/**
 * Checks the signature of a call.
 *
 * @returns digest of the signed bytes where they carry a time, so that the same bytes again can be told
 * @throws Failure `UNAUTHORIZED`, reason `signature` or `timestamp`
 */
export function checkSender(
  scheme: SenderScheme,
  call: SenderCall,
  body: Uint8Array,
  mac: Mac,
  requireFresh: (timestamp: string) => void,
): string | undefined {
  const { prefix, digests } = scheme.read(call, requireFresh);
  const expected = Buffer.from(mac.hex(prefix, body), 'hex');
  let isGenuine = false;
  for (const given of digests) {
    if (given.length === expected.length && timingSafeEqual(given, expected)) isGenuine = true;
  }
  if (!isGenuine) throw refusedSender('signature', 'Invalid webhook signature');
  return prefix === '' ? undefined : createHash('sha256').update(prefix, 'latin1').update(body).digest('hex');
}

export function refusedSender(reason: 'signature' | 'timestamp', message: string): Failure {
  return new Failure('UNAUTHORIZED', message, { details: { reason }, headers: { 'WWW-Authenticate': challenge } });
}

/** RFC 9110 11.6.1 wants a challenge with every 401. */
const challenge = 'Signature realm="svc"';

function required(call: SenderCall, name: string, reason: 'signature' | 'timestamp' = 'signature'): string {
  const value = call.header(name.toLowerCase());
  if (value === undefined || value === '') throw refusedSender(reason, `Missing ${name} header`);
  return value;
}

function familyOf(call: SenderCall): 'webhook' | 'svix' {
  return call.header('webhook-signature') === undefined && call.header('svix-signature') !== undefined
    ? 'svix'
    : 'webhook';
}

function textMac(secret: string): Mac {
  return createMac(Buffer.from(secret));
}

function hexDigests(values: readonly (string | undefined)[]): Buffer[] {
  return values.flatMap((value) =>
    value !== undefined && /^[0-9a-fA-F]{64}$/.test(value) ? [Buffer.from(value, 'hex')] : [],
  );
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
