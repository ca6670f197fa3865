/** Copies of built files for browsers that take less bytes: made once, beside the files. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const textual = /\.(js|css|html|svg|json|txt|xml|wasm|webmanifest|ttf|otf)$/;
/** Smaller files are not worth the header. */
const leastBytes = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * One after the other, so that a server that has just started has a processor left. All get the quick kind first: the other takes thirty times as
 * long, and begins after `restMs`, when the first page has been shown. `main`, the file that everything waits for, is the last to be done: with its `.br` all are there.
 */
export async function compressFiles(
  directory: string,
  names: readonly string[],
  main: string,
  restMs = 0,
): Promise<void> {
  const files = names.filter((name) => textual.test(name) && name !== main);
  files.push(main);
  for (const [ending, pack] of [
    ['gz', (bytes: Buffer) => toGzip(bytes, { level: 9 })],
    ['br', (bytes: Buffer) => toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })],
  ] as const) {
    if (ending === 'br' && restMs > 0) await setTimeout(restMs, undefined, { ref: false });
    for (const name of files) await compressFile(join(directory, name), ending, pack);
  }
}

async function compressFile(file: string, ending: string, pack: (bytes: Buffer) => Promise<Buffer>): Promise<void> {
  if (existsSync(`${file}.${ending}`)) return;
  const bytes = await readFile(file);
  if (bytes.length < leastBytes) return;
  const packed = await pack(bytes);
  if (packed.length >= bytes.length) return;
  await writeFile(`${file}.${ending}.tmp`, packed);
  await rename(`${file}.${ending}.tmp`, `${file}.${ending}`);
}
