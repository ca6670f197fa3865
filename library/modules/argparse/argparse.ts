/** Module `argparse`. */

import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { open } from '../../builtins/open.ts';
import { streams } from '../../builtins/streams.ts';
import { std } from '../../registry.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { contains } from '../../values/containers/contains.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { type Tuple, tuple } from '../../values/containers/tuple.ts';
import { SystemExit, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { formatPercent } from '../../values/text/percent-format.ts';
import { textOf } from '../../values/text/text-arguments.ts';
import { writeTo } from '../traceback.ts';
import {
  Action,
  ArgumentError,
  ArgumentTypeError,
  actionClass,
  BooleanOptionalAction,
  choicesOf,
  Namespace,
  PARSER,
  REMAINDER,
  readName,
  refuseUnwanted,
  SUPPRESS,
  writeName,
} from './actions.ts';
import {
  ArgumentDefaultsHelpFormatter,
  groupsText,
  HelpFormatter,
  MetavarTypeHelpFormatter,
  paragraph,
  RawDescriptionHelpFormatter,
  RawTextHelpFormatter,
  typeLabel,
  usageText,
} from './help.ts';
import { type ParserState, parseKnown } from './parse.ts';

/** A titled part of the help. */
class ArgumentGroup {
  readonly title: string | null;
  readonly description: string | null;
  readonly $parser: ArgumentParser;
  readonly $actions: Action[] = [];

  constructor(parser: ArgumentParser, title: unknown, description: unknown) {
    this.$parser = parser;
    this.title = title === undefined || title === null ? null : strOf(title);
    this.description = description === undefined || description === null ? null : strOf(description);
  }

  get actions(): readonly Action[] {
    return this.$actions;
  }

  add_argument(flags: unknown[], options: Dict): Action {
    return this.$parser.$add(flags, options, this);
  }

  add_argument_group(title?: unknown, description?: unknown): ArgumentGroup {
    return this.$parser.add_argument_group(title, description);
  }

  add_mutually_exclusive_group(required?: unknown): ExclusiveGroup {
    return this.$parser.$exclude(this, truth(required));
  }
}
const groupMethods = {
  add_argument: '*args, **kwargs',
  add_argument_group: 'title=None, description=None',
  add_mutually_exclusive_group: '*, required=False',
};
nativeClass(ArgumentGroup, { name: '_ArgumentGroup', module: 'argparse', methods: groupMethods });

class ExclusiveGroup {
  readonly required: boolean;
  readonly actions: Action[] = [];
  readonly $parser: ArgumentParser;
  readonly $group: ArgumentGroup | undefined;

  constructor(parser: ArgumentParser, group: ArgumentGroup | undefined, required: boolean) {
    this.$parser = parser;
    this.$group = group;
    this.required = required;
  }

  add_argument(flags: unknown[], options: Dict): Action {
    const action = this.$parser.$add(flags, options, this.$group);
    if (action.required) throw new ValueError('mutually exclusive arguments must be optional');
    this.actions.push(action);
    return action;
  }
}
nativeClass(ExclusiveGroup, {
  name: '_MutuallyExclusiveGroup',
  module: 'argparse',
  methods: { add_argument: '*args, **kwargs' },
});

const parserNames =
  'prog usage description epilog parents formatter_class prefix_chars fromfile_prefix_chars argument_default conflict_handler add_help allow_abbrev exit_on_error'.split(
    ' ',
  );

export class ArgumentParser implements ParserState {
  declare prog: string;
  declare usage: string | null;
  declare description: string | null;
  declare epilog: string | null;
  declare formatter_class: any;
  declare prefix_chars: string;
  declare fromfile_prefix_chars: string | null;
  declare argument_default: unknown;
  declare conflict_handler: string;
  declare add_help: unknown;
  declare allow_abbrev: boolean;
  declare exit_on_error: boolean;
  declare $actions: Action[];
  declare $options: Map<string, Action>;
  declare $groups: ArgumentGroup[];
  declare $exclusive: ExclusiveGroup[];
  declare $defaults: Map<string, unknown>;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(...slots: any[]): void {
    const given: Record<string, any> = Object.fromEntries(parserNames.map((name, i) => [name, slots[i] ?? undefined]));
    const text = (x: unknown) => (x === undefined ? null : strOf(x));
    const command = String(std('sys').argv[0] ?? '');
    this.prog = text(given['prog']) ?? (command.slice(command.lastIndexOf('/') + 1) || 'svc');
    this.usage = text(given['usage']);
    this.description = text(given['description']);
    this.epilog = text(given['epilog']);
    this.formatter_class = given['formatter_class'] ?? HelpFormatter;
    this.prefix_chars = text(given['prefix_chars']) ?? '-';
    this.fromfile_prefix_chars = text(given['fromfile_prefix_chars']);
    this.argument_default = given['argument_default'] ?? null;
    this.conflict_handler = given['conflict_handler'] ?? 'error';
    this.add_help = given['add_help'] ?? true;
    this.allow_abbrev = given['allow_abbrev'] === undefined || truth(given['allow_abbrev']);
    this.exit_on_error = given['exit_on_error'] === undefined || truth(given['exit_on_error']);
    this.$actions = [];
    this.$options = new Map();
    this.$exclusive = [];
    this.$defaults = new Map();
    this.$groups = [new ArgumentGroup(this, 'positional arguments', null), new ArgumentGroup(this, 'options', null)];
    const mark = this.prefix_chars.includes('-') ? '-' : this.prefix_chars[0]!;
    if (truth(this.add_help)) {
      this.$add(
        [`${mark}h`, `${mark}${mark}help`],
        Dict.of('action', 'help', 'default', SUPPRESS, 'help', 'show this help message and exit'),
      );
    }
    for (const parent of given['parents'] === undefined ? [] : (toArray(given['parents']) as ArgumentParser[]))
      this.$inherit(parent);
  }

  $inherit(parent: ArgumentParser): void {
    for (const group of parent.$groups) {
      const own =
        group.title === 'positional arguments' || group.title === 'options'
          ? this.$groups.find((one) => one.title === group.title)!
          : this.add_argument_group(group.title, group.description);
      for (const action of group.$actions) this.$register(action, own);
    }
    for (const [name, value] of parent.$defaults) this.$defaults.set(name, value);
  }

  $add(flags: unknown[], options: Dict, group?: ArgumentGroup): Action {
    const names = flags.map((flag) => strOf(flag));
    const given = options.copy();
    const positional = names.length === 0 || (names.length === 1 && !this.prefix_chars.includes(names[0]![0]!));
    if (positional && names.length > 0 && given.has('dest'))
      throw new ValueError('dest supplied twice for positional argument');
    const dest = positional ? (names[0] ?? given.get('dest')) : (given.get('dest') ?? this.$destOf(names));
    given.delete('dest');
    if (positional) {
      if (given.has('required')) throw new TypeError("'required' is an invalid argument for positionals");
      const nargs = given.get('nargs');
      if (nargs !== '?' && nargs !== '*' && nargs !== SUPPRESS) given.set('required', true);
      if (nargs === '*' && !given.has('default')) given.set('required', true);
    }
    if (!given.has('default') && this.$defaults.has(String(dest)))
      given.set('default', this.$defaults.get(String(dest)));
    else if (!given.has('default') && this.argument_default !== null) given.set('default', this.argument_default);
    const kind = given.get('action');
    refuseUnwanted(kind, given);
    const version = given.get('version');
    given.delete('action');
    given.delete('version');
    if (kind === 'version') {
      given.set('const', version ?? null);
      if (!given.has('help')) given.set('help', "show program's version number and exit");
    }
    const cls = actionClass(kind);
    const action: Action = callkw(
      cls,
      [],
      [
        ['option_strings', positional ? [] : names],
        ['dest', dest ?? null],
        ...(given.entries() as Iterable<[string, unknown]>),
      ],
    );
    if (
      action.type !== null &&
      typeof action.type !== 'function' &&
      typeof (action.type as any).__call__ !== 'function'
    )
      throw new ValueError(`${reprOf(action.type)} is not callable`);
    if (cls === actionClass('help') || cls === actionClass('version')) action.dest = SUPPRESS;
    this.$register(action, group ?? this.$groups[positional ? 0 : 1]!);
    return action;
  }

  $register(action: Action, group: ArgumentGroup): void {
    const taken = action.option_strings.filter((option) => this.$options.has(option));
    if (taken.length > 0 && this.conflict_handler !== 'resolve') {
      throw new ArgumentError(action, `conflicting option string${taken.length > 1 ? 's' : ''}: ${taken.join(', ')}`);
    }
    for (const option of taken) {
      const before = this.$options.get(option)!;
      before.option_strings = before.option_strings.filter((one) => one !== option);
      if (before.option_strings.length > 0) continue;
      for (const list of [this.$actions, ...this.$groups.map((one) => one.$actions)])
        if (list.includes(before)) list.splice(list.indexOf(before), 1);
    }
    this.$actions.push(action);
    group.$actions.push(action);
    for (const option of action.option_strings) this.$options.set(option, action);
  }

  $destOf(names: readonly string[]): string {
    const bad = names.find((name) => !this.prefix_chars.includes(name[0]!));
    if (bad !== undefined)
      throw new ValueError(
        `invalid option string ${reprOf(bad)}: must start with a character ${reprOf(this.prefix_chars)}`,
      );
    const long = names.find((name) => name.length > 1 && this.prefix_chars.includes(name[1]!)) ?? names[0]!;
    const bare = long.replace(new RegExp(`^[${this.prefix_chars.replace(/[\\\]^-]/g, '\\$&')}]+`), '');
    if (bare === '') throw new ValueError(`dest= is required for options like ${reprOf(long)}`);
    return bare.replaceAll('-', '_');
  }

  $exclude(group: ArgumentGroup | undefined, required: boolean): ExclusiveGroup {
    const made = new ExclusiveGroup(this, group, required);
    this.$exclusive.push(made);
    return made;
  }

  add_argument(flags: unknown[], options: Dict): Action {
    return this.$add(flags, options);
  }

  add_argument_group(title?: unknown, description?: unknown): ArgumentGroup {
    const group = new ArgumentGroup(this, title, description);
    this.$groups.push(group);
    return group;
  }

  add_mutually_exclusive_group(required?: unknown): ExclusiveGroup {
    return this.$exclude(undefined, truth(required));
  }

  add_subparsers(options: Dict): SubParsers {
    if (this.$actions.some((action) => action instanceof SubParsers))
      throw new ArgumentError(null, 'cannot have multiple subparser arguments');
    const option = (name: string): any => options.get(name) ?? null;
    const titled = option('title') !== null || option('description') !== null;
    const group = titled
      ? this.add_argument_group(option('title') ?? 'subcommands', option('description'))
      : this.$groups[0]!;
    const prog =
      option('prog') ??
      usageText(
        this.$formatter(),
        this.usage,
        this.$actions.filter((action) => action.option_strings.length === 0),
        [],
        '',
      ).trim();
    const made = new SubParsers(
      strOf(prog),
      option('parser_class') ?? this.constructor,
      option('dest') ?? SUPPRESS,
      truth(option('required')),
      option('help'),
      option('metavar'),
    );
    this.$register(made, group);
    return made;
  }

  set_defaults(values: Dict): null {
    for (const [name, value] of values.entries()) {
      this.$defaults.set(String(name), value);
      for (const action of this.$actions) if (action.dest === name) action.default = value;
    }
    return null;
  }

  get_default(dest: string): unknown {
    const action = this.$actions.find((one) => one.dest === dest && one.default !== null);
    return action?.default ?? this.$defaults.get(dest) ?? null;
  }

  parse_args(args?: unknown, namespace?: unknown): unknown {
    const [found, rest] = this.parse_known_args(args, namespace).items as [unknown, string[]];
    if (rest.length > 0) callMethod(this, 'error', `unrecognized arguments: ${rest.join(' ')}`);
    return found;
  }

  parse_known_args(args?: unknown, namespace?: unknown): Tuple {
    const given = args === undefined || args === null ? std('sys').argv.slice(1) : toArray(args);
    const target = namespace ?? new Namespace();
    try {
      const rest = parseKnown(
        this,
        given.map((arg: unknown) => strOf(arg)),
        target,
      );
      return tuple(target, rest);
    } catch (e) {
      if (!(e instanceof ArgumentError) || !this.exit_on_error) throw e;
      callMethod(this, 'error', strOf(e));
      throw e;
    }
  }

  parse_intermixed_args(args?: unknown, namespace?: unknown): unknown {
    return this.parse_args(args, namespace);
  }

  $formatter(): HelpFormatter {
    return callkw(this.formatter_class, [], [['prog', this.prog]]);
  }

  format_usage(): string {
    return usageText(this.$formatter(), this.usage, this.$actions, this.$exclusive).replace(/\n\n$/, '\n');
  }

  format_help(): string {
    const f = this.$formatter();
    const text =
      usageText(f, this.usage, this.$actions, this.$exclusive) +
      paragraph(f, this.description) +
      groupsText(f, this.$groups) +
      paragraph(f, this.epilog);
    return `${text.replace(/\n\n\n+/g, '\n\n').replace(/^\n+|\n+$/g, '')}\n`;
  }

  print_usage(file?: unknown): null {
    return writeTo(file ?? streams.stdout, callMethod(this, 'format_usage'));
  }

  print_help(file?: unknown): null {
    return writeTo(file ?? streams.stdout, callMethod(this, 'format_help'));
  }

  _print_version(version: unknown): null {
    writeTo(streams.stdout, `${formatPercent(strOf(version), Dict.of('prog', this.prog))}\n`);
    return this.exit();
  }

  exit(status?: unknown, message?: unknown): never {
    if (message !== undefined && message !== null) writeTo(undefined, strOf(message));
    throw new SystemExit(status ?? 0);
  }

  error(message: unknown): never {
    callMethod(this, 'print_usage', streams.stderr);
    return this.exit(2, `${this.prog}: error: ${strOf(message)}\n`);
  }

  /** A value as its type makes it; its choices are checked elsewhere. @throws ArgumentError */
  $convert(action: Action, text: string): unknown {
    if (action.type === null) return text;
    try {
      return call(action.type, text);
    } catch (thrown) {
      const e = caught(thrown);
      if (e instanceof ArgumentTypeError) throw new ArgumentError(action, strOf(e));
      if (e instanceof TypeError || e instanceof ValueError)
        throw new ArgumentError(action, `invalid ${typeLabel(action.type)} value: ${reprOf(text)}`);
      throw e;
    }
  }

  $check(action: Action, value: unknown): void {
    if (action.choices === null || contains(action.choices, value)) return;
    throw new ArgumentError(
      action,
      `invalid choice: ${reprOf(value)} (choose from ${choicesOf(action)
        .map((choice) => reprOf(choice))
        .join(', ')})`,
    );
  }

  convert_arg_line_to_args(line: string): string[] {
    return [line];
  }
}
const parserParams = parserNames.map((name) => `${name}=None`).join(', ');
nativeClass(ArgumentParser, {
  name: 'ArgumentParser',
  module: 'argparse',
  params: parserParams,
  methods: {
    ...groupMethods,
    init: parserParams,
    add_subparsers: '**kwargs',
    set_defaults: '**kwargs',
    get_default: 'dest',
    parse_args: 'args=None, namespace=None',
    parse_known_args: 'args=None, namespace=None',
    parse_intermixed_args: 'args=None, namespace=None',
    format_usage: '',
    format_help: '',
    print_usage: 'file=None',
    print_help: 'file=None',
    exit: 'status=0, message=None',
    error: 'message',
    convert_arg_line_to_args: 'arg_line',
  },
});

/** Commands: each has a parser of its own. */
class SubParsers extends Action {
  declare $prog: string;
  declare $class: any;
  declare $commands: Action[];

  constructor(prog: string, cls: unknown, dest: string, required: boolean, help: unknown, metavar: unknown) {
    super([], dest, PARSER, null, null, null, new Dict(), required, help, metavar);
    this.$prog = prog;
    this.$class = cls;
    this.$commands = [];
  }

  add_parser(name: unknown, options: Dict): ArgumentParser {
    const given = options.copy();
    const [aliases, help] = [toArray(given.get('aliases') ?? []), given.get('help')];
    given.delete('aliases');
    given.delete('help');
    if (!given.has('prog')) given.set('prog', `${this.$prog} ${strOf(name)}`);
    const choices = this.choices as Dict;
    if (choices.has(name)) throw new ArgumentError(this, `conflicting subparser: ${strOf(name)}`);
    if (help !== undefined) {
      const label =
        aliases.length === 0 ? strOf(name) : `${strOf(name)} (${aliases.map((alias) => strOf(alias)).join(', ')})`;
      this.$commands.push(new Action([], label, null, null, null, null, null, false, help, label));
    }
    const parser = callkw(this.$class, [], given);
    for (const one of [name, ...aliases]) choices.set(one, parser);
    return parser;
  }

  override __call__(_parser: unknown, namespace: any, values: unknown): null {
    const [name, ...args] = values as string[];
    if (this.dest !== SUPPRESS) writeName(namespace, this.dest, name);
    const parser: ArgumentParser = (this.choices as Dict).get(name) as ArgumentParser;
    const [found, rest] = callMethod(parser, 'parse_known_args', args, null).items as [any, string[]];
    for (const [attribute, value] of Object.entries(found)) namespace[attribute] = value;
    if (rest.length > 0)
      writeName(namespace, '_unrecognized_args', [
        ...((readName(namespace, '_unrecognized_args') as string[]) ?? []),
        ...rest,
      ]);
    return null;
  }
}
nativeClass(SubParsers, {
  name: '_SubParsersAction',
  module: 'argparse',
  methods: { add_parser: 'name, **kwargs', __call__: 'parser, namespace, values, option_string=None' },
});

/** `type=FileType("w")` opens the named file; `-` is standard input or output. */
class FileType {
  readonly $mode: string;
  readonly $rest: unknown[];

  constructor(mode?: unknown, ...rest: unknown[]) {
    this.$mode = textOf(mode) ?? 'r';
    this.$rest = rest;
  }

  __call__(name: unknown): unknown {
    if (name === '-') return this.$mode.includes('r') ? streams.stdin : streams.stdout;
    try {
      return open(name, this.$mode, ...this.$rest);
    } catch (e) {
      throw new ArgumentTypeError(`can't open '${strOf(name)}': ${strOf(caught(e))}`);
    }
  }
}
nativeClass(FileType, {
  name: 'FileType',
  module: 'argparse',
  params: 'mode="r", bufsize=-1, encoding=None, errors=None',
  methods: { __call__: 'string' },
});

export function makeArgparse(): Members {
  return {
    Action,
    ArgumentDefaultsHelpFormatter,
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    BooleanOptionalAction,
    FileType,
    HelpFormatter,
    MetavarTypeHelpFormatter,
    Namespace,
    ONE_OR_MORE: '+',
    OPTIONAL: '?',
    PARSER,
    REMAINDER,
    RawDescriptionHelpFormatter,
    RawTextHelpFormatter,
    SUPPRESS,
    ZERO_OR_MORE: '*',
  };
}
