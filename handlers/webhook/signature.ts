/** Signatures of webhook calls (docs/server/webhooks.md#signatures). Everything is checked over the bytes as received. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../core/config/config.ts';
import { defaultWebhookSecret } from '../../core/config/options.ts';
import { Failure } from '../../core/errors.ts';
import { keyChallenge } from '../auth/key-gate.ts';
import { createMac, type Mac } from './mac.ts';

export type SignatureRules = Pick<
  Config['scale']['webhook'],
  | 'secret'
  | 'signatureHeader'
  | 'verifySignature'
  | 'replayToleranceSeconds'
  | 'requireTimestamp'
  | 'requireSigningSecret'
>;

/** Keys that a call may be signed with. */
export interface SigningKeys {
  /** The API key as presented. */
  readonly text: string;
  /** `whsec_` and base64; undefined when it cannot be read. */
  signingSecret(): string | undefined;
}

export interface SignedCall {
  header(name: string): string | undefined;
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
  const shared = rules.secret === '' || rules.secret === defaultWebhookSecret ? undefined : macOf(rules.secret);
  const prepared = new WeakMap<SigningKeys, PreparedKeys>();

  /** @throws Failure `UNAUTHORIZED`, reason `signature` or `timestamp` */
  return function check(call: SignedCall, body: Uint8Array, signing: SigningKeys, nowSeconds: number): DeliveryId {
    if (!rules.verifySignature) return undefined;
    let keys = prepared.get(signing);
    if (keys === undefined) prepared.set(signing, (keys = new PreparedKeys(signing, shared, requireSigningSecret)));
    const ofBody = call.header(bodyHeader);
    const ofStandard = call.header('webhook-signature');
    if (ofBody === undefined && ofStandard === undefined) throw refused('signature', 'Missing webhook signature');
    let delivery: DeliveryId;
    if (ofStandard !== undefined) delivery = checkStandard(call, body, ofStandard, keys, nowSeconds);
    if (ofBody === undefined) return delivery;
    const timestamp = call.header('x-webhook-timestamp');
    if (timestamp === undefined) {
      if (rules.requireTimestamp && ofStandard === undefined) throw refused('timestamp', 'Missing webhook timestamp');
      checkHex(ofBody, keys.ofBody, '', body);
      return delivery;
    }
    requireFresh(timestamp, nowSeconds);
    const prefix = `${timestamp}.`;
    checkHex(ofBody, keys.ofTimed, prefix, body);
    return delivery ?? digestOf(prefix, body);
  };

  function checkStandard(
    call: SignedCall,
    body: Uint8Array,
    value: string,
    keys: PreparedKeys,
    nowSeconds: number,
  ): string {
    const timestamp = call.header('webhook-timestamp');
    if (timestamp === undefined) throw refused('timestamp', 'Missing webhook timestamp');
    requireFresh(timestamp, nowSeconds);
    const id = call.header('webhook-id');
    const mac = keys.ofStandard;
    if (id === undefined || id === '' || mac === undefined) throw refused('signature', 'Invalid webhook signature');
    const prefix = `${id}.${timestamp}.`;
    const expected = Buffer.from(mac.hex(prefix, body), 'hex');
    let isGenuine = false;
    for (const entry of value.split(' ').slice(0, maxListed)) {
      const given = entry.startsWith('v1,') ? Buffer.from(entry.slice(3), 'base64') : undefined;
      if (given?.length === expected.length && timingSafeEqual(given, expected)) isGenuine = true;
    }
    if (!isGenuine) throw refused('signature', 'Invalid webhook signature');
    return digestOf(prefix, body);
  }

  function requireFresh(timestamp: string, nowSeconds: number): void {
    const isFresh = /^\d{1,12}$/.test(timestamp) && Math.abs(nowSeconds - Number(timestamp)) <= tolerance;
    if (!isFresh) throw refused('timestamp', 'The webhook timestamp is outside the accepted window');
  }
}

/** The keys one API key may sign with, made ready on first use. */
class PreparedKeys {
  /** Codes of the interface's scheme: by the API key, and by the configured secret where there is one. */
  readonly ofBody: readonly Mac[];
  private readonly signing: SigningKeys;
  private timed: readonly Mac[] | undefined = undefined;
  private standard: Mac | undefined = undefined;

  constructor(signing: SigningKeys, shared: Mac | undefined, requireSigningSecret: boolean) {
    this.signing = signing;
    const usual = shared === undefined ? [macOf(signing.text)] : [macOf(signing.text), shared];
    this.ofBody = requireSigningSecret ? this.ofSigningSecret() : usual;
  }

  /** The same, and the signing secret. */
  get ofTimed(): readonly Mac[] {
    this.timed ??= [...this.ofSigningSecret(), ...this.ofBody];
    return this.timed;
  }

  /** Code of the Standard Webhooks scheme; undefined when the signing secret cannot be read. */
  get ofStandard(): Mac | undefined {
    if (this.standard === undefined) {
      const secret = this.signing.signingSecret();
      if (secret !== undefined) this.standard = createMac(Buffer.from(secret.slice(secretPrefix.length), 'base64'));
    }
    return this.standard;
  }

  private ofSigningSecret(): readonly Mac[] {
    const secret = this.signing.signingSecret();
    return secret === undefined ? [] : [macOf(secret)];
  }
}

function macOf(secret: string): Mac {
  return createMac(Buffer.from(secret));
}

const hexDigits = 64;
const givenDigits = Buffer.alloc(hexDigits);
const expectedDigits = Buffer.alloc(hexDigits);

/** All candidates are tried, so that time does not tell which fits. */
function checkHex(value: string, candidates: readonly Mac[], prefix: string, body: Uint8Array): void {
  const hex = hexPattern.exec(value)?.[1];
  if (hex === undefined) throw refused('signature', 'Invalid webhook signature');
  givenDigits.write(hex.toLowerCase(), 'latin1');
  let isGenuine = false;
  for (const candidate of candidates) {
    expectedDigits.write(candidate.hex(prefix, body), 'latin1');
    if (timingSafeEqual(expectedDigits, givenDigits)) isGenuine = true;
  }
  if (!isGenuine) throw refused('signature', 'Invalid webhook signature');
}

const hexPattern = /^\s*(?:sha256=)?([0-9a-f]{64})\s*$/i;

function digestOf(prefix: string, body: Uint8Array): string {
  return createHash('sha256').update(prefix).update(body).digest('hex');
}

function refused(reason: 'signature' | 'timestamp', message: string): Failure {
  return new Failure('UNAUTHORIZED', message, { details: { reason }, headers: { 'WWW-Authenticate': keyChallenge } });
}
