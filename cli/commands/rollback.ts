import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { targetType } from '../target.ts';

export const command: Command = {
  name: 'rollback',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Goes back to an earlier revision of a deployment; data stay.',
  examples: [
    ['svc rollback main.svc', 'to the revision before'],
    ['svc rollback main.svc --to 4 --yes', 'to the fourth, without asking'],
  ],
  options: [
    { name: 'target', short: 't', type: targetType, about: 'Where it is deployed.', default: 'orchestrator' },
    {
      name: 'to',
      type: { kind: 'int', placeholder: 'N', min: 1, max: 1_000_000_000 },
      about: 'Number of the revision; svc status lists them.',
    },
    { name: 'yes', short: 'y', type: flagType, about: 'Do not ask.' },
    configOption,
    profileOption,
    { name: 'json', type: flagType, about: 'Machine-readable output, one JSON object per line.' },
  ],
  async run(args) {
    const { rollBackDeployment } = await import('../deploy/roll-back.ts');
    return await rollBackDeployment(args);
  },
};
