import { afterAll, beforeAll } from 'vitest';
import { Storage } from '../../../core/files/file-storage.ts';
import { describeFiles, plainNames } from '../../../test/contracts/files.ts';
import { type S3Server, startS3 } from '../../../test/harness/s3-server.ts';
import { openS3Storage } from './storage.ts';

let server: S3Server;
let count = 0;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server[Symbol.asyncDispose]());

// The emulator keeps a file of its own for each object, with an ending, and ends when that name is too long.
const names = plainNames.filter((name) => Buffer.byteLength(name) < 200);

const open = async () => {
  const options = {
    bucket: server.bucket,
    prefix: `test/${(count += 1)}`,
    endpoint: server.endpoint,
    region: '',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    timeoutMs: 30_000,
  };
  return { storage: new Storage('s3', () => openS3Storage(options)), [Symbol.asyncDispose]: async () => {} };
};

// The server s3rver also writes to the files of an object as the bytes come, from several uploads at once.
describeFiles('s3 (s3rver)', open, { names, isWhole: false });
