/** Actions of `argparse`: how an argument treats its values; programs derive from `Action`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { getattrOr } from '../../values/objects/attributes.ts';
import { eq } from '../../values/objects/equality.ts';
import {
  Exception,
  NotImplementedError,
  nameException,
  TypeError,
  ValueError,
} from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $eq, $repr, $str, attributeName, key, type ReprState } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';

export const SUPPRESS = '==SUPPRESS==';
export const REMAINDER = '...';
export const PARSER = 'A...';

/** The parsed values, as attributes. */
export class Namespace {
  [name: string]: unknown;

  constructor(values?: Dict) {
    for (const [name, value] of values?.entries() ?? []) this[key(String(name))] = value;
  }

  __contains__(name: string): boolean {
    return Object.hasOwn(this, key(name));
  }

  [$eq](other: unknown): boolean | undefined {
    return other instanceof Namespace
      ? eq(Dict.fromObject(this as Record<string, unknown>), Dict.fromObject(other as Record<string, unknown>))
      : undefined;
  }

  [$repr](state: ReprState): string {
    return `Namespace(${Object.keys(this)
      .map((name) => `${attributeName(name)}=${reprOf(this[name], state)}`)
      .join(', ')})`;
  }
}
nativeClass(Namespace, { name: 'Namespace', module: 'argparse', params: '**kwargs', methods: { __contains__: 'key' } });

export const readName = (namespace: any, name: string): unknown => namespace[key(name)];
export const writeName = (namespace: any, name: string, value: unknown): void => {
  namespace[key(name)] = value;
};

export class ArgumentTypeError extends Exception {}
nameException(ArgumentTypeError, 'ArgumentTypeError', 'argparse');

/** A problem with one argument; the parser reports it and leaves the program. */
export class ArgumentError extends Exception {
  declare argument_name: string | null;
  declare $text: string;

  constructor(argument: any, message: string) {
    super(argument ?? null, message);
    this.argument_name = argument === null || argument === undefined ? null : nameOf(argument);
    this.$text = message;
  }

  override [$str](): string {
    return this.argument_name === null ? this.$text : `argument ${this.argument_name}: ${this.$text}`;
  }
}
nameException(ArgumentError, 'ArgumentError', 'argparse');

/** Gives the name of an argument in messages. */
export function nameOf(action: Action): string {
  if (action.option_strings.length > 0) return action.option_strings.join('/');
  if (action.metavar !== null && action.metavar !== SUPPRESS) return strOf(action.metavar);
  if (action.dest !== null && action.dest !== SUPPRESS) return action.dest;
  return action.choices === null
    ? ''
    : `{${choicesOf(action)
        .map((x) => strOf(x))
        .join(',')}}`;
}

export function choicesOf(action: Action): unknown[] {
  return toArray(action.choices);
}

export const actionNames = 'option_strings, dest, nargs, const, default, type, choices, required, help, metavar'.split(
  ', ',
);
const actionParams =
  'option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None';

export class Action {
  declare option_strings: string[];
  declare dest: string;
  declare nargs: any;
  declare const: unknown;
  declare default: unknown;
  declare type: unknown;
  declare choices: unknown;
  declare required: boolean;
  declare help: any;
  declare metavar: any;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(...slots: any[]): void {
    actionNames.forEach((name, i) => {
      (this as any)[name] = slots[i] ?? null;
    });
    this.required = truth(this.required);
  }

  __call__(_parser: unknown, _namespace: unknown, _values: unknown, _option?: unknown): unknown {
    throw new NotImplementedError('.__call__() not defined');
  }

  format_usage(): string {
    return this.option_strings[0] ?? '';
  }

  [$repr](): string {
    return `${this.constructor.name}(${actionNames.map((name) => `${name}=${reprOf((this as any)[name])}`).join(', ')})`;
  }
}
nativeClass(Action, {
  name: 'Action',
  module: 'argparse',
  params: actionParams,
  methods: { init: actionParams, __call__: 'parser, namespace, values, option_string=None', format_usage: '' },
});

/** A class of action with a fixed behaviour; `fix` changes what was given before it is stored. */
function simple(
  name: string,
  run: (self: Action, namespace: any, values: unknown, parser: any, option: any) => unknown,
  fix?: (self: Action) => void,
): any {
  class Simple extends Action {
    override init(...slots: any[]): void {
      super.init(...slots);
      fix?.(this);
    }

    override __call__(parser: unknown, namespace: unknown, values: unknown, option?: unknown): unknown {
      run(this, namespace, values, parser, option);
      return null;
    }
  }
  Object.defineProperty(Simple, 'name', { value: name });
  return nativeClass(Simple, {
    name,
    module: 'argparse',
    params: actionParams,
    methods: { init: actionParams, __call__: 'parser, namespace, values, option_string=None' },
  });
}

