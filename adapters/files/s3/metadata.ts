import type { FileMetadata } from '../../../core/files/storage.ts';
import { ValueError } from '../../../library/values/objects/exceptions.ts';

const field = 'svc';
// The service takes 2 KB of names and values.
const maxBytes = 2000;

/** Metadata as the service keeps them beside the object: headers, which are ASCII. @throws ValueError when they are too large */
export function writeMetadataField(metadata: FileMetadata | undefined): Record<string, string> {
  if (metadata === undefined) return {};
  const text = Buffer.from(JSON.stringify(metadata)).toString('base64url');
  if (text.length > maxBytes) throw new ValueError('metadata are larger than S3 keeps (1500 bytes as JSON)');
  return { [field]: text };
}

export function readMetadataField(headers: Readonly<Record<string, string>> | undefined): FileMetadata | undefined {
  const text = headers?.[field];
  if (text === undefined) return undefined;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as FileMetadata;
}
