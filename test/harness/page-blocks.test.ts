import { expect, test } from 'vitest';
import { fits, parsePage } from './page-blocks.ts';

const fence = '```';

test('blocks in order: files by title or first comment, commands with what they show, programs', () => {
  const page = `# Page

${fence}svc main.svc
walker:pub A { }
${fence}
<!-- wrong on purpose -->
${fence}svc
# lib/wrong.svc
def f {
${fence}
${fence}sh
svc start
curl localhost:8000/a
${fence}
gives

${fence}json
{"a": …}
${fence}
<!-- new folder -->
${fence}svc
with entry { print(1); }
${fence}
${fence}text
1
${fence}
<!-- terminal of the server -->
${fence}text
error …
${fence}
<!-- not run: needs an account -->
${fence}sh
deploy
${fence}
`;
  expect(parsePage(page)).toEqual([
    { kind: 'file', line: 3, name: 'main.svc', text: 'walker:pub A { }\n', isWrong: false },
    { kind: 'file', line: 7, name: 'lib/wrong.svc', text: '# lib/wrong.svc\ndef f {\n', isWrong: true },
    {
      kind: 'shell',
      line: 11,
      text: 'svc start\ncurl localhost:8000/a\n',
      shown: { language: 'json', line: 17, text: '{"a": …}\n' },
    },
    { kind: 'folder', line: 20 },
    {
      kind: 'program',
      line: 21,
      text: 'with entry { print(1); }\n',
      shown: { language: 'text', line: 24, text: '1\n' },
    },
    { kind: 'terminal', line: 28, shown: { language: 'text', line: 28, text: 'error …\n' } },
  ]);
  expect(() => parsePage(`${fence}json\n{}\n${fence}\n`)).toThrow(/^line 1: a json block that is no file/);
  expect(() => parsePage(`${fence}svc\n{}\n`)).toThrow('line 1: a block without end');
});

test('… stands for anything; JSON may be laid out differently', () => {
  const json = (text: string, printed: string) => fits({ language: 'json', line: 1, text }, printed);
  expect(json('{"a": [1, "b c"], …}', '{"a":[1,"b c"],"d":2}\n')).toBe(true);
  expect(json('{"a": "…"}', '{\n  "a": "x y"\n}')).toBe(true);
  expect(json('{"a": "bc"}', '{"a": "b c"}')).toBe(false);
  expect(json('{"a": 1}\n{"b": …}', '{"a":1}{"b":{"c":[]}}')).toBe(true);
  const text = (shown: string, printed: string) => fits({ language: 'text', line: 1, text: shown }, printed);
  expect(text('one\n…\nthree (…)\n', 'one\ntwo\ntwo\nthree (3)\n')).toBe(true);
  expect(text('one.\n', 'one!\n')).toBe(false);
  expect(text('one\n', 'one\ntwo\n')).toBe(false);
});
