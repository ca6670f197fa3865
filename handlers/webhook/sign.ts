import { createHmac } from 'node:crypto';

/**
 * The other side of `signature.ts` and `sender-schemes.ts`: what a sender adds to a webhook call
 * (docs/server/webhooks.md#call, docs/server/webhooks.md#signatures; decisions/0420).
 */
export type SignatureScheme = 'body' | 'timestamped' | 'standard' | 'github' | 'stripe' | 'slack';

/** Tells which key a scheme needs: `apiKey` or `signingSecret`. */
export function neededFor(scheme: SignatureScheme): 'apiKey' | 'signingSecret' {
  return scheme === 'body' || scheme === 'timestamped' ? 'apiKey' : 'signingSecret';
}

export interface CallToSign {
  readonly scheme: SignatureScheme;
  readonly body: Uint8Array;
  /** Sent with the call where it is given; the key of the body scheme, and of the timestamped one without a secret. */
  readonly apiKey: string | undefined;
  /** The key of the standard scheme (`whsec_` and base64), of services, and of the timestamped scheme when it is given. */
  readonly signingSecret: string | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Message id of the standard scheme, delivery of GitHub's. */
  readonly id: string;
  /** Header with the signature, as the server is configured. */
  readonly header: string;
}

/** Headers of a signed call, the API key included. */
export function signatureHeaders(call: CallToSign): Record<string, string> {
  const { scheme, body, timestamp, id } = call;
  const { apiKey = '', signingSecret = '' } = call;
  const shared = { 'Content-Type': 'application/json', ...(apiKey === '' ? {} : { 'X-API-Key': apiKey }) };
  switch (scheme) {
    case 'body':
      return { ...shared, [call.header]: hmac(apiKey, '', body).toString('hex') };
    case 'timestamped': {
      const signature = hmac(call.signingSecret ?? apiKey, `${timestamp}.`, body).toString('hex');
      return { ...shared, 'X-Webhook-Timestamp': String(timestamp), [call.header]: `sha256=${signature}` };
    }
    case 'standard': {
      const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64');
      const signature = hmac(key, `${id}.${timestamp}.`, body).toString('base64');
      return {
        ...shared,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
    }
    case 'github': {
      const signature = hmac(signingSecret, '', body).toString('hex');
      return { ...shared, 'X-GitHub-Delivery': id, 'X-Hub-Signature-256': `sha256=${signature}` };
    }
    case 'stripe': {
      const signature = hmac(signingSecret, `${timestamp}.`, body).toString('hex');
      return { ...shared, 'Stripe-Signature': `t=${timestamp},v1=${signature}` };
    }
    case 'slack': {
      const signature = hmac(signingSecret, `v0:${timestamp}:`, body).toString('hex');
      return { ...shared, 'X-Slack-Request-Timestamp': String(timestamp), 'X-Slack-Signature': `v0=${signature}` };
    }
  }
}

function hmac(key: string | Uint8Array, prefix: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prefix).update(body).digest();
}
