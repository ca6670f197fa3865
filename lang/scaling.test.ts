/**
 * Compiling takes time in proportion to the text: eight times as much of the same may not take two and a half times as long as eight texts,
 * where a search through all of it for each part would make it eight. Processor time is compared with processor time: other work on the machine counts for
 * little.
 */
import { expect, test } from 'vitest';
import { signatures } from '../library/signatures/signatures.ts';
import { compileModule } from './compile.ts';

const declarations = (i: number) => `
def total_${i}(items: list[int], limit: int = ${i}) -> int {
    result = 0;
    for (index, item) in enumerate(items) {
        if item > limit and index % 2 == 0 { result += item * 2 - index; } else { continue; }
    }
    return result;
}
obj Plain${i} { has name: str; def shown(prefix: str = "x") -> str { return f"{prefix}: {self.name}"; } }
node Item${i} { has count: int = ${i}; has tags: list[str] = []; }
walker Visit${i} {
    has seen: dict[str, int] = {};
    can start with Root entry { visit [-->[?:Item${i}, count > ${i}]]; }
    can look with Item${i} entry { report total_${i}([here.count]) + len(Plain${i}("a").shown()); }
}
`;
const statements = (i: number) =>
  `    a${i % 50} = a${(i + 1) % 50} + ${i}; if a0 > ${i} { log.append(str(a${i % 50})); }\n`;
const locals = Array.from({ length: 50 }, (_, i) => `    a${i} = ${i};\n`).join('');

const repeat = (part: (i: number) => string, count: number) =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

/** A text of `n` parts. */
const shapes: Readonly<Record<string, readonly [size: number, text: (n: number) => string]>> = {
  'many declarations': [100, (n) => repeat(declarations, n)],
  'one long function': [700, (n) => `def f(log: list) {\n${locals}${repeat(statements, n)}}\n`],
  'one long module body': [700, (n) => `glob log: list = [];\nwith entry {\n${locals}${repeat(statements, n)}}\n`],
  'one long literal': [3000, (n) => `glob data = [${repeat((i) => `{"id": ${i}, "name": "n${i}"},\n`, n)}];`],
  'one long chain of calls': [
    400,
    (n) =>
      `obj Sum { def add(k: int) -> Sum { return self; } }\nobj Heir(Sum) { has n: int = 0; }\nglob sum = Heir()${'.add(1)'.repeat(n)};`,
  ],
  'one class with many members': [
    500,
    (n) =>
      `obj Wide {\n    has first: int = 0;\n${repeat((i) => `    def m${i}(x: int) -> int { return self.first + x; }\n`, n)}}\n`,
  ],
};

const factor = 8;

test.each(Object.entries(shapes))('%s', (_, [size, text]) => {
  const [small, large] = [text(size), text(size * factor)];
  for (let i = 0; i < 3; i++) compile(small);
  const ratio = leastSeconds([large]) / leastSeconds(Array.from({ length: factor }, () => small));
  expect(ratio).toBeLessThan(2.5);
});

/** The least processor time of a few runs, each through all of the texts: both sides take about as long, so that neither is more exact. */
function leastSeconds(texts: readonly string[]): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      for (const text of texts) compile(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1e6;
    }),
  );
}

function compile(text: string): void {
  const options = { target: 'server', signatures, graph: 'sync', runtime: 'svc-scale/runtime', mode: 'serve' } as const;
  const { modules, diagnostics } = compileModule({ path: 'main.svc', text }, options);
  if (modules.length === 0) throw new Error(diagnostics.map((one) => one.message).join('\n'));
}
