/** A reload of the development server: files that are the same keep their trees, and saved components are emitted before the rest. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clientFiles } from '../../cli/program/client-files.ts';
import { clientEmitter } from '../../lang/6-emit-client/emitter.ts';
import { beginCompilation, type CompileOptions } from '../../lang/phases.ts';
import { filesInMemory } from '../../lang/project/files.ts';
import { createKeptFiles } from '../../lang/project/kept-files.ts';
import { type ProjectOptions, readProject } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { projectFiles } from './compile-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const options: CompileOptions = {
  target: 'server',
  graph: 'sync',
  runtime: '#runtime',
  signatures,
  mode: 'serve',
  rules: true,
  client: { mode: 'development' },
};

const programs = [
  ...['golden', 'rows'].flatMap((folder) =>
    readdirSync(join(root, 'test/client', folder))
      .filter((name) => name.endsWith('.svc') && !name.endsWith('.impl.svc') && name !== 'shared.svc')
      .map((name) => `test/client/${folder}/${name}`),
  ),
  'examples/board/main.svc',
  'examples/social/main.svc',
];

describe('a module that was saved', () => {
  test.each(programs)('of %s is the one that the whole compilation gives', (name) => {
    const entry = join(root, name);
    const kept = createKeptFiles();
    const reading: ProjectOptions = { kept, browser: clientFiles(entry, dirname(entry), projectFiles) };
    const whole = beginCompilation(readProject(entry, projectFiles, reading), options, clientEmitter).finish();
    expect(whole.client.length).toBeGreaterThan(0);
    for (const { path, output } of whole.client) {
      const compilation = beginCompilation(readProject(entry, projectFiles, reading), options, clientEmitter);
      const [found, ...more] = compilation.glance((module) => module.path === path);
      expect(more).toEqual([]);
      expect(found?.output).toEqual(output);
      expect(compilation.finish()).toEqual(whole);
    }
  });

  test('is not shown while something is wrong', () => {
    const files = filesInMemory({
      '/p/main.svc': 'import from .card { Card }\ndef:pub app() -> JsxElement { return <Card/>; }',
      '/p/card.svc': 'def:pub Card( -> JsxElement { return <p/>; }',
    });
    const compilation = beginCompilation(readProject('/p/main.svc', files), options, clientEmitter);
    expect(compilation.glance(() => true)).toEqual([]);
    expect(compilation.finish().diagnostics.map(({ code }) => code)).toContain('E0113');
  });
});

describe('a file that is kept', () => {
  const texts = {
    '/p/main.svc': 'import from .card { Card }\nwith entry { print(Card, missing); }',
    '/p/card.svc': 'def Card( { }',
  };

  test('is parsed once, and its mistakes are told each time', () => {
    const kept = createKeptFiles();
    const first = readProject('/p/main.svc', filesInMemory(texts), { kept });
    const second = readProject('/p/main.svc', filesInMemory({ ...texts, '/p/main.svc': `${texts['/p/main.svc']}\n` }), {
      kept,
    });
    expect(second.modules.get('card')!.tree).toBe(first.modules.get('card')!.tree);
    expect(second.modules.get('main')!.tree).not.toBe(first.modules.get('main')!.tree);
    expect(second.diagnostics()).toEqual(first.diagnostics());
    expect(second.diagnostics()).not.toEqual([]);
  });

  test('is forgotten when nothing imports it any more', () => {
    const kept = createKeptFiles();
    const read = (changed: Record<string, string>) =>
      readProject('/p/main.svc', filesInMemory({ ...texts, ...changed }), { kept });
    const first = read({});
    read({ '/p/main.svc': '' });
    read({ '/p/main.svc': '' });
    expect(read({}).modules.get('card')!.tree).not.toBe(first.modules.get('card')!.tree);
  });
});
