import { expect, test } from 'vitest';
import { compileFiles } from './testing.ts';

const files = {
  'main.svc': `
    import from parts.Box { Box }
    import from parts.list { List, size }
    walker:pub Hello { can go with Root entry { report size(); } }
    def:pub app() -> JsxElement { return <main><Box/><List/></main>; }`,
  'parts/Box.svc': `
    import from .Line { Line }
    def:pub Box() -> JsxElement { return <p><Line/></p>; }`,
  'parts/Line.svc': 'def:pub Line() -> JsxElement { return <hr/>; }',
  'parts/list.svc': 'def size() -> int { return 3; } def:pub List() -> JsxElement { return <ul/>; }',
};

const ids = (texts: Readonly<Record<string, string>>, mode?: 'serve' | 'test') =>
  compileFiles(texts, { ...(mode && { mode }) }).modules.map(({ id }) => id);

test('modules of components alone are neither written nor loaded', () => {
  expect(ids(files, 'serve')).toEqual(['main', 'parts.list']);
  const [main] = compileFiles(files, { mode: 'serve' }).modules;
  expect(main!.output.code).not.toContain('Box');
  expect(main!.output.code).toContain('./parts/list.mjs');
});

test('tests see all modules', () => {
  expect(ids(files, 'test')).toContain('parts.Box');
});

test('a module that the server names, or that does something when it is loaded, stays', () => {
  expect(
    ids({ ...files, 'parts/Line.svc': `with entry { print("here"); } ${files['parts/Line.svc']}` }, 'serve'),
  ).toEqual(['main', 'parts.Box', 'parts.Line', 'parts.list']);
  const named = `import parts.Line; def:pub names() -> list[str] { return dir(parts.Line); } ${files['main.svc']}`;
  expect(ids({ ...files, 'main.svc': named }, 'serve')).toContain('parts.Line');
});
