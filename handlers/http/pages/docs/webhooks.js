/** Webhook calls of services, signed here with WebCrypto as the services sign them. */

/** Whether this page can sign at all: browsers offer it on https and on this machine only. */
export const canSign = Boolean(globalThis.crypto && crypto.subtle);

/**
 * Headers that a sender adds. sender: what the operation says in x-svc-verify.
 *
 * @param {string} sender
 * @param {string} secret
 * @param {string} body
 * @returns {Promise<Record<string, string>>}
 */
export async function senderHeaders(sender, secret, body) {
  const now = Math.floor(Date.now() / 1000);
  const id = `docs-${Array.from(crypto.getRandomValues(new Uint8Array(8)), hexByte).join('')}`;
  switch (sender) {
    case 'github':
      return { 'X-GitHub-Delivery': id, 'X-Hub-Signature-256': `sha256=${hex(await hmac(bytesOf(secret), body))}` };
    case 'stripe':
      return { 'Stripe-Signature': `t=${now},v1=${hex(await hmac(bytesOf(secret), `${now}.${body}`))}` };
    case 'slack':
      return {
        'X-Slack-Request-Timestamp': String(now),
        'X-Slack-Signature': `v0=${hex(await hmac(bytesOf(secret), `v0:${now}:${body}`))}`,
      };
    case 'standard': {
      const key = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0));
      const signature = await hmac(key, `${id}.${now}.${body}`);
      return {
        'webhook-id': id,
        'webhook-timestamp': String(now),
        'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
      };
    }
    default:
      return {};
  }
}

/**
 * Our own scheme: hexadecimal HMAC-SHA256 of the body, keyed with the API key.
 *
 * @param {string} key
 * @param {string} body
 */
export async function keySignature(key, body) {
  return hex(await hmac(bytesOf(key), body));
}

/**
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {string} text
 */
async function hmac(key, text) {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesOf(text)));
}

/** @param {string} text */
function bytesOf(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, hexByte).join('');
}

/** @param {number} byte */
function hexByte(byte) {
  return byte.toString(16).padStart(2, '0');
}
