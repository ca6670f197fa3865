/** The checker of histories finds what is wrong with deliberately broken ones, and nothing in a sound one. */
import { expect, test } from 'vitest';
import { checkHistory, type Op, type Transaction } from './history.ts';

const a = (append: number, to: string): Op => ({ append, to });
const r = (read: string, ...saw: number[]): Op => ({ read, saw });
const t = (id: number, ...ops: Op[]): Transaction => ({ id, ops, outcome: 'ok' });
const faults = (history: Transaction[], final?: Record<string, number[]>) =>
  checkHistory(history, final && new Map(Object.entries(final))).faults;

test('a history in some serial order is sound', () => {
  const history = [
    t(1, a(10, 'x'), r('x', 10), a(11, 'x')),
    t(2, r('x', 10, 11), a(20, 'y')),
    t(3, r('y', 20), a(30, 'x'), r('x', 10, 11, 30)),
    { id: 4, ops: [a(40, 'x')], outcome: 'failed' } as Transaction,
    { id: 5, ops: [a(50, 'y')], outcome: 'unknown' } as Transaction,
  ];
  const { faults: none, dependencies } = checkHistory(
    history,
    new Map([
      ['x', [10, 11, 30]],
      ['y', [20, 50]],
    ]),
  );
  expect(none).toEqual([]);
  // One for each two transactions, by the first list that shows it.
  expect(dependencies).toEqual({ ww: 2, wr: 1, rw: 2 });
});

test('write skew: each reads what the other one then changes', () => {
  const found = faults([t(1, r('x'), a(10, 'y')), t(2, r('y'), a(20, 'x'))], { x: [20], y: [10] });
  expect(found).toEqual([{ what: 'cycle', text: expect.stringMatching(/^(1 -rw-> 2 -rw-> 1|2 -rw-> 1 -rw-> 2)$/) }]);
});

test('a lost update: both began with the same list', () => {
  expect(faults([t(1, r('x'), a(10, 'x')), t(2, r('x'), a(20, 'x'))], { x: [10, 20] }).map(({ what }) => what)).toEqual(
    ['cycle'],
  );
  expect(faults([t(1, r('x'), a(10, 'x')), t(2, r('x'), a(20, 'x'))], { x: [20] }).map(({ what }) => what)).toContain(
    'lost',
  );
});

test('writes in different orders, and information that flows in a circle', () => {
  const crossed = [t(1, a(10, 'x'), a(11, 'y')), t(2, a(20, 'x'), a(21, 'y'))];
  expect(faults(crossed, { x: [10, 20], y: [21, 11] })[0]).toMatchObject({ what: 'cycle' });
  const circle = [t(1, a(10, 'x'), r('y', 20)), t(2, a(20, 'y'), r('x', 10))];
  expect(faults(circle, { x: [10], y: [20] })[0]).toMatchObject({
    what: 'cycle',
    text: expect.stringMatching(/-wr-> \d -wr->/),
  });
});

test('a cycle of many is found among much that is sound', () => {
  const length = 5000;
  const sound = Array.from({ length }, (_, i) => t(i, ...(i === 0 ? [] : [r(`l${i - 1}`, i - 1)]), a(i, `l${i}`)));
  expect(faults(sound)).toEqual([]);
  const broken = [...sound.slice(1), t(0, r(`l${length - 1}`, length - 1), a(0, 'l0'))];
  expect(faults(broken).map(({ what }) => what)).toEqual(['cycle']);
});

test('reads of what was undone, of half a transaction, of no common order, and of another self', () => {
  const undone: Transaction = { id: 1, ops: [a(10, 'x')], outcome: 'failed' };
  expect(faults([undone, t(2, r('x', 10))])).toMatchObject([{ what: 'aborted' }]);
  expect(faults([t(1, a(10, 'x'), a(11, 'x')), t(2, r('x', 10))])[0]).toMatchObject({ what: 'intermediate' });
  const orders = [t(1, a(10, 'x')), t(2, a(20, 'x')), t(3, r('x', 10, 20)), t(4, r('x', 20))];
  expect(faults(orders)).toContainEqual({ what: 'order', text: expect.stringContaining('4 read x') });
  expect(faults([t(1, a(10, 'x'), r('x'))])).toContainEqual({ what: 'internal', text: '1 read x as []' });
  expect(faults([t(1, a(10, 'x')), t(2, r('x', 10, 10))])).toContainEqual({ what: 'twice', text: 'x: [10 10]' });
});
