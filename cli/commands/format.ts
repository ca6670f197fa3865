import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { notAvailable } from '../command-failure.ts';

export const command: Command = {
  name: 'format',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Lays out source files.',
  options: [{ name: 'check', type: flagType, about: 'Only say which files would change.' }],
  async run() {
    throw notAvailable('format');
  },
};
