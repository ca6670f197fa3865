/** Copies of built files for browsers that take less bytes: made once, beside the files. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const textual = /\.(js|css|html|svg|json|txt|xml|wasm|webmanifest|ttf|otf)$/;
/** Smaller files are not worth the header. */
const leastBytes = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** One after the other, so that a server that has just started has a processor left. */
export async function compressFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((one) => textual.test(one))) {
    const file = join(directory, name);
    const bytes = await readFile(file);
    if (bytes.length < leastBytes) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    for (const [ending, packed] of [
      ['br', await toBrotli(bytes, { params })],
      ['gz', await toGzip(bytes, { level: 9 })],
    ] as const) {
      if (packed.length >= bytes.length) continue;
      await writeFile(`${file}.${ending}.tmp`, packed);
      await rename(`${file}.${ending}.tmp`, `${file}.${ending}`);
    }
  }
}
