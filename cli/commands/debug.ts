import type { Command } from '../command.ts';
import { notAvailable } from '../command-failure.ts';

export const command: Command = {
  name: 'debug',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Steps through an application.',
  examples: [
    ['svc debug main.svc', 'stops before the first statement'],
    ['svc debug main.svc --entry AddTask', 'in a walker'],
  ],
  isLater: true,
  options: [
    {
      name: 'port',
      type: { kind: 'int', placeholder: 'N', min: 1, max: 65_535 },
      about: 'Inspector port, loopback only.',
      default: '9229',
    },
    {
      name: 'entry',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Run this walker instead of the entry module.',
    },
    {
      name: 'graph-port',
      type: { kind: 'int', placeholder: 'N', min: 1, max: 65_535 },
      about: 'Serve the graph view while paused.',
      default: '8001',
    },
  ],
  async run({ operands }) {
    const file = operands[0] ?? 'main.svc';
    throw notAvailable('debug', [`node --inspect-brk $(command -v svc) run ${file} attaches any inspector meanwhile`]);
  },
};
