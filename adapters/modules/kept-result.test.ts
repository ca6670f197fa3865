import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../../test/harness/svc-process.ts';
import { keepResult } from './kept-result.ts';

test('a result is made again only when a file it was made of, or its key, is another, or what is kept is damaged', async () => {
  using folder = folderWith({ 'source.txt': 'one' });
  const source = join(folder.path, 'source.txt');
  const cache = join(folder.path, 'cache');
  let made = 0;
  const read = (identity = 'a', from: string | undefined = cache) =>
    keepResult(from === undefined ? undefined : { folder: from, name: 'text', identity: [identity] }, async () => {
      made++;
      return { result: { text: readFileSync(source, 'utf8') }, files: [source] };
    });
  expect([await read(), await read(), made]).toEqual([{ text: 'one' }, { text: 'one' }, 1]);
  writeFileSync(source, 'two');
  expect([await read(), await read(), made]).toEqual([{ text: 'two' }, { text: 'two' }, 2]);
  await read('b');
  expect(made).toBe(3);
  for (const name of readdirSync(cache)) writeFileSync(join(cache, name), '{"result":{"text":"wrong"}}');
  expect([await read(), made]).toEqual([{ text: 'two' }, 4]);
  await read('a', join(source, 'below-a-file'));
  expect(made).toBe(5);
  for (let at = 0; at < 20; at++) await read(String(at));
  expect(readdirSync(cache)).toHaveLength(8);
});
