/**
 * Distribution of the command line over the arguments of an `argparse` parser. The command line is first written as a
 * pattern, `A` for an argument, `O` for an option, `-` for `--`; each action then takes what its `nargs` matches of it.
 */
import { readFileSync } from 'node:fs';
import { callkw } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { key } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { type Action, ArgumentError, nameOf, PARSER, REMAINDER, readName, SUPPRESS, writeName } from './actions.ts';

/** State of a parser that parsing needs. */
export interface ParserState {
  readonly prefix_chars: string;
  readonly fromfile_prefix_chars: string | null;
  readonly allow_abbrev: boolean;
  readonly $actions: readonly Action[];
  readonly $options: ReadonlyMap<string, Action>;
  readonly $exclusive: readonly { readonly required: boolean; readonly actions: readonly Action[] }[];
  readonly $defaults: ReadonlyMap<string, unknown>;
  $convert(action: Action, text: string): unknown;
  $check(action: Action, value: unknown): void;
}

interface Found {
  readonly action: Action | undefined;
  readonly option: string;
  /** Value given with the option: `--x=1`, `-x1`. */
  readonly value: string | undefined;
  readonly mark: string;
}

/** Fills the namespace; gives the arguments nobody wants. @throws ArgumentError */
export function parseKnown(parser: ParserState, given: readonly string[], namespace: unknown): string[] {
  for (const action of parser.$actions) {
    if (action.dest === SUPPRESS || action.default === SUPPRESS || has(namespace, action.dest)) continue;
    writeName(namespace, action.dest, action.default);
  }
  for (const [name, value] of parser.$defaults) if (!has(namespace, name)) writeName(namespace, name, value);
  const rest = distribute(parser, withFiles(parser, given), namespace);
  const more = readName(namespace, '_unrecognized_args') as string[] | undefined;
  if (more !== undefined && more !== null) {
    delete (namespace as any)._unrecognized_args;
    return [...rest, ...more];
  }
  return rest;
}

function has(namespace: any, name: string): boolean {
  return namespace[key(name)] !== undefined;
}

function withFiles(parser: ParserState, args: readonly string[]): string[] {
  const marks = parser.fromfile_prefix_chars;
  if (marks === null) return [...args];
  return args.flatMap((arg) => {
    if (arg === '' || !marks.includes(arg[0]!)) return [arg];
    try {
      const lines = readFileSync(arg.slice(1), 'utf8').replace(/\n$/, '').split('\n');
      return withFiles(
        parser,
        lines.flatMap((line) => callMethod(parser, 'convert_arg_line_to_args', line)),
      );
    } catch (e) {
      throw new ArgumentError(null, strOf(caught(e)));
    }
  });
}

