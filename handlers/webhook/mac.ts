/** HMAC-SHA256 (RFC 2104) with keys that sign many short messages. */
import { createHash, createHmac, hash } from 'node:crypto';

export interface Mac {
  /** Digest of a prefix (its characters are bytes, as in header values) and a message, as 64 lower-case hexadecimal digits. */
  hex(prefix: string, message: Uint8Array): string;
}

const blockBytes = 64;
const digestBytes = 32;

// Buffers of the bytes to hash: a padded key, then the message (inner) or its digest (outer). Nothing waits between
// filling one and hashing it.
const inner = Buffer.alloc(blockBytes + 4096);
const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * Prepares a key. Two digests in one go each take a third of the time of `createHmac`, most of which is spent on making an object;
 * long messages go through that.
 */
export function createMac(key: Uint8Array): Mac {
  const block = Buffer.alloc(blockBytes);
  block.set(key.length > blockBytes ? createHash('sha256').update(key).digest() : key);
  const innerPad = block.map((byte) => byte ^ 0x36);
  const outerPad = block.map((byte) => byte ^ 0x5c);
  return {
    hex(prefix, message) {
      const start = blockBytes + prefix.length;
      const length = start + message.length;
      if (length > inner.length)
        return createHmac('sha256', key).update(prefix, 'latin1').update(message).digest('hex');
      inner.set(innerPad);
      inner.write(prefix, blockBytes, 'latin1');
      inner.set(message, start);
      outer.set(outerPad);
      outer.write(hash('sha256', inner.subarray(0, length), 'hex'), blockBytes, 'hex');
      return hash('sha256', outer, 'hex');
    },
  };
}
