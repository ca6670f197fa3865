import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { askInLoops } from './ask-in-loops.ts';

const question = 'if ($due) $look();';
const printed = (text: string) => transformSync(text, { loader: 'ts', format: 'esm', target: 'node20.19' }).code;
const asked = (text: string) => askInLoops(printed(text)).replace(/\nimport .*\n$/, '');

test('loops and functions ask, other blocks do not', () => {
  expect(
    asked(`
      for (const x of xs) { use(x); }
      while (true) { if (done) { break; } else { more(); } }
      do { step(); } while (more);
      function f(a = { b: 1 }) { return a; }
      const g = async (x: number) => { switch (x) { case 1: return { y: 2 }; } };
      class C extends D { constructor() { super(); } get size() { return 1; } static { init(); } }
      class B extends made({ a: () => { return 1; } }) { size = 1; }
      try { f(); } catch (e) { g(1); } finally { end(); }
      x.while(1); label: for (;;) { continue label; }
    `),
  ).toMatchInlineSnapshot(`
    "for (const x2 of xs) { if ($due) $look();
      use(x2);
    }
    while (true) { if ($due) $look();
      if (done) {
        break;
      } else {
        more();
      }
    }
    do { if ($due) $look();
      step();
    } while (more);
    function f(a = { b: 1 }) { if ($due) $look();
      return a;
    }
    const g = async (x2) => { if ($due) $look();
      switch (x2) {
        case 1:
          return { y: 2 };
      }
    };
    class C extends D {
      constructor() { if ($due) $look();
        super();
      }
      get size() { if ($due) $look();
        return 1;
      }
      static {
        init();
      }
    }
    class B extends made({ a: () => { if ($due) $look();
      return 1;
    } }) {
      size = 1;
    }
    try {
      f();
    } catch (e) {
      g(1);
    } finally {
      end();
    }
    x.while(1);
    label: for (; ; ) { if ($due) $look();
      continue label;
    }
    "
  `);
});

test('texts, comments and patterns are left alone', () => {
  const text = `
    const a = "while (x) {", b = 'for () {', c = \`do { \${[1].map((x) => { return \`\${x} while (y) {\`; })} while (z) {\`;
    const d = /[/"'\`]while (x) {/g, e = a / b / (c as any), f = x++ / 2;
    if (d) /'for (x) {/.test(a);
    const h = { while: 1, for() { return 1; } }.while / 2;
  `;
  const result = asked(text);
  expect(result.split(question)).toHaveLength(3);
  expect(result.replaceAll(` ${question}`, '')).toBe(printed(text));
  expect(() => transformSync(result)).not.toThrow();
});

test('every file of this folder stays what it is but for the questions', () => {
  const folders = [
    import.meta.dirname,
    join(import.meta.dirname, '../../library/values'),
    join(import.meta.dirname, '../../lang/1-parse'),
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .map((name) => join(folder, name)),
  );
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll(question, 'question();');
    const before = printed(text);
    const after = askInLoops(before);
    const code = transformSync(after, { minifyWhitespace: true }).code;
    expect(code.includes(question), file).toBe(false);
    const plain = code.replaceAll('if($due)$look();', '').replaceAll('if($due)$look()', '');
    expect(plain.replace(/import\{look as \$look\}from"#runtime";$/m, ''), file).toBe(
      transformSync(before, { minifyWhitespace: true }).code,
    );
  }
});