function distribute(parser: ParserState, args: string[], namespace: unknown): string[] {
  const options = new Map<number, Found>();
  let pattern = '';
  for (const [i, arg] of args.entries()) {
    if (arg === '--') {
      pattern += '-'.padEnd(args.length - i, 'A');
      break;
    }
    const found = optionAt(parser, arg);
    if (found !== undefined) options.set(i, found);
    pattern += found === undefined ? 'A' : 'O';
  }
  let positionals = parser.$actions.filter((action) => action.option_strings.length === 0);
  const extras: string[] = [];
  const seen = new Set<Action>();
  const chosen = new Set<Action>();

  const take = (action: Action, strings: readonly string[], option?: string) => {
    seen.add(action);
    const value = valuesOf(parser, action, strings);
    if (value !== action.default || strings.length > 0) {
      for (const group of parser.$exclusive) {
        if (!group.actions.includes(action)) continue;
        const conflict = group.actions.find((other) => other !== action && chosen.has(other));
        if (conflict !== undefined) throw new ArgumentError(action, `not allowed with argument ${nameOf(conflict)}`);
      }
      chosen.add(action);
    }
    if (value !== SUPPRESS) callkw(action, [parser, namespace, value, option ?? null]);
  };

  const takePositionals = (start: number): number => {
    const counts = matchSome(positionals, pattern.slice(start));
    for (const [i, count] of counts.entries()) {
      take(positionals[i]!, args.slice(start, start + count));
      start += count;
    }
    positionals = positionals.slice(counts.length);
    return start;
  };

  const takeOption = (start: number): number => {
    let { action, option, value, mark } = options.get(start)!;
    const taken: [Action, string[], string][] = [];
    let stop = start + 1;
    for (;;) {
      if (action === undefined) {
        extras.push(args[start]!);
        return start + 1;
      }
      if (value === undefined) {
        const count = matchOne(action, pattern.slice(start + 1));
        stop = start + 1 + count;
        taken.push([action, args.slice(start + 1, stop), option]);
        break;
      }
      const count = matchOne(action, 'A');
      if (count === 1) {
        taken.push([action, [value], option]);
        break;
      }
      const isShort = count === 0 && !parser.prefix_chars.includes(option[1]!) && value !== '';
      if (!isShort || mark !== '' || parser.prefix_chars.includes(value[0]!))
        throw new ArgumentError(action, `ignored explicit argument ${reprOf(value)}`);
      // `-xyz`: the rest of the letters are options too.
      taken.push([action, [], option]);
      option = option[0]! + value[0]!;
      const next = parser.$options.get(option);
      if (next === undefined) throw new ArgumentError(action, `ignored explicit argument ${reprOf(value)}`);
      const left = value.slice(1);
      [value, mark] = left === '' ? [undefined, ''] : left.startsWith('=') ? [left.slice(1), '='] : [left, ''];
      action = next;
    }
    for (const [one, strings, name] of taken) take(one, strings, name);
    return stop;
  };

  let at = 0;
  const last = Math.max(-1, ...options.keys());
  while (at <= last) {
    const next = Math.min(...[...options.keys()].filter((i) => i >= at));
    if (at !== next) {
      const end = takePositionals(at);
      if (end > at) {
        at = end;
        continue;
      }
    }
    if (!options.has(at)) {
      extras.push(...args.slice(at, next));
      at = next;
    }
    at = takeOption(at);
  }
  extras.push(...args.slice(takePositionals(at)));
  finish(parser, namespace, seen, chosen);
  return extras;
}

function finish(parser: ParserState, namespace: unknown, seen: ReadonlySet<Action>, chosen: ReadonlySet<Action>): void {
  const missing: string[] = [];
  for (const action of parser.$actions) {
    if (seen.has(action)) continue;
    if (action.required) missing.push(nameOf(action));
    else if (
      typeof action.default === 'string' &&
      readName(namespace, action.dest) === action.default &&
      action.default !== SUPPRESS
    ) {
      writeName(namespace, action.dest, parser.$convert(action, action.default));
    }
  }
  if (missing.length > 0) throw new ArgumentError(null, `the following arguments are required: ${missing.join(', ')}`);
  for (const group of parser.$exclusive) {
    if (!group.required || group.actions.some((action) => chosen.has(action))) continue;
    const names = group.actions.filter((action) => action.help !== SUPPRESS).map(nameOf);
    throw new ArgumentError(null, `one of the arguments ${names.join(' ')} is required`);
  }
}

const negativeNumber = /^-\d+$|^-\d*\.\d+$/;

/** Is the argument an option, and which? */
function optionAt(parser: ParserState, arg: string): Found | undefined {
  if (arg === '' || !parser.prefix_chars.includes(arg[0]!)) return undefined;
  const exact = parser.$options.get(arg);
  if (exact !== undefined) return { action: exact, option: arg, value: undefined, mark: '' };
  if (arg.length === 1) return undefined;
  const at = arg.indexOf('=');
  const named = at < 0 ? undefined : parser.$options.get(arg.slice(0, at));
  if (named !== undefined) return { action: named, option: arg.slice(0, at), value: arg.slice(at + 1), mark: '=' };
  const candidates = abbreviated(parser, arg);
  if (candidates.length > 1) {
    throw new ArgumentError(
      null,
      `ambiguous option: ${arg} could match ${candidates.map((one) => one.option).join(', ')}`,
    );
  }
  if (candidates.length === 1) return candidates[0];
  if (negativeNumber.test(arg) && ![...parser.$options.keys()].some((option) => negativeNumber.test(option)))
    return undefined;
  return arg.includes(' ') ? undefined : { action: undefined, option: arg, value: undefined, mark: '' };
}

