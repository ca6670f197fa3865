/** Pictures and films as parts of a message: addresses as they are, files and bytes as data addresses. */
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { AnyBytes } from '../../library/values/text/bytes.ts';
import { Image, type Video } from './media.ts';
import type { Message } from './types.ts';

const mimeTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.avi': 'video/x-msvideo',
  '.mkv': 'video/x-matroska',
};

const largestFile = 20 * 1024 * 1024;

/** @throws TypeError ValueError FileNotFoundError */
export async function mediaPart(media: Image | Video): Promise<Message> {
  if (media instanceof Image) {
    const url = await addressOf(media.url, media.mime_type, 'image/png');
    return { type: 'image_url', image_url: { url } };
  }
  const url = await addressOf(media.path, null, 'video/mp4');
  return { type: 'video_url', video_url: { url, fps: media.fps } };
}

async function addressOf(source: unknown, mimeType: unknown, fallback: string): Promise<string> {
  if (source instanceof AnyBytes) return dataAddress(source.data, strOf(mimeType ?? fallback));
  const path = typeof source === 'string' ? source : (source as any)?.__fspath__?.();
  if (typeof path !== 'string')
    throw new TypeError(`a picture or film must be an address, a path or bytes, not '${typeName(source)}'`);
  if (/^(https?|data|gs):/i.test(path)) return path;
  if ((await stat(path)).size > largestFile) throw new ValueError(`${path} is larger than ${largestFile} bytes`);
  const data = await readFile(path);
  return dataAddress(data, strOf(mimeType ?? mimeTypes[extname(path).toLowerCase()] ?? fallback));
}

function dataAddress(data: Uint8Array, mimeType: string): string {
  return `data:${mimeType};base64,${Buffer.from(data).toString('base64')}`;
}
