/** Files as objects of a bucket, in S3 or a service that speaks its protocol (docs/decisions/0120). */
import type { S3 } from '@aws-sdk/client-s3';
import type { FileContent, FileFacts, FileMetadata, FileReading, FileStorage } from '../../../core/files/storage.ts';
import { isDirectory, notDirectory, notFound } from '../../../core/files/storage-errors.ts';
import { isReserved, lastName, parentOf, requireApart } from '../../../core/files/storage-path.ts';
import { openClient, type S3Options } from './client.ts';
import { readMetadataField, writeMetadataField } from './metadata.ts';
import { readObject } from './read-object.ts';
import { isMissing, storageTrouble } from './trouble.ts';
import { writeObject } from './write-object.ts';

/** An object above this cannot be copied by the service in one request. */
const maxCopyBytes = 5 * 1024 ** 3;
/** Requests about the files of a directory that are on their way at once. */
const width = 8;

export async function openS3Storage(
  options: S3Options,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<FileStorage> {
  const client: S3 = await openClient(options, env);
  const Bucket = options.bucket;
  const start = options.prefix === '' ? '' : `${options.prefix}/`;
  const keyOf = (path: string) => start + path;

  return {
    addressOf: (path) => `s3://${Bucket}/${keyOf(path)}`,
    write: (path, content, metadata) => naming(path, () => write(path, content, metadata)),
    read: (path) => naming(path, () => read(path)),
    facts: (path) => naming(path, () => facts(path)),
    remove: (path) => naming(path, () => remove(path)),
    list: (prefix, recursive) => list(prefix, recursive),
    copy: (source, destination) => naming(source, () => copy(source, destination)),
    move: (source, destination) => naming(source, () => move(source, destination)),
  };

  // ---- files

  async function write(path: string, content: FileContent, metadata: FileMetadata | undefined): Promise<void> {
    const Metadata = writeMetadataField(metadata);
    if (await hasFiles(path)) throw isDirectory(path);
    const type = metadata?.['content_type'];
    const ContentType = typeof type === 'string' ? type : 'application/octet-stream';
    await writeObject(client, { Bucket, Key: keyOf(path), Metadata, ContentType }, content);
  }

  async function read(path: string): Promise<FileReading> {
    try {
      return await readObject(client, { Bucket, Key: keyOf(path) }, (error) => storageTrouble(error, path));
    } catch (error) {
      if (isMissing(error) && (await hasFiles(path))) throw isDirectory(path);
      throw error;
    }
  }

  async function fileFacts(path: string): Promise<FileFacts | undefined> {
    try {
      const head = await client.headObject({ Bucket, Key: keyOf(path) });
      const time = (head.LastModified?.getTime() ?? 0) / 1000;
      const metadata = readMetadataField(head.Metadata);
      return { size: head.ContentLength ?? 0, modified: time, created: time, isDirectory: false, metadata };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function facts(path: string): Promise<FileFacts | undefined> {
    const file = path === '' ? undefined : await fileFacts(path);
    if (file !== undefined) return file;
    const [first] = await page(path === '' ? '' : `${path}/`);
    if (first === undefined && path !== '') return undefined;
    const time = (first?.LastModified?.getTime() ?? 0) / 1000;
    return { size: 0, modified: time, created: time, isDirectory: true, metadata: undefined };
  }

  async function remove(path: string): Promise<boolean> {
    const isFile = (await fileFacts(path)) !== undefined;
    if (isFile) await client.deleteObject({ Bucket, Key: keyOf(path) });
    let count = 0;
    // Each round asks for what is left, so nothing is skipped.
    for (;;) {
      const contents = await page(`${path}/`, 1000);
      if (contents.length === 0) return isFile || count > 0;
      count += contents.length;
      const Objects = contents.map(({ Key }) => ({ Key }));
      const { Errors = [] } = await client.deleteObjects({ Bucket, Delete: { Objects, Quiet: true } });
      if (Errors.length > 0)
        throw Object.assign(new Error(Errors[0]!.Message), { name: Errors[0]!.Code, $metadata: {} });
    }
  }

  // ---- directories: what keys have in common

  async function page(prefix: string, MaxKeys = 1) {
    const { Contents = [] } = await client.listObjectsV2({ Bucket, Prefix: keyOf(prefix), MaxKeys });
    return Contents;
  }

  async function hasFiles(path: string): Promise<boolean> {
    return (await page(`${path}/`)).length > 0;
  }

  async function* list(prefix: string, recursive: boolean): AsyncGenerator<string> {
    const isFolder = prefix === '' || prefix.endsWith('/');
    try {
      const from = isFolder || !(await hasFiles(prefix)) ? prefix : `${prefix}/`;
      yield* keys(from, recursive);
    } catch (error) {
      throw storageTrouble(error, prefix);
    }
  }

  async function* keys(prefix: string, recursive: boolean): AsyncGenerator<string> {
    let ContinuationToken: string | undefined;
    do {
      const answer = await client.listObjectsV2({
        Bucket,
        Prefix: keyOf(prefix),
        ContinuationToken,
        ...(recursive ? {} : { Delimiter: '/' }),
      });
      for (const { Key = '' } of answer.Contents ?? []) {
        const path = Key.slice(start.length);
        if (isPlain(path)) yield path;
      }
      ContinuationToken = answer.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async function copy(source: string, destination: string): Promise<void> {
    const file = await fileFacts(source);
    if (file !== undefined) {
      if (await hasFiles(destination)) throw isDirectory(destination);
      return copyObject(source, destination, file.size);
    }
    if (!(await hasFiles(source))) throw notFound(source);
    requireApart(source, destination);
    if ((await fileFacts(destination)) !== undefined) throw notDirectory(destination);
    let batch: Promise<void>[] = [];
    for await (const path of keys(`${source}/`, true)) {
      batch.push(copyObject(path, destination + path.slice(source.length), undefined));
      if (batch.length < width) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
  }

  async function copyObject(source: string, destination: string, size: number | undefined): Promise<void> {
    const known = size === undefined || size <= maxCopyBytes ? undefined : await fileFacts(source);
    if (known !== undefined) {
      const reading = await read(source);
      return write(destination, { chunks: reading.chunks, size: reading.size }, known.metadata);
    }
    const CopySource = `${Bucket}/${keyOf(source).split('/').map(encodeURIComponent).join('/')}`;
    await client.copyObject({ Bucket, Key: keyOf(destination), CopySource });
  }

  async function move(source: string, destination: string): Promise<void> {
    await copy(source, destination);
    await remove(source);
  }
}

/** Others may keep objects in the bucket that are no files here. */
function isPlain(path: string): boolean {
  if (path === '' || path.endsWith('/') || path.startsWith('/') || path.includes('//')) return false;
  return !isReserved(lastName(path), parentOf(path) === '');
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageTrouble(error, path);
  }
}
