import { choiceOf, configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { targetType } from '../target.ts';

export const command: Command = {
  name: 'destroy',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Removes a deployment.',
  examples: [
    ['svc destroy main.svc', 'from the cluster, after asking'],
    ['svc destroy main.svc --target cloud --yes', 'functions, without asking'],
  ],
  options: [
    { name: 'target', short: 't', type: targetType, about: 'Where it is deployed.', default: 'orchestrator' },
    { name: 'yes', short: 'y', type: flagType, about: 'Do not ask.' },
    { name: 'purge-data', type: flagType, about: 'Also delete database volumes and tables.' },
    {
      name: 'component',
      type: choiceOf('NAME', 'application', 'docdb', 'kvcache'),
      about: 'Only this part.',
      default: 'all',
    },
    configOption,
    profileOption,
  ],
  async run(args) {
    const { options, terminal } = args;
    if (options['yes'] !== true && !terminal.isInTerminal)
      throw usageFailure('destroy', 'standard input is not a terminal and --yes is absent');
    const { destroyDeployment } = await import('../deploy/destroy-deployment.ts');
    return await destroyDeployment(args);
  },
};
