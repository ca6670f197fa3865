import { decode } from '@jridgewell/sourcemap-codec';
import { expect, test } from 'vitest';
import { createMappings } from './mappings.ts';

test('writes what a decoder reads back', () => {
  const mappings = createMappings();
  const rows: number[][][] = [];
  for (let line = 0; line < 500; line++) {
    if (line > 0) mappings.nextLine();
    const row: number[][] = [];
    for (let i = 0; i < line % 40; i++) {
      const segment = [i * 37, i % 3, (line * 7919 + i) % 70_000, (i * 31) % 200];
      const name = i % 4 === 0 ? (line + i) % 900 : -1;
      if (i % 5 === 0) mappings.add(segment[0]!, 9, 9, 9, 9);
      mappings.add(segment[0]!, segment[1]!, segment[2]!, segment[3]!, name);
      row.push(name < 0 ? segment : [...segment, name]);
    }
    rows.push(row);
  }
  expect(decode(mappings.text())).toEqual(rows);
});
