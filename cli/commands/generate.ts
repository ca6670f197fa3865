import { configOption, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { usageFailure } from '../command-failure.ts';

export const command: Command = {
  name: 'generate',
  operands: '<client> [app_file]',
  arity: [1, 2],
  about: 'Writes code that other programs use an application with.',
  examples: [
    ['svc generate client --out web/src/api.ts', 'a typed client'],
    ['svc generate client --out api.js', 'the same in JavaScript, with types in api.d.ts'],
  ],
  options: [
    {
      name: 'out',
      short: 'o',
      type: { kind: 'text', placeholder: 'FILE' },
      about: 'File to write, .ts, .js or .mjs; types of JavaScript go into a .d.ts beside it.',
      default: 'standard output, in TypeScript',
    },
    configOption,
    profileOption,
  ],
  notes: [
    'A client is one file without dependencies, for browsers, Node.js and React Native: walkers, functions, sockets, live subscriptions, signing in, API keys. Its types are those of the program; what a walker reports is known as far as the compiler knows it.',
    'A file that says already what would be written is left alone. Walkers for webhooks are not in it.',
    'To see what the program declares its modules are loaded, with an empty store that is forgotten.',
  ],
  async run(args) {
    const [what, ...rest] = args.operands;
    if (what !== 'client') throw usageFailure(String(what), 'can not be generated', ['svc generate client does']);
    const { generateClient } = await import('../generate/generate-client.ts');
    return await generateClient({ ...args, operands: rest });
  },
};
