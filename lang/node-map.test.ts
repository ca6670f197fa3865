import { expect, test } from 'vitest';
import { NodeMap } from './node-map.ts';

test('keeps apart what begins at one place, however dense the text is', () => {
  const table = new NodeMap<number>();
  const nodes = Array.from({ length: 20_000 }, (_, i) => ({ start: (i * 7) % 9000, end: i }));
  for (const [i, node] of nodes.entries()) table.set(node, i);
  for (const [i, node] of nodes.entries()) if (i % 3 === 0) table.set(node, -i);
  for (const [i, node] of nodes.entries()) if (i % 5 === 0) table.delete(node);
  for (const [i, node] of nodes.entries()) {
    expect(table.get(node)).toBe(i % 5 === 0 ? undefined : i % 3 === 0 ? -i : i);
    expect(table.has(node)).toBe(i % 5 !== 0);
  }
  expect(table.get({ start: 7, end: 1 })).toBeUndefined();
  table.set(nodes[0]!, 5);
  expect(table.get(nodes[0]!)).toBe(5);
});