const flag = (value: boolean) =>
  simple(
    value ? '_StoreTrueAction' : '_StoreFalseAction',
    (self, namespace) => writeName(namespace, self.dest, self.const),
    (self) => {
      self.nargs = 0;
      self.const = value;
      if (self.default === null) self.default = !value;
    },
  );

const noArguments = (self: Action): void => {
  self.nargs = 0;
};
const someArguments = (kind: string) => (self: Action) => {
  if (self.nargs === 0)
    throw new ValueError(
      `nargs for ${kind} actions must be != 0; if arg strings are not supplying the value to ${kind === 'store' ? 'store' : 'append'}, actions such as ${kind === 'store' ? 'store true or store const' : 'append const'} may be more appropriate`,
    );
};
const listOf = (namespace: unknown, name: string): unknown[] => {
  const known = readName(namespace, name);
  return known === null || known === undefined ? [] : toArray(known);
};

export const BooleanOptionalAction = simple(
  'BooleanOptionalAction',
  (self, namespace, _values, _parser, option) => writeName(namespace, self.dest, !String(option).startsWith('--no-')),
  (self) => {
    self.option_strings = self.option_strings.flatMap((option) =>
      option.startsWith('--') ? [option, `--no-${option.slice(2)}`] : [option],
    );
    self.nargs = 0;
  },
);
BooleanOptionalAction.prototype.format_usage = function formatUsage(this: Action): string {
  return this.option_strings.join(' | ');
};

const actionClasses: Readonly<Record<string, any>> = {
  store: simple(
    '_StoreAction',
    (self, namespace, values) => writeName(namespace, self.dest, values),
    someArguments('store'),
  ),
  store_const: simple(
    '_StoreConstAction',
    (self, namespace) => writeName(namespace, self.dest, self.const),
    noArguments,
  ),
  store_true: flag(true),
  store_false: flag(false),
  append: simple(
    '_AppendAction',
    (self, namespace, values) => writeName(namespace, self.dest, [...listOf(namespace, self.dest), values]),
    someArguments('append'),
  ),
  append_const: simple(
    '_AppendConstAction',
    (self, namespace) => writeName(namespace, self.dest, [...listOf(namespace, self.dest), self.const]),
    noArguments,
  ),
  extend: simple(
    '_ExtendAction',
    (self, namespace, values) => writeName(namespace, self.dest, [...listOf(namespace, self.dest), ...toArray(values)]),
    someArguments('append'),
  ),
  count: simple(
    '_CountAction',
    (self, namespace) => writeName(namespace, self.dest, Number(readName(namespace, self.dest) ?? 0) + 1),
    noArguments,
  ),
  help: simple(
    '_HelpAction',
    (_self, _namespace, _values, parser) => {
      callMethod(parser, 'print_help');
      callMethod(parser, 'exit');
    },
    (self) => {
      self.nargs = 0;
      self.default = SUPPRESS;
    },
  ),
  version: simple(
    '_VersionAction',
    (self, _namespace, _values, parser) => callMethod(parser, '_print_version', self.const),
    (self) => {
      self.nargs = 0;
      self.default = SUPPRESS;
    },
  ),
};

/** The class for `action=…`. @throws ValueError */
export function actionClass(action: unknown): any {
  if (typeof action === 'function') return action;
  const name = action === undefined || action === null ? 'store' : strOf(action);
  if (!Object.hasOwn(actionClasses, name)) throw new ValueError(`unknown action "${name}"`);
  return actionClasses[name];
}

/** Options a class of action does not take. */
export const unwanted: Readonly<Record<string, readonly string[]>> = {
  store_true: ['nargs', 'const', 'type', 'choices', 'metavar'],
  store_false: ['nargs', 'const', 'type', 'choices', 'metavar'],
  store_const: ['nargs', 'type', 'choices'],
  append_const: ['nargs', 'type', 'choices'],
  count: ['nargs', 'const', 'type', 'choices', 'metavar'],
};

export function refuseUnwanted(action: unknown, given: Dict): void {
  const bad = unwanted[String(action)]?.find((name) => given.has(name));
  if (bad !== undefined)
    throw new TypeError(
      `${getattrOr(actionClass(action), '__name__', '')}.__init__() got an unexpected keyword argument '${bad}'`,
    );
}
