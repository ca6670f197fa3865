import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { targetType } from '../target.ts';

export const command: Command = {
  name: 'logs',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Prints what a deployment has logged, all replicas by time.',
  examples: [
    ['svc logs main.svc --since 10m', 'the last ten minutes'],
    ['svc logs main.svc -f', 'and what comes, until Ctrl-C'],
  ],
  options: [
    { name: 'target', short: 't', type: targetType, about: 'Where it is deployed.', default: 'orchestrator' },
    { name: 'follow', short: 'f', type: flagType, about: 'Go on with what is logged from now.' },
    { name: 'since', type: { kind: 'text', placeholder: 'TIME' }, about: 'As far back as this: 30s, 10m, 2h, 1d.' },
    {
      name: 'tail',
      type: { kind: 'int', placeholder: 'N', min: 0, max: 100_000 },
      about: 'At most so many of the last lines.',
    },
    configOption,
    profileOption,
    { name: 'json', type: flagType, about: 'Each line as an object with time, source and text.' },
  ],
  async run(args) {
    const { printLogs } = await import('../deploy/print-logs.ts');
    return await printLogs(args);
  },
};
