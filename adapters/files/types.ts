/** Types of file storage besides that of this machine (core/files/file-desk.ts). To add one: a folder beside this file and a line here. */
import type { OpenFiles } from '../../core/files/file-desk.ts';
import { storagePath } from '../../core/files/storage-path.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { textOf } from '../../library/values/text/text-arguments.ts';

export const fileTypes: Readonly<Record<string, OpenFiles>> = {
  s3: async (options) => {
    const text = (name: string) => {
      const value = options[name] ?? '';
      const found = textOf(value);
      if (found === undefined) throw new TypeError(`${name} of storage type s3 must be text`);
      return found;
    };
    const bucket = text('bucket');
    if (bucket === '') throw new ValueError('storage type s3 needs a bucket');
    // A directory the program asked for lies below the configured beginning of all keys.
    const prefix = [text('prefix'), text('base_path')].map(storagePath).filter((part) => part !== '');
    const { openS3Storage } = await import('./s3/storage.ts');
    return openS3Storage({
      bucket,
      prefix: prefix.join('/'),
      endpoint: text('endpoint'),
      region: text('region'),
      accessKeyId: text('access_key_id'),
      secretAccessKey: text('secret_access_key'),
      timeoutMs: Number(options['timeout_ms'] ?? 30_000),
    });
  },
};
