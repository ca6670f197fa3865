import { type CliOption, helpOption } from './cli-option.ts';
import type { Command } from './command.ts';

/** Columns of a terminal that help keeps to. */
const width = 80;

/** The help text of one command, from its table: what it is for, two examples, its options, notes. */
export function commandHelp(command: Command): string {
  const usage = ['svc', command.name, command.operands, '[options]'].filter((part) => part !== '').join(' ');
  const rows = [...command.options, helpOption].map((option): Row => [spelling(option), meaning(option)]);
  const parts = [
    `Usage: ${usage}`,
    command.about,
    `Examples:\n${examples(command.examples)}`,
    `Options:\n${columns(rows)}`,
    ...(command.notes ?? []).map((note) => wrap(note, width).join('\n')),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Gives the text that `svc` and `svc --help` print. */
export function overview(commands: readonly { readonly name: string; readonly about: string }[]): string {
  const rows = commands.map(({ name, about }): Row => [name, about]);
  return [
    'Usage: svc <command> [options]',
    `Commands:\n${columns(rows)}`,
    wrap('svc <command> --help shows the options of a command, svc --version the version.', width).join('\n'),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

type Row = readonly [left: string, right: string];

function spelling({ name, short, type }: CliOption): string {
  const placeholder =
    type.kind === 'flag' ? '' : type.kind === 'optional' ? ` [${type.placeholder}]` : ` ${type.placeholder}`;
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

/** A command and what it does, beside each other where both fit. */
function examples(rows: readonly Row[]): string {
  const left = Math.max(...rows.map(([line]) => line.length)) + 4;
  const fits = rows.every(([, does]) => left + does.length <= width);
  return rows
    .map(([line, does]) => (fits ? `  ${line.padEnd(left - 2)}${does}` : `  ${line}\n      ${does}`))
    .join('\n');
}

/** Rows of two columns; what is too long for the second one goes on below it. */
function columns(rows: readonly Row[]): string {
  const left = Math.min(Math.max(...rows.map(([text]) => text.length)) + 2, mostLeft);
  const indent = ' '.repeat(left + 2);
  return rows
    .map(([name, text]) => {
      const [first = '', ...rest] = wrap(text, width - left - 2);
      const head = name.length < left - 1 ? [`  ${name.padEnd(left)}${first}`] : [`  ${name}`, indent + first];
      return [...head, ...rest.map((line) => indent + line)].join('\n');
    })
    .join('\n');
}

const mostLeft = 28;

/** Lines of at most so many characters, broken at spaces; lines of the text itself stay. */
function wrap(text: string, most: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(/(?<=\S) /)) {
      if (line !== '' && line.length + 1 + word.length > most) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
