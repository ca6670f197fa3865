import { expect, test } from 'vitest';
import { nodesOf, parseText } from './parse-for-tests.ts';
import { type SampleProgram, samplePrograms } from './sample-programs.ts';

test.each(samplePrograms.map((program): [string, SampleProgram] => [program.name, program]))(
  '%s',
  (_, { text, warnings = [] }) => {
    const { tree, diagnostics } = parseText(text);
    expect([...new Set(diagnostics.map(({ code }) => code))].sort()).toEqual([...warnings].sort());
    for (const { node, parent } of nodesOf(tree)) {
      expect(node.start).toBeLessThanOrEqual(node.end);
      if (parent === undefined) continue;
      expect(node.start, `${node.kind} in ${parent.kind}`).toBeGreaterThanOrEqual(parent.start);
      expect(node.end, `${node.kind} in ${parent.kind}`).toBeLessThanOrEqual(parent.end);
    }
  },
);

test('nodes of one kind have the same properties in the same order', () => {
  const shapes = new Map<string, string>();
  for (const { text } of samplePrograms) {
    for (const { node } of nodesOf(parseText(text).tree)) {
      const shape = Object.keys(node).join();
      expect(shapes.get(node.kind) ?? shape, node.kind).toBe(shape);
      shapes.set(node.kind, shape);
    }
  }
  expect(shapes.size).toBeGreaterThan(100);
});

/** Small linear congruential generator: the same programs in every run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ';',
  ',',
  ':',
  '.',
  '"',
  "'",
  '"""',
  'f"',
  '<',
  '>',
  '</',
  '/>',
  '<a>',
  '=',
  '==',
  '?',
  '`',
  '#',
  '#*',
  '*#',
  '\n',
  'def ',
  'lambda ',
  'if ',
  'else ',
  'for ',
  'in ',
  'with entry {',
  'node ',
  'case ',
  '-->',
  '->:',
  ':->',
  '++>',
  '+>:',
  '::py::',
  '\\',
  '\0',
  'é',
  '😀',
  '\ud800',
  '!',
  '++',
  '=>',
  '@',
  'not ',
  'await ',
  'async ',
  'class ',
  'import ',
  'as ',
  'has ',
  'can ',
  '0x',
  '*',
  '**',
  'spawn ',
  'del ',
  'impl ',
  'yield ',
  'return ',
  'match x {',
  'switch x {',
  'try {',
  'cl ',
  'let ',
  'sem ',
  'type ',
  '&',
  '|>',
  ':>',
  '<:',
];

test('mutated programs never break the parser', () => {
  const random = createRandom(20_240_607);
  for (let run = 0; run < 3000; run++) {
    let { text } = samplePrograms[random(samplePrograms.length)]!;
    for (let edits = 1 + random(6); edits > 0; edits--) {
      const at = random(text.length + 1);
      const piece = pieces[random(pieces.length)]!;
      switch (random(5)) {
        case 0:
          text = text.slice(0, at) + text.slice(at + 1 + random(8));
          break;
        case 1:
          text = text.slice(0, at) + piece + text.slice(at);
          break;
        case 2:
          text = text.slice(0, at) + String.fromCharCode(random(128)) + text.slice(at + 1);
          break;
        case 3: {
          const from = random(text.length);
          text = text.slice(0, at) + text.slice(from, from + 20) + text.slice(at);
          break;
        }
        default:
          text =
            random(10) === 0
              ? text.slice(0, at)
              : text.slice(0, at) + piece + pieces[random(pieces.length)]! + text.slice(at);
      }
    }
    const { tree, diagnostics } = parseText(text);
    for (const { start, end } of diagnostics) expectInside(text, start, end);
    for (const { node } of nodesOf(tree)) expectInside(text, node.start, node.end);
  }
});

function expectInside(text: string, start: number, end: number): void {
  if (!(start >= 0 && start <= end && end <= text.length))
    throw new Error(`span ${start}-${end} leaves the text\n${text}`);
}
