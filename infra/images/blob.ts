import { createHash } from 'node:crypto';
import { type Descriptor, type ImageBlob, mediaTypes } from './oci.ts';

/** Contents in memory as a blob. */
export function blobOf(bytes: Uint8Array, mediaType: string, more: Partial<Descriptor> = {}): ImageBlob {
  const descriptor = { mediaType, digest: digestOf(bytes), size: bytes.length, ...more };
  return { descriptor, open: async () => new Blob([bytes]) };
}

/** A document as a blob: the same text for the same members in the same order. */
export function jsonBlob(value: object, mediaType: string, more: Partial<Descriptor> = {}): ImageBlob {
  return blobOf(Buffer.from(JSON.stringify(value)), mediaType, more);
}

export async function bytesOf(blob: ImageBlob): Promise<Buffer> {
  return Buffer.from(await (await blob.open()).arrayBuffer());
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Configuration of what is attached to an image, which has none. */
export const emptyConfig = jsonBlob({}, mediaTypes.empty);
