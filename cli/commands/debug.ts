import { configOption, flagType, profileOption } from '../cli-option.ts';
import type { Command, CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';

export const command: Command = {
  name: 'debug',
  operands: '[app_file] [args...]',
  arity: [0, Number.POSITIVE_INFINITY],
  about: 'Steps through an application.',
  examples: [
    ['svc debug main.svc', 'stops before the first statement'],
    ['svc debug main.svc --entry AddTask', 'in a walker'],
  ],
  options: [
    {
      name: 'port',
      type: { kind: 'int', placeholder: 'N', min: 0, max: 65_535 },
      about: 'Inspector port, loopback only; with --dap the port that an editor connects to.',
      default: '9229',
    },
    {
      name: 'entry',
      type: { kind: 'text', placeholder: 'NAME' },
      about: 'Run this walker instead of the entry module.',
    },
    {
      name: 'graph-port',
      type: { kind: 'int', placeholder: 'N', min: 0, max: 65_535 },
      about: 'Serve the graph view while paused.',
      default: '8001',
    },
    {
      name: 'test',
      type: { kind: 'text', placeholder: 'TEXT' },
      about: 'Run the tests whose name contains TEXT.',
    },
    {
      name: 'attach',
      type: { kind: 'int', placeholder: 'PORT', min: 1, max: 65_535 },
      about: 'Debug the server that svc start --inspect runs on this port.',
    },
    {
      name: 'replay',
      type: { kind: 'text', placeholder: 'REQUEST_ID' },
      about: 'Run a call of that server again on what it saw, forwards and backwards; nothing is stored.',
    },
    {
      name: 'persist',
      type: flagType,
      about: 'With the stored graph; otherwise an empty one is used and nothing is kept.',
    },
    { name: 'dap', type: flagType, about: 'Speak the Debug Adapter Protocol, for editors.' },
    configOption,
    profileOption,
  ],
  notes: ['In the debugger help lists the commands. Ctrl-C pauses the program, twice within a second quits.'],
  async run(args) {
    checkDebugOptions(args);
    if (args.options['dap'] === true) {
      const { serveAdapter } = await import('../debug/adapter/serve-adapter.ts');
      return await serveAdapter(args.terminal, args.options['port'] as number | undefined);
    }
    const { debugInTerminal } = await import('../debug/terminal/debug-in-terminal.ts');
    return await debugInTerminal(args);
  },
};

function checkDebugOptions({ options, operands }: CommandArgs): void {
  const given = ['entry', 'test', 'attach'].filter((name) => options[name] !== undefined);
  if (given.length > 1) throw usageFailure(`--${given[1]}`, `cannot be used with --${given[0]}`);
  const server = ['attach', 'replay'].find((name) => options[name] !== undefined);
  const other = ['entry', 'test'].find((name) => options[name] !== undefined);
  if (server !== undefined && other !== undefined) throw usageFailure(`--${other}`, `cannot be used with --${server}`);
  if (server !== undefined && operands.length > 0)
    throw usageFailure(`--${server}`, 'takes no program: that of the server is debugged');
}
