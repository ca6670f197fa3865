/** Signatures of webhook calls (server.md 11.3). Everything is checked over the bytes as received. */
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';
import { defaultWebhookSecret } from '../../core/config/options.ts';
import { Failure } from '../../core/errors.ts';

export type SignatureRules = Pick<
  Config['scale']['webhook'],
  | 'secret'
  | 'signatureHeader'
  | 'verifySignature'
  | 'replayToleranceSeconds'
  | 'requireTimestamp'
  | 'requireSigningSecret'
>;

/** What a call is signed with. */
export interface SigningKeys {
  /** The API key as presented. */
  readonly text: string;
  /** `whsec_` and base64; undefined when it cannot be read. */
  signingSecret(): string | undefined;
}

export interface SignedCall {
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** A digest of the signed bytes when they carry a time, so that an identical delivery can be told; undefined otherwise. */
export type DeliveryId = string | undefined;

const secretPrefix = 'whsec_';
const maxListed = 16;

/** Prepares checking by the configured rules: header names do not change between calls. */
export function createSignatureCheck(rules: SignatureRules) {
  const bodyHeader = rules.signatureHeader.toLowerCase();
  const { replayToleranceSeconds: tolerance, requireSigningSecret } = rules;
  // The built-in default is public knowledge, so nothing signed with it proves anything.
  const shared = rules.secret === '' || rules.secret === defaultWebhookSecret ? [] : [keyOf(rules.secret)];
  const apiKeys = new WeakMap<SigningKeys, KeyObject>();

  /** @throws Failure `UNAUTHORIZED`, reason `signature` or `timestamp` */
  return function check(call: SignedCall, keys: SigningKeys, nowSeconds: number): DeliveryId {
    if (!rules.verifySignature) return undefined;
    const ofBody = call.header(bodyHeader);
    const ofStandard = call.header('webhook-signature');
    if (ofBody === undefined && ofStandard === undefined) throw refused('signature', 'Missing webhook signature');
    let delivery: DeliveryId;
    if (ofStandard !== undefined) delivery = checkStandard(call, ofStandard, keys, nowSeconds);
    if (ofBody === undefined) return delivery;
    const timestamp = call.header('x-webhook-timestamp');
    if (timestamp === undefined) {
      if (rules.requireTimestamp && ofStandard === undefined) throw refused('timestamp', 'Missing webhook timestamp');
      checkHex(ofBody, bodyCandidates(keys), '', call.body);
      return delivery;
    }
    requireFresh(timestamp, nowSeconds);
    const prefix = `${timestamp}.`;
    checkHex(ofBody, [...signingSecretOf(keys).map(keyOf), ...bodyCandidates(keys)], prefix, call.body);
    return delivery ?? digestOf(prefix, call.body);
  };

  function checkStandard(call: SignedCall, value: string, keys: SigningKeys, nowSeconds: number): string {
    const timestamp = call.header('webhook-timestamp');
    if (timestamp === undefined) throw refused('timestamp', 'Missing webhook timestamp');
    requireFresh(timestamp, nowSeconds);
    const id = call.header('webhook-id');
    const [secret] = signingSecretOf(keys);
    if (id === undefined || id === '' || secret === undefined) throw refused('signature', 'Invalid webhook signature');
    const prefix = `${id}.${timestamp}.`;
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    const expected = hmac(key, prefix, call.body);
    let isGenuine = false;
    for (const entry of value.split(' ').slice(0, maxListed)) {
      const given = entry.startsWith('v1,') ? Buffer.from(entry.slice(3), 'base64') : undefined;
      if (given?.length === expected.length && timingSafeEqual(given, expected)) isGenuine = true;
    }
    if (!isGenuine) throw refused('signature', 'Invalid webhook signature');
    return digestOf(prefix, call.body);
  }

  function requireFresh(timestamp: string, nowSeconds: number): void {
    const isFresh = /^\d{1,12}$/.test(timestamp) && Math.abs(nowSeconds - Number(timestamp)) <= tolerance;
    if (!isFresh) throw refused('timestamp', 'The webhook timestamp is outside the accepted window');
  }

  /** Keys of the interface's scheme: the API key, and the configured secret where there is one. */
  function bodyCandidates(keys: SigningKeys): readonly KeyObject[] {
    if (requireSigningSecret) return signingSecretOf(keys).map(keyOf);
    let apiKey = apiKeys.get(keys);
    if (apiKey === undefined) apiKeys.set(keys, (apiKey = keyOf(keys.text)));
    return [apiKey, ...shared];
  }
}

/** Made once per key where that is possible: it takes longer than the digest of a small body. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret));
}

function signingSecretOf(keys: SigningKeys): readonly string[] {
  const secret = keys.signingSecret();
  return secret === undefined ? [] : [secret];
}

/** All candidates are tried, so that time does not tell which fits. */
function checkHex(value: string, candidates: readonly KeyObject[], prefix: string, body: Uint8Array): void {
  const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(value.trim())?.[1];
  if (hex === undefined) throw refused('signature', 'Invalid webhook signature');
  const given = Buffer.from(hex, 'hex');
  let isGenuine = false;
  for (const candidate of candidates) {
    if (timingSafeEqual(hmac(candidate, prefix, body), given)) isGenuine = true;
  }
  if (!isGenuine) throw refused('signature', 'Invalid webhook signature');
}

/** HMAC-SHA256 over a prefix and the body. */
export function hmac(key: string | Uint8Array | KeyObject, prefix: string, body: Uint8Array): Buffer {
  const mac = createHmac('sha256', key);
  if (prefix !== '') mac.update(prefix);
  return mac.update(body).digest();
}

function digestOf(prefix: string, body: Uint8Array): string {
  return createHash('sha256').update(prefix).update(body).digest('hex');
}

function refused(reason: 'signature' | 'timestamp', message: string): Failure {
  return new Failure('UNAUTHORIZED', message, { details: { reason }, headers: { 'WWW-Authenticate': keyChallenge } });
}

/** RFC 9110 11.6.1 wants a challenge with every 401. */
export const keyChallenge = 'ApiKey realm="svc"';
