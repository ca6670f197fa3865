import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { choiceOf } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { fileReason } from '../file-failure.ts';
import { api } from '../templates/api.ts';
import { blank } from '../templates/blank.ts';
import { typescript } from '../templates/typescript.ts';
import { web, webTailwind } from '../templates/web.ts';

/** Every template; the first is the default. */
const templates = [api, blank, typescript, web, webTailwind];

export const command: Command = {
  name: 'new',
  operands: '<name>',
  arity: [1, 1],
  about: 'Creates an application that is ready to start.',
  examples: [
    ['svc new notes', 'a folder with a small application'],
    ['svc new notes --template typescript', 'the same in TypeScript'],
  ],
  options: [
    {
      name: 'template',
      short: 't',
      type: choiceOf('NAME', ...templates.map(({ name }) => name)),
      about: 'What to begin with.',
      default: templates[0]!.name,
    },
  ],
  notes: [`Templates:\n${templates.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join('\n')}`],
  async run({ operands, options, terminal }) {
    const directory = resolve(terminal.cwd, operands[0]!);
    const name = basename(directory);
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) {
      throw usageFailure(`new ${operands[0]}`, 'a name has letters, digits, - and _, and starts with a letter');
    }
    await requireEmpty(directory, operands[0]!);
    const template = templates.find((candidate) => candidate.name === options['template']) ?? templates[0]!;
    await writeFiles(directory, template.files({ name }));
    const shown = relative(terminal.cwd, directory) || '.';
    terminal.out(`Created ${shown} (${template.name}).\n\n  cd ${shown}\n  svc start\n`);
    return exitCodes.success;
  },
};

async function requireEmpty(directory: string, shown: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandFailure(exitCodes.failure, `new ${shown}`, fileReason(error));
  });
  if (entries.some((entry) => entry !== '.git')) {
    throw new CommandFailure(exitCodes.failure, `new ${shown}`, 'the directory is not empty');
  }
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = resolve(directory, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text, { flag: 'wx' });
    } catch (error) {
      throw new CommandFailure(exitCodes.failure, `cannot write ${path}`, fileReason(error));
    }
  }
}
