import { didYouMean } from '../../../base/did-you-mean.ts';

/** A line of the terminal debugger. */
export type DebugCommand =
  | {
      readonly name: 'break';
      readonly at: BreakAt;
      readonly condition?: string;
      readonly hits?: string;
      readonly log?: string;
    }
  | { readonly name: 'watch'; readonly field: string; readonly condition?: string }
  | { readonly name: 'clear'; readonly id: number }
  | { readonly name: 'catch'; readonly filter: 'none' | 'uncaught' | 'all' }
  | { readonly name: 'print'; readonly text: string }
  | { readonly name: 'set'; readonly target: string; readonly text: string }
  | { readonly name: 'frame'; readonly number: number }
  | { readonly name: Plain }
  | { readonly name: 'wrong'; readonly message: string };

export type BreakAt =
  | { readonly kind: 'line'; readonly file: string | undefined; readonly line: number; readonly column?: number }
  | { readonly kind: 'function'; readonly function: string };

type Plain = (typeof plain)[number];
const plain = [
  'breakpoints',
  'cont',
  'step',
  'next',
  'out',
  'back',
  'where',
  'vars',
  'graph',
  'list',
  'restart',
  'quit',
  'help',
] as const;

export const commandNames: readonly string[] = [
  ...plain,
  'break',
  'watch',
  'clear',
  'catch',
  'print',
  'set',
  'log',
  'frame',
];

export const helpText = `break FILE:LINE[:COLUMN] [if EXPR] [hits N]   stop at a line; hits: 5, = 5, % 5
break WALKER[.ABILITY] | FUNCTION [if EXPR]   stop where it is entered
watch CLASS.FIELD [if EXPR]                   stop before the field is written
log FILE:LINE TEXT                            print TEXT with its {EXPR} and go on
catch uncaught | all | none                   stop at exceptions
clear N, breakpoints                          remove one; list them
cont, step, next, out                         go on; into, over and out of calls
back                                          in a replay: to the statement before
where, frame N                                calls that wait for each other; choose one
vars, print EXPR, set NAME = EXPR             variables
graph                                         the graph and the walk
list                                          the source around
restart, quit, help
An empty line repeats the last step. Tab completes commands, variables and files.
`;

export const shorts: Readonly<Record<string, string>> = {
  b: 'break',
  c: 'cont',
  continue: 'cont',
  s: 'step',
  n: 'next',
  o: 'out',
  finish: 'out',
  w: 'where',
  bt: 'where',
  p: 'print',
  v: 'vars',
  l: 'list',
  g: 'graph',
  q: 'quit',
  exit: 'quit',
  h: 'help',
  f: 'frame',
  r: 'restart',
};

/** Reads a line that is not empty. */
export function parseCommand(line: string): DebugCommand {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  const name = shorts[first] ?? first;
  switch (name) {
    case 'break':
      return readBreak(rest);
    case 'log': {
      const [, place = '', log = ''] = /^(\S+)\s+(.+)$/s.exec(rest) ?? [];
      const at = readPlace(place);
      return at?.kind === 'line' ? { name: 'break', at, log } : wrong('log FILE:LINE TEXT');
    }
    case 'watch': {
      const [, field, condition] = /^(\w+\.\w+)(?:\s+if\s+(.+))?$/s.exec(rest) ?? [];
      if (field === undefined) return wrong('watch CLASS.FIELD [if EXPR]');
      return { name: 'watch', field, ...(condition === undefined ? {} : { condition }) };
    }
    case 'clear':
      return /^\d+$/.test(rest)
        ? { name: 'clear', id: Number(rest) }
        : wrong('clear N, with the number of a breakpoint');
    case 'catch':
      return rest === 'none' || rest === 'uncaught' || rest === 'all'
        ? { name: 'catch', filter: rest }
        : wrong('catch uncaught, all or none');
    case 'print':
      return rest === '' ? wrong('print EXPR') : { name: 'print', text: rest };
    case 'set': {
      const [, target, text] = /^([^=]+?)\s*=(?!=)\s*(.+)$/s.exec(rest) ?? [];
      return target === undefined || text === undefined ? wrong('set NAME = EXPR') : { name: 'set', target, text };
    }
    case 'frame':
      return /^\d+$/.test(rest) ? { name: 'frame', number: Number(rest) } : wrong('frame N, with a number of where');
    default:
      return readPlain(name, rest);
  }
}

function readPlain(name: string, rest: string): DebugCommand {
  const found = plain.find((one) => one === name);
  if (found !== undefined) return rest === '' ? { name: found } : wrong(`${name} takes nothing`);
  const near = didYouMean(name, commandNames);
  const hint = near === undefined ? 'help lists the commands' : `did you mean ${near}?`;
  return { name: 'wrong', message: `unknown command '${name}': ${hint}` };
}

function wrong(usage: string): DebugCommand {
  return { name: 'wrong', message: `usage: ${usage}` };
}

function readBreak(rest: string): DebugCommand {
  const counted = /^(.*?)\s+hits\s+((?:>=|>|==?|%)?\s*\d+)$/s.exec(rest);
  const [, place = '', condition] = /^(\S+)(?:\s+if\s+(.+))?$/s.exec(counted?.[1] ?? rest) ?? [];
  const at = readPlace(place);
  if (at === undefined) return wrong('break FILE:LINE [if EXPR] or break WALKER.ABILITY');
  const hits = counted?.[2];
  return {
    name: 'break',
    at,
    ...(condition === undefined ? {} : { condition }),
    ...(hits === undefined ? {} : { hits }),
  };
}

function readPlace(text: string): BreakAt | undefined {
  const [, file, line, column] = /^(?:(.+?):)?(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (line !== undefined)
    return { kind: 'line', file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
  return /^[A-Za-z_][\w.]*$/.test(text) && !text.endsWith('.svc') ? { kind: 'function', function: text } : undefined;
}
