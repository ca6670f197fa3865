import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { notAvailable } from '../command-failure.ts';

export const command: Command = {
  name: 'test',
  operands: '[files...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Runs the test blocks of a program, each in a fresh graph.',
  options: [
    {
      name: 'filter',
      short: 'f',
      type: { kind: 'text', placeholder: 'TEXT' },
      about: 'Only tests whose name contains TEXT.',
    },
    { name: 'json', type: flagType, about: 'One JSON object per test.' },
  ],
  async run() {
    throw notAvailable('test');
  },
};
