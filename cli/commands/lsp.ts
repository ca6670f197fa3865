import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  name: 'lsp',
  operands: '',
  arity: [0, 0],
  about: 'Serves an editor: the Language Server Protocol on standard input and output.',
  examples: [
    ['svc lsp', 'is what an editor starts'],
    ['svc lsp --stdio', 'the same: editors say it by habit'],
  ],
  options: [{ name: 'stdio', type: flagType, about: 'Speak on standard input and output, which is always so.' }],
  notes: ['What editors can do with it: docs/guide/editor.md.'],
  async run({ terminal }) {
    const { serveEditor } = await import('../lsp/server.ts');
    return await serveEditor({
      input: process.stdin,
      output: process.stdout,
      env: terminal.env,
      log: (text) => terminal.err(`svc lsp: ${text}\n`),
    });
  },
};
