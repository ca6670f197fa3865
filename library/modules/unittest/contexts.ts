/** Contexts of a test case: what has to be raised, warned about or logged inside of them. */

import { makeNamedTuple } from '../../builtins/namedtuple.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { std } from '../../registry.ts';
import { call, callkw } from '../../values/calls/calls.ts';
import { excMatch } from '../../values/calls/raise.ts';
import { Dict } from '../../values/containers/dict.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { getattrOr } from '../../values/objects/attributes.ts';
import { TypeError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { className, isClass } from '../../values/objects/type-name.ts';
import { fails, type Methods, patternText } from './assertions.ts';

const namesOf = (types: any): string => (types instanceof Tuple ? reprOf(types) : className(types));

function requireMatch(self: any, pattern: unknown, text: string, message: unknown): void {
  if (pattern !== undefined && call(std('re').search, pattern, text) === null)
    fails(self, `${patternText(pattern).replace(/^['"]|['"]$/g, '"')} does not match "${text}"`, message);
}

class Raises {
  exception: unknown = null;
  readonly expected: unknown;
  readonly $self: any;
  readonly $pattern: unknown;
  readonly $message: unknown;
  $callee = '';

  constructor(self: any, expected: unknown, pattern: unknown, message: unknown) {
    this.$self = self;
    this.expected = expected;
    this.$pattern = pattern;
    this.$message = message;
  }

  __enter__(): this {
    return this;
  }

  __exit__(_type: unknown, error: unknown): boolean {
    if ((error ?? null) === null)
      fails(this.$self, `${namesOf(this.expected)} not raised${this.$callee}`, this.$message);
    if (!excMatch(error, this.expected)) return false;
    this.exception = error;
    requireMatch(this.$self, this.$pattern, strOf(error), this.$message);
    return true;
  }
}
nativeClass(Raises, { name: '_AssertRaisesContext', module: 'unittest.case' });

class Warns {
  readonly $raises: Raises;
  readonly $caught = callkw(std('warnings').catch_warnings, [], Dict.of('record', true)) as any;
  $found: any;
  warning: unknown = null;
  filename: unknown = null;
  lineno: unknown = null;
  warnings: unknown = null;

  constructor(raises: Raises) {
    this.$raises = raises;
  }

  __enter__(): this {
    this.$found = callMethod(this.$caught, '__enter__');
    call(std('warnings').simplefilter, 'always');
    this.warnings = this.$found;
    return this;
  }

  __exit__(type: unknown): boolean {
    callMethod(this.$caught, '__exit__', null, null, null);
    if ((type ?? null) !== null) return false;
    const { expected, $self: self, $pattern: pattern, $message: message, $callee } = this.$raises;
    let first: any;
    for (const one of this.$found) {
      if (!excMatch(one.message, expected)) continue;
      first ??= one;
      if (pattern !== undefined && call(std('re').search, pattern, strOf(one.message)) === null) continue;
      Object.assign(this, { warning: one.message, filename: one.filename, lineno: one.lineno });
      return false;
    }
    if (first !== undefined) requireMatch(self, pattern, strOf(first.message), message);
    return fails(self, `${namesOf(expected)} not triggered${$callee}`, message);
  }
}
nativeClass(Warns, { name: '_AssertWarnsContext', module: 'unittest.case' });

const LoggingWatcher = makeNamedTuple('_LoggingWatcher', ['records', 'output'], { module: 'unittest._log' });

class Logs {
  readonly $self: any;
  readonly $logger: any;
  readonly $level: number;
  readonly $wanted: boolean;
  readonly $records: unknown[] = [];
  readonly $output: unknown[] = [];
  $before: readonly unknown[] = [];

  constructor(self: any, logger: any, level: any, wanted: boolean) {
    const logging = std('logging');
    this.$self = self;
    this.$logger =
      logger === undefined || logger === null || typeof logger === 'string'
        ? call(logging.getLogger, logger ?? null)
        : logger;
    this.$level = level === undefined || level === null ? 20 : typeof level === 'string' ? logging[level] : level;
    this.$wanted = wanted;
  }

  __enter__(): unknown {
    const logger = this.$logger;
    this.$before = [logger.handlers, logger.level, logger.propagate];
    const handler = call(std('logging').Handler, this.$level) as any;
    const formatter: any = call(std('logging').Formatter, '%(levelname)s:%(name)s:%(message)s');
    handler.emit = (record: unknown) => {
      this.$records.push(record);
      this.$output.push(callMethod(formatter, 'format', record));
      return null;
    };
    logger.handlers = [handler];
    callMethod(logger, 'setLevel', this.$level);
    logger.propagate = false;
    return this.$wanted ? new LoggingWatcher([this.$records, this.$output]) : null;
  }

  __exit__(type: unknown): boolean {
    const [handlers, level, propagate] = this.$before;
    callMethod(this.$logger, 'setLevel', level);
    Object.assign(this.$logger, { handlers, propagate });
    if ((type ?? null) !== null) return false;
    const name = strOf(this.$logger.name);
    if (this.$wanted && this.$records.length === 0)
      fails(this.$self, `no logs of level ${levelName(this.$level)} or higher triggered on ${name}`, null);
    if (!this.$wanted && this.$records.length > 0)
      fails(this.$self, `Unexpected logs found: ${reprOf(this.$output)}`, null);
    return false;
  }
}
nativeClass(Logs, { name: '_AssertLogsContext', module: 'unittest._log' });

const levelName = (level: number): string => strOf(call(std('logging').getLevelName, level));

/** Gives the context without a function; with one, calls the function in it. */
function within(context: Raises | Warns, raises: Raises, args: readonly unknown[], kwargs?: Dict): unknown {
  const [f, ...rest] = args;
  if (args.length === 0) return context;
  raises.$callee = ` by ${strOf(getattrOr(f, '__name__', f))}`;
  context.__enter__();
  const left = (error?: any): null => {
    if (!context.__exit__(error?.constructor ?? null, error) && error !== undefined) throw error;
    return null;
  };
  try {
    const result = callkw(f, rest, kwargs);
    if (result instanceof Promise) return result.then(() => left(), left);
  } catch (error) {
    return left(error);
  }
  return left();
}

function requireTypes(types: any, base: string, method: string): void {
  for (const one of types instanceof Tuple ? types.items : [types])
    if (!isClass(one))
      throw new TypeError(`${method}() arg 1 must be ${base} or tuple of ${base.replace(/^an? /, '')}s`);
}

function raising(method: string, hasPattern: boolean, isWarning: boolean) {
  return (self: any, expected: unknown, ...slots: any[]): unknown => {
    const pattern = hasPattern ? slots.shift() : undefined;
    const [args = [], kwargs] = slots as [unknown[]?, Dict?];
    requireTypes(expected, isWarning ? 'a warning class' : 'an exception type', method);
    let message: unknown = null;
    if (args.length === 0 && kwargs !== undefined) message = kwargs.get('msg') ?? null;
    const raises = new Raises(self, expected, pattern, message);
    return within(isWarning ? new Warns(raises) : raises, raises, args, kwargs);
  };
}

export const contexts: Methods = {
  assertRaises: ['expected_exception, *args, **kwargs', raising('assertRaises', false, false)],
  assertRaisesRegex: ['expected_exception, expected_regex, *args, **kwargs', raising('assertRaisesRegex', true, false)],
  assertWarns: ['expected_warning, *args, **kwargs', raising('assertWarns', false, true)],
  assertWarnsRegex: ['expected_warning, expected_regex, *args, **kwargs', raising('assertWarnsRegex', true, true)],
  assertLogs: ['logger=None, level=None', (self, logger, level) => new Logs(self, logger, level, true)],
  assertNoLogs: ['logger=None, level=None', (self, logger, level) => new Logs(self, logger, level, false)],
};
