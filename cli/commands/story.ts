import { flagType } from '../cli-option.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  name: 'story',
  operands: '[request_id]',
  arity: [0, 1],
  about: 'Tells what a call of a running server did.',
  examples: [
    ['svc story', 'the last call, one line per step'],
    ['svc story --last 20 --walker Buy', 'the last 20 calls of a walker, one line each'],
  ],
  options: [
    {
      name: 'last',
      type: { kind: 'optional', placeholder: 'N', isValue: (argument) => /^\d+$/.test(argument) },
      about: 'List the last calls instead of telling one; 10 unless N says how many.',
    },
    { name: 'walker', type: { kind: 'text', placeholder: 'NAME' }, about: 'Calls of this walker or function.' },
    {
      name: 'url',
      type: { kind: 'text', placeholder: 'URL' },
      about: 'Address of the server.',
      default: 'the port of svc.toml on this machine, else 8000',
    },
    {
      name: 'token',
      type: { kind: 'text', placeholder: 'TOKEN' },
      about: 'Token of an administrator; in development a server of this machine asks for none.',
      default: 'SVC_TOKEN of the environment',
    },
    {
      name: 'replay',
      type: flagType,
      about: 'Run the call again on what it saw, storing nothing, and tell what differs (development).',
    },
    { name: 'json', type: flagType, about: 'One line of JSON per story.' },
  ],
  notes: [
    'A development server keeps the last 500 calls; in production [studio] says whether and of how many calls a story is kept.',
    'Ends with 1 when there is no such story or a replay differs, with 7 when no server answers.',
  ],
  async run(args) {
    const { showStories } = await import('../story/show-stories.ts');
    return await showStories(args);
  },
};
