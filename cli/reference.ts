import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { commandHelp } from './help.ts';

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  success: 'success; clean shutdown; `--help`, `--version`, `--faux`',
  failure:
    'runtime failure; declined confirmation; forced abort during drain; errors found by `svc check`; `svc format` left a file, or with `--check` would change one',
  usage: 'usage error',
  invalid: 'invalid configuration or application source',
  cannotBind: 'cannot bind the address',
  deployFailed: 'deployment failed',
  notReadyInTime: 'deployment did not become ready in time',
  prerequisite: 'a prerequisite is missing or unusable (driver, database file)',
};

/** The table of the README: what each command of this release is for. */
export function commandsTable(commands: readonly Command[]): string {
  const rows = commands.map(
    ({ name, operands, about }) =>
      `| \`${['svc', name, operands].join(' ').trimEnd().replaceAll('|', '\\|')}\` | ${about} |`,
  );
  return ['| command | does |', '| --- | --- |', ...rows].join('\n');
}

/** The reference page of all commands, generated from the tables they are parsed with. */
export function commandsReference(commands: readonly Command[]): string {
  const lines = [
    '# Commands',
    '',
    'Generated from `cli/commands/`; `UPDATE=1 npx vitest run cli/reference.test.ts` writes it anew. Options are given as `--x v` or',
    '`--x=v`, booleans as `--x`, `--no-x` or `--x=true|false`.',
  ];
  for (const command of commands)
    lines.push('', `## svc ${command.name}`, '', '```text', commandHelp(command).trimEnd(), '```');
  lines.push('', '## Exit codes', '', '| Code | Meaning |', '| --- | --- |');
  for (const [name, code] of Object.entries(exitCodes))
    lines.push(`| ${code} | ${meanings[name as keyof typeof exitCodes]} |`);
  lines.push('| 130, 143 | ended by a second signal |');
  return `${lines.join('\n')}\n`;
}
