import { expect, test } from 'vitest';
import { longestLine, textLines } from './text-lines.ts';

async function* chunksOf(...texts: readonly string[]) {
  yield* texts;
}

async function linesOf(chunks: AsyncIterable<string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of textLines(chunks)) lines.push(line);
  return lines;
}

test('a text in pieces becomes its lines', async () => {
  expect(await linesOf(chunksOf('one\ntw', 'o\n\nth', 'ree'))).toEqual(['one', 'two', '', 'three']);
});

test('a line that never ends is cut, and what follows it is not', async () => {
  async function* endless() {
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 64; at++) yield megabyte;
    yield '\nnext\n';
  }
  expect((await linesOf(endless())).map((line) => line.length)).toEqual([longestLine, 4]);
});
