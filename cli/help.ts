import { type CliOption, helpOption } from './cli-option.ts';
import type { Command } from './command.ts';

/** The help text of one command, from its table. */
export function commandHelp(command: Command): string {
  const usage = ['svc', command.name, command.operands, '[options]'].filter((part) => part !== '').join(' ');
  const rows = [...command.options, helpOption].map((option): [string, string] => [spelling(option), meaning(option)]);
  const parts = [`Usage: ${usage}`, command.about, `Options:\n${columns(rows)}`, ...(command.notes ?? [])];
  return `${parts.join('\n\n')}\n`;
}

/** What `svc` and `svc --help` print. */
export function overview(commands: readonly { readonly name: string; readonly about: string }[]): string {
  const rows = commands.map(({ name, about }): [string, string] => [name, about]);
  return [
    'Usage: svc <command> [options]',
    `Commands:\n${columns(rows)}`,
    'svc <command> --help shows the options of a command, svc --version the version.\n',
  ].join('\n\n');
}

function spelling({ name, short, type }: CliOption): string {
  const placeholder = type.kind === 'flag' ? '' : ` ${type.placeholder}`;
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${placeholder}`;
}

function meaning({ about, type, default: fallback, needs }: CliOption): string {
  const choices = type.kind === 'choice' ? ` One of ${[...new Set(Object.values(type.of))].join(', ')}.` : '';
  const more = [
    fallback === undefined ? '' : `default ${fallback}`,
    needs === undefined ? '' : `with --${needs}`,
  ].filter((part) => part !== '');
  return `${about}${choices}${more.length === 0 ? '' : ` (${more.join('; ')})`}`;
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n');
}
