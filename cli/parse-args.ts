import { didYouMean } from '../base/did-you-mean.ts';
import { type CliOption, type CliOptionType, helpOption, type OptionValues } from './cli-option.ts';
import type { Command } from './command.ts';
import { type CommandFailure, usageFailure } from './command-failure.ts';

export interface ParsedArgs {
  readonly operands: readonly string[];
  readonly rest: readonly string[];
  readonly options: OptionValues;
}

/**
 * Reads a command line by the command's table (docs/server/commands.md#start): `--x v`, `--x=v`, `-x v`, `-xv`,
 * booleans as `--x`, `--no-x` and
 * `--x=true|false`; everything after `--` is left to the program. A repeated option keeps its last value.
 *
 * @throws CommandFailure with exit code 2, naming the option.
 */
export function parseArgs(command: Command, args: readonly string[]): ParsedArgs {
  const table = [...command.options, helpOption];
  const operands: string[] = [];
  const values: Record<string, string | number | boolean> = {};
  let rest: readonly string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      rest = args.slice(i + 1);
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) operands.push(arg);
    else if (arg.startsWith('--')) i += readLong(command, table, arg, args[i + 1], values);
    else i += readShort(command, table, arg, args[i + 1], values);
  }
  if (values['help'] === true) return { operands, rest, options: values };
  checkNeeds(command, values);
  checkArity(command, operands);
  return { operands, rest, options: values };
}

type Values = Record<string, string | number | boolean>;

/** Gives the number of further arguments that were used. */
function readLong(
  command: Command,
  table: readonly CliOption[],
  arg: string,
  next: string | undefined,
  values: Values,
): 0 | 1 {
  const equals = arg.indexOf('=');
  const name = arg.slice(2, equals < 0 ? undefined : equals);
  const given = equals < 0 ? undefined : arg.slice(equals + 1);
  const exact = table.find((option) => option.name === name);
  if (exact === undefined) {
    const negated = name.startsWith('no-') ? table.find((option) => option.name === name.slice(3)) : undefined;
    const isFlag = negated?.type.kind === 'flag' || negated?.type.kind === 'optional';
    if (negated === undefined || !isFlag || given !== undefined) throw unknownOption(command, table, `--${name}`);
    values[negated.name] = false;
    return 0;
  }
  return store(exact, `--${name}`, given, next, values);
}

function readShort(
  command: Command,
  table: readonly CliOption[],
  arg: string,
  next: string | undefined,
  values: Values,
): 0 | 1 {
  for (let i = 1; i < arg.length; i++) {
    const option = table.find((candidate) => candidate.short === arg[i]);
    if (option === undefined) throw unknownOption(command, table, i === 1 ? arg : `-${arg[i]}`);
    const following = arg.slice(i + 1);
    if (option.type.kind === 'flag' && !following.startsWith('=')) values[option.name] = true;
    else
      return store(
        option,
        `-${option.short}`,
        following === '' ? undefined : following.replace(/^=/, ''),
        next,
        values,
      );
  }
  return 0;
}

function store(
  option: CliOption,
  spelled: string,
  given: string | undefined,
  next: string | undefined,
  values: Values,
): 0 | 1 {
  if (option.type.kind === 'flag') {
    values[option.name] = given === undefined ? true : readFlag(spelled, given);
    return 0;
  }
  if (option.type.kind === 'optional') {
    const isNext = given === undefined && next !== undefined && option.type.isValue(next);
    if (given === 'true' || given === 'false') values[option.name] = given === 'true';
    else values[option.name] = isNext ? next : given === undefined ? true : readValue(option.type, spelled, given);
    return isNext ? 1 : 0;
  }
  const text = given ?? next;
  if (text === undefined || (given === undefined && /^--?[a-z]/i.test(text))) {
    throw usageFailure(spelled, `needs a value: ${spelled} ${option.type.placeholder}`);
  }
  values[option.name] = readValue(option.type, spelled, text);
  return given === undefined ? 1 : 0;
}

function readFlag(spelled: string, given: string): boolean {
  if (given === 'true') return true;
  if (given === 'false') return false;
  throw usageFailure(spelled, `expected true or false, got '${given}'`);
}

function readValue(type: Exclude<CliOptionType, { kind: 'flag' }>, spelled: string, text: string): string | number {
  if (type.kind === 'text' || type.kind === 'optional') {
    if (text === '') throw usageFailure(spelled, 'must not be empty');
    return text;
  }
  if (type.kind === 'int') {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= type.min && value <= type.max) return value;
    throw usageFailure(spelled, `expected a whole number from ${type.min} to ${type.max}, got '${text}'`);
  }
  const canonical = Object.hasOwn(type.of, text) ? type.of[text] : undefined;
  if (canonical !== undefined) return canonical;
  const nearest = didYouMean(text, Object.keys(type.of));
  const names = [...new Set(Object.values(type.of))].join(', ');
  throw usageFailure(
    spelled,
    `expected one of ${names}, got '${text}'`,
    nearest === undefined ? [] : [`did you mean ${nearest}?`],
  );
}

function unknownOption(command: Command, table: readonly CliOption[], spelled: string): CommandFailure {
  const names = table.map((option) => `--${option.name}`);
  const nearest = didYouMean(spelled, names);
  const help = `svc ${command.name} --help lists the options`;
  return usageFailure(
    spelled,
    `unknown option of svc ${command.name}`,
    nearest === undefined ? [help] : [`did you mean ${nearest}?`],
  );
}

function checkNeeds(command: Command, values: Values): void {
  for (const option of command.options) {
    const isSet = values[option.name] !== undefined && values[option.name] !== false;
    if (option.needs !== undefined && isSet && values[option.needs] !== true) {
      throw usageFailure(`--${option.name}`, `needs --${option.needs}`);
    }
  }
}

function checkArity(command: Command, operands: readonly string[]): void {
  const [min, max] = command.arity;
  const usage = [`usage: svc ${command.name} ${command.operands}`.trimEnd()];
  if (operands.length < min)
    throw usageFailure(command.name, `${command.operands.split(' ')[operands.length]} is missing`, usage);
  if (operands.length > max) throw usageFailure(command.name, `unexpected argument '${operands[max]}'`, usage);
}
