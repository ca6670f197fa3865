/** Neovim, set up by editors/neovim, with the language server: mistakes while typing, completion, a new name. Needs the program `nvim`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { needTool } from '../../test/harness/find-tool.ts';

const repository = resolve(import.meta.dirname, '../..');

test('Neovim shows mistakes, completes members and renames a class', () => {
  const nvim = needTool('nvim', 'neovim');
  const folder = mkdtempSync(join(tmpdir(), 'svc-neovim-'));
  try {
    const program = join(folder, 'main.svc');
    const answer = join(folder, 'answer.json');
    for (const name of ['main.svc', 'svc.toml'])
      copyFileSync(join(repository, 'examples/todo', name), join(folder, name));
    execFileSync(nvim, ['--headless', '-u', 'NONE', '-n', '-c', `luafile ${join(import.meta.dirname, 'neovim.lua')}`], {
      stdio: 'pipe',
      env: {
        ...process.env,
        XDG_STATE_HOME: folder,
        XDG_CACHE_HOME: folder,
        SVC_NEOVIM: join(repository, 'editors/neovim'),
        SVC_COMMAND: JSON.stringify([process.execPath, join(repository, 'bin/svc.mjs')]),
        SVC_PROGRAM: program,
        SVC_ANSWER: answer,
      },
    });
    const found = JSON.parse(readFileSync(answer, 'utf8'));
    expect(found.problem).toBeUndefined();
    expect([found.filetype, found.commentstring]).toEqual(['svc', '# %s']);
    expect(found.keys).toEqual(['v:lua.vim.lsp.omnifunc', 'v:lua.vim.lsp.tagfunc', expect.stringMatching(/^v:lua/)]);
    expect(found.wrong).toEqual([expect.stringMatching(/^E0301 line \d+$/)]);
    expect(found.completion).toEqual(expect.arrayContaining(['title', 'done']));
    const before = readFileSync(program, 'utf8').trimEnd();
    expect(found.text).toBe(before.replace(/\bTask\b/g, 'Job'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