function abbreviated(parser: ParserState, arg: string): Found[] {
  const at = arg.indexOf('=');
  const [prefix, value] = at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
  const found: Found[] = [];
  const isLong = parser.prefix_chars.includes(arg[1]!);
  for (const [option, action] of parser.$options) {
    if (isLong) {
      if (parser.allow_abbrev && option.startsWith(prefix))
        found.push({ action, option, value, mark: value === undefined ? '' : '=' });
    } else if (option === arg.slice(0, 2)) {
      const rest = arg.slice(2);
      found.push({
        action,
        option,
        value: rest.startsWith('=') ? rest.slice(1) : rest,
        mark: rest.startsWith('=') ? '=' : '',
      });
    } else if (parser.allow_abbrev && option.startsWith(prefix))
      found.push({ action, option, value, mark: value === undefined ? '' : '=' });
  }
  return found;
}

function nargsPattern(action: Action): string {
  const { nargs } = action;
  let pattern: string;
  if (nargs === null) pattern = '(-*A-*)';
  else if (nargs === '?') pattern = '(-*A?-*)';
  else if (nargs === '*') pattern = '(-*[A-]*)';
  else if (nargs === '+') pattern = '(-*A[A-]*)';
  else if (nargs === REMAINDER) pattern = '([-AO]*)';
  else if (nargs === PARSER) pattern = '(-*A[-AO]*)';
  else if (nargs === SUPPRESS) pattern = '(-*-*)';
  else pattern = `(-*${Array.from({ length: Number(nargs) }, () => 'A').join('-*')}-*)`;
  return action.option_strings.length === 0 ? pattern : pattern.replaceAll('-*', '').replaceAll('-', '');
}

function matchOne(action: Action, pattern: string): number {
  const found = new RegExp(`^${nargsPattern(action)}`).exec(pattern);
  if (found !== null) return found[1]!.length;
  const { nargs } = action;
  if (nargs === null) throw new ArgumentError(action, 'expected one argument');
  if (nargs === '?') throw new ArgumentError(action, 'expected at most one argument');
  if (nargs === '+') throw new ArgumentError(action, 'expected at least one argument');
  throw new ArgumentError(action, `expected ${strOf(nargs)} argument${nargs === 1 ? '' : 's'}`);
}

// Finds the greatest number of actions, from the first on, that match together.
function matchSome(actions: readonly Action[], pattern: string): number[] {
  for (let count = actions.length; count > 0; count -= 1) {
    const found = new RegExp(`^${actions.slice(0, count).map(nargsPattern).join('')}`).exec(pattern);
    if (found !== null) return found.slice(1).map((part) => part.length);
  }
  return [];
}

function valuesOf(parser: ParserState, action: Action, given: readonly string[]): unknown {
  const { nargs } = action;
  const strings = [...given];
  if (nargs !== PARSER && nargs !== REMAINDER && strings.includes('--')) strings.splice(strings.indexOf('--'), 1);
  const convert = (text: string, check = true) => {
    const value = parser.$convert(action, text);
    if (check) parser.$check(action, value);
    return value;
  };
  if (strings.length === 0 && nargs === '?') {
    const value = action.option_strings.length > 0 ? action.const : action.default;
    return typeof value === 'string' && value !== SUPPRESS ? convert(value) : value;
  }
  if (strings.length === 0 && nargs === '*' && action.option_strings.length === 0) return action.default ?? [];
  if (strings.length === 1 && (nargs === null || nargs === '?')) return convert(strings[0]!);
  if (nargs === REMAINDER) return strings.map((text) => convert(text, false));
  if (nargs === PARSER) {
    const values = strings.map((text) => convert(text, false));
    parser.$check(action, values[0]);
    return values;
  }
  return nargs === SUPPRESS ? SUPPRESS : strings.map((text) => convert(text));
}
