import { createHmac } from 'node:crypto';

/** The other side of `signature.ts`: what a sender adds to a webhook call (server.md 11.2, 11.3). */
export type SignatureScheme = 'body' | 'timestamped' | 'standard';

export interface CallToSign {
  readonly scheme: SignatureScheme;
  readonly body: Uint8Array;
  readonly apiKey: string;
  /** `whsec_` and base64; the key of the standard scheme, and of the timestamped one when it is given. */
  readonly signingSecret: string | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Message id of the standard scheme. */
  readonly id: string;
  /** Header with the signature, as the server is configured. */
  readonly header: string;
}

/** Headers of a signed call, the API key included. */
export function signatureHeaders(call: CallToSign): Record<string, string> {
  const { scheme, body, apiKey, signingSecret, timestamp, id } = call;
  const shared = { 'Content-Type': 'application/json', 'X-API-Key': apiKey };
  switch (scheme) {
    case 'body':
      return { ...shared, [call.header]: hmac(apiKey, '', body).toString('hex') };
    case 'timestamped': {
      const signature = hmac(signingSecret ?? apiKey, `${timestamp}.`, body).toString('hex');
      return { ...shared, 'X-Webhook-Timestamp': String(timestamp), [call.header]: `sha256=${signature}` };
    }
    case 'standard': {
      const key = Buffer.from((signingSecret ?? '').replace(/^whsec_/, ''), 'base64');
      const signature = hmac(key, `${id}.${timestamp}.`, body).toString('base64');
      return {
        ...shared,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
    }
  }
}

function hmac(key: string | Uint8Array, prefix: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prefix).update(body).digest();
}
