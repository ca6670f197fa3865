import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { targetType } from '../target.ts';

export const command: Command = {
  name: 'status',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Tells what runs of a deployment.',
  examples: [
    ['svc status main.svc', 'version, pods, address, and what differs from what was applied'],
    ['svc status main.svc --json', 'the same as one line of JSON'],
  ],
  options: [
    { name: 'target', short: 't', type: targetType, about: 'Where it is deployed.', default: 'orchestrator' },
    configOption,
    profileOption,
    { name: 'json', type: flagType, about: 'One line of JSON.' },
  ],
  async run(args) {
    const { showStatus } = await import('../deploy/show-status.ts');
    return await showStatus(args);
  },
};
