import { expect, test } from 'vitest';
import { reprOf } from '../../library/values/objects/repr.ts';
import * as $ from '../runtime.ts';

/** Example C1 of the language specification, written against the runtime as generated code is. */
function program() {
  const lines: string[] = [];
  class N extends $.Node {
    declare name: string;
  }
  class W extends $.Walker {}
  $.archetype(N, {
    kind: 'node',
    name: 'N',
    module: 'main',
    fields: [{ name: 'name', type: { t: 'str' } }],
    abilities: [
      {
        name: 'any_in',
        when: 'entry',
        run() {
          lines.push(`any-in ${this.name}`);
        },
      },
      {
        name: 'w_in',
        when: 'entry',
        trigger: () => W,
        run() {
          lines.push(`w-in ${this.name}`);
        },
      },
      {
        name: 'w_out',
        when: 'exit',
        trigger: () => W,
        run() {
          lines.push(`w-out ${this.name}`);
        },
      },
      {
        name: 'any_out',
        when: 'exit',
        run() {
          lines.push(`any-out ${this.name}`);
        },
      },
    ],
  });
  let index: number | undefined;
  const go = (here: any, walk: any) => $.visit(walk, $.hops(here, 'node', [{ dir: 'out' }]), index);
  $.archetype(W, {
    kind: 'walker',
    name: 'W',
    module: 'main',
    fields: [],
    abilities: [
      {
        name: 'first',
        when: 'entry',
        run(here) {
          lines.push(`start ${reprOf(here)}`);
        },
      },
      {
        name: 'r',
        when: 'entry',
        trigger: () => $.Root,
        run(here, walk) {
          lines.push('root');
          go(here, walk);
        },
      },
      {
        name: 'n',
        when: 'entry',
        trigger: () => N,
        run(here, walk) {
          lines.push(`enter ${here.name}`);
          go(here, walk);
        },
      },
      {
        name: 'nx',
        when: 'exit',
        trigger: () => N,
        run(here) {
          lines.push(`leave ${here.name}`);
        },
      },
      {
        name: 'rx',
        when: 'exit',
        trigger: () => $.Root,
        run() {
          lines.push('root exit');
        },
      },
      {
        name: 'last',
        when: 'exit',
        run(here) {
          lines.push(`end ${reprOf(here)}`);
        },
      },
    ],
  });
  const make = (name: string) => (N as any).$new(name);
  return {
    lines,
    make,
    W,
    setIndex: (i: number) => {
      index = i;
    },
  };
}

test('entries follow the queue, exits come back in reverse order of entry', () => {
  const { lines, make, W } = program();
  const [root, a, b, c] = [(make as any)('R'), make('A'), make('B'), make('C')];
  const top: any = ($.Root as any).$new();
  $.connect(top, [a, b], 'out');
  $.connect(a, c, 'out');
  $.spawn(top, (W as any).$new());
  expect(root).toBeInstanceOf($.Node);
  expect(lines).toEqual([
    'start Root()',
    'root',
    'enter A',
    'any-in A',
    'w-in A',
    'enter B',
    'any-in B',
    'w-in B',
    'enter C',
    'any-in C',
    'w-in C',
    'w-out C',
    'any-out C',
    'leave C',
    'w-out B',
    'any-out B',
    'leave B',
    'w-out A',
    'any-out A',
    'leave A',
    'root exit',
    "end N(name='C')",
  ]);
});

test('visiting at the front goes depth first', () => {
  const { lines, make, W, setIndex } = program();
  setIndex(0);
  const [a, b, c] = [make('A'), make('B'), make('C')];
  const top: any = ($.Root as any).$new();
  $.connect(top, [a, b], 'out');
  $.connect(a, c, 'out');
  $.spawn(top, W);
  expect(lines.filter((line) => line.startsWith('enter'))).toEqual(['enter A', 'enter C', 'enter B']);
});
