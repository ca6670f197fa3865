import { expect, test } from 'vitest';
import { createNodeIds } from '../node-ids.ts';
import { createEdgeIds } from './edge-ids.ts';

const layout = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

test('ids of nodes lead back to their number, and only those of this file do', () => {
  const ids = createNodeIds('0123456789abcdef'.repeat(4));
  const other = createNodeIds('f123456789abcdef'.repeat(4));
  const seen = new Set<string>();
  for (const key of [0, 1, 2, 16, 255, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 7, Number.MAX_SAFE_INTEGER]) {
    const uid = ids.uidOf(key);
    expect(uid).toMatch(layout);
    expect(ids.keyOf(uid)).toBe(key);
    expect(other.keyOf(uid)).toBe(undefined);
    seen.add(uid);
  }
  expect(seen.size).toBe(11);
  const uid = ids.uidOf(77);
  for (let at = 0; at < 32; at++) {
    const flipped = uid.slice(0, at) + (uid[at] === '0' ? '1' : '0') + uid.slice(at + 1);
    expect(ids.keyOf(flipped)).toBe(undefined);
  }
});

test('ids of edges give their place', () => {
  const ids = createEdgeIds('ab'.repeat(32));
  const uid = ids.uidOf({ edge: 123_456_789, source: 42 });
  expect(uid).toMatch(layout);
  expect(ids.placeOf(uid)).toEqual({ edge: 123_456_789, source: 42 });
  expect(ids.placeOf(uid.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(undefined);
});
