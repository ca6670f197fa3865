/** Module `logging`: loggers, their hierarchy and the module's functions. */

import { functions, type Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { streams } from '../../builtins/streams.ts';
import { callScope } from '../../call-scope.ts';
import { std } from '../../registry.ts';
import { call as callFunction } from '../../values/calls/calls.ts';
import { handledException } from '../../values/calls/handled.ts';
import { framesOf } from '../../values/calls/stack-frames.ts';
import { Dict } from '../../values/containers/dict.ts';
import { toArray } from '../../values/containers/iteration.ts';
import { Tuple } from '../../values/containers/tuple.ts';
import { asInt } from '../../values/numbers/numbers.ts';
import { BaseException, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { className, isClass } from '../../values/objects/type-name.ts';
import { excInfo } from '../traceback.ts';
import { FileHandler, Handler, NullHandler, requireLevel, StreamHandler } from './handlers.ts';
import { addExtra, Filter, Filterer, Formatter, LogRecord, levelName, levelNames } from './record.ts';

/** State that the loggers of one module object share: `Logger.manager`. */
class Manager {
  readonly $loggers = new Map<string, Logger>();
  readonly $lastResort: Handler;
  readonly root: Logger;
  disable = 0;
  $class: any = Logger;
  /** Makes records in place of `LogRecord`. */
  $factory: unknown;

  constructor() {
    this.$lastResort = new StreamHandler();
    // `sys.stderr` may be replaced after the module was loaded.
    Object.defineProperty(this.$lastResort, 'stream', { get: () => streams.stderr, configurable: true });
    this.$lastResort.level = 30;
    this.root = new Logger('root', 30);
    this.root.$manager = this;
  }

  get loggerDict(): Dict {
    return Dict.from(this.$loggers);
  }

  getLogger(name: unknown): Logger {
    if (typeof name !== 'string') throw new TypeError('A logger name must be a string');
    let logger = this.$loggers.get(name);
    if (logger === undefined) {
      logger = callFunction(this.$class, name) as Logger;
      logger.$manager = this;
      this.$loggers.set(name, logger);
    }
    return logger;
  }

  setLoggerClass(cls: any): null {
    if (typeof cls !== 'function' || !(cls === Logger || cls.prototype instanceof Logger))
      throw new TypeError(`logger not derived from logging.Logger: ${isClass(cls) ? className(cls) : reprOf(cls)}`);
    this.$class = cls;
    return null;
  }

  setLogRecordFactory(factory: unknown): null {
    this.$factory = factory;
    return null;
  }
}
nativeClass(Manager, {
  name: 'Manager',
  module: 'logging',
  methods: { getLogger: 'name', setLoggerClass: 'klass', setLogRecordFactory: 'factory' },
});

// The one of the module object made last: loggers that a program makes itself belong to it.
let latest: Manager;

const call = 'msg, *args, exc_info=None, stack_info=False, stacklevel=1, extra=None';

export class Logger extends Filterer {
  declare name: string;
  declare level: number;
  declare handlers: any[];
  declare propagate: unknown;
  declare disabled: boolean;
  declare $ownManager: Manager | undefined;

  constructor(...slots: any[]) {
    super();
    this.init(...slots);
  }

  init(name?: any, level?: any): void {
    this.name = name;
    this.level = level === undefined ? 0 : requireLevel(level);
    this.handlers = [];
    this.propagate = true;
    this.disabled = false;
  }

  get $manager(): Manager {
    return this.$ownManager ?? latest;
  }

  set $manager(manager: Manager) {
    this.$ownManager = manager;
  }

  get manager(): Manager {
    return this.$manager;
  }

  get parent(): Logger | null {
    if (this.$ownManager === undefined || this === this.$manager.root) return null;
    for (let at = this.name.lastIndexOf('.'); at > 0; at = this.name.lastIndexOf('.', at - 1)) {
      const found = this.$manager.$loggers.get(this.name.slice(0, at));
      if (found !== undefined) return found;
    }
    return this.$manager.root;
  }

  get root(): Logger {
    return this.$manager.root;
  }

  setLevel(level: unknown): null {
    this.level = requireLevel(level);
    return null;
  }

  getEffectiveLevel(): number {
    for (let logger: Logger | null = this; logger !== null; logger = logger.parent)
      if (logger.level !== 0) return logger.level;
    return 0;
  }

  isEnabledFor(level: any): boolean {
    return !this.disabled && level > this.$manager.disable && level >= this.getEffectiveLevel();
  }

  getChild(suffix: string): Logger {
    return this.$manager.getLogger(this === this.$manager.root ? suffix : `${this.name}.${suffix}`);
  }

  addHandler(handler: unknown): null {
    if (!this.handlers.includes(handler)) this.handlers.push(handler);
    return null;
  }

  removeHandler(handler: unknown): null {
    const at = this.handlers.indexOf(handler);
    if (at >= 0) this.handlers.splice(at, 1);
    return null;
  }

  hasHandlers(): boolean {
    for (let logger: Logger | null = this; logger !== null; logger = truth(logger.propagate) ? logger.parent : null) {
      if (logger.handlers.length > 0) return true;
    }
    return false;
  }

  $log(
    level: number,
    msg: unknown,
    args: readonly unknown[],
    info?: unknown,
    stackInfo?: unknown,
    extra?: unknown,
  ): null | Promise<null> {
    if (!this.isEnabledFor(level)) return null;
    const stack = truth(stackInfo) ? stackText() : null;
    const record = this.$record(level, msg, args, errorInfo(info), stack);
    addExtra(record, extra);
    return this.handle(record);
  }

  $record(level: number, msg: unknown, args: readonly unknown[], info: unknown, stack: string | null): LogRecord {
    const record = new LogRecord(this.name, level, msg, args, info, stack);
    const { $factory: factory } = this.$manager;
    if (factory === undefined) return record;
    const { pathname, lineno, funcName } = record;
    const given = [this.name, level, pathname, lineno, msg, new Tuple(args), info, funcName, stack];
    return callFunction(factory, ...given) as LogRecord;
  }

  handle(record: LogRecord): null | Promise<null> {
    const passed = this.disabled ? false : this.filter(record);
    if (passed === false) return null;
    callScope.logged(strOf(passed.levelname), passed);
    return this.callHandlers(passed);
  }

  /** One handler after the other, also where one of the program waits. */
  callHandlers(record: LogRecord): null | Promise<null> {
    let found = 0;
    let pending: Promise<unknown> | undefined;
    const hand = (handler: any): void => {
      const act = () => callMethod(handler, 'handle', record);
      const handled = pending === undefined ? act() : pending.then(act);
      if (handled instanceof Promise) pending = handled;
    };
    for (let logger: Logger | null = this; logger !== null; logger = truth(logger.propagate) ? logger.parent : null) {
      for (const handler of logger.handlers) {
        found += 1;
        if (record.levelno >= handler.level) hand(handler);
      }
    }
    if (found === 0 && record.levelno >= this.$manager.$lastResort.level) this.$manager.$lastResort.handle(record);
    return pending === undefined ? null : pending.then(() => null);
  }

  log(
    level: unknown,
    msg: unknown,
    args: readonly unknown[],
    info?: unknown,
    stackInfo?: unknown,
    _level?: unknown,
    extra?: unknown,
  ): null | Promise<null> {
    const number = asInt(level);
    if (number === undefined) throw new TypeError('level must be an integer');
    return this.$log(Number(number), msg, args, info, stackInfo, extra);
  }

  exception(
    msg: unknown,
    args: readonly unknown[],
    info?: unknown,
    stackInfo?: unknown,
    _level?: unknown,
    extra?: unknown,
  ): null | Promise<null> {
    return this.$log(40, msg, args, info ?? true, stackInfo, extra);
  }

  [$repr](): string {
    return `<${this === this.$manager.root ? 'RootLogger' : 'Logger'} ${this.name} (${levelName(this.getEffectiveLevel())})>`;
  }
}

const levels = { debug: 10, info: 20, warning: 30, warn: 30, error: 40, critical: 50, fatal: 50 } as const;
const levelMethods: Record<string, string> = {};
for (const [name, level] of Object.entries(levels)) {
  const method = {
    [name](
      this: Logger,
      msg: unknown,
      args: readonly unknown[],
      info?: unknown,
      stackInfo?: unknown,
      _level?: unknown,
      extra?: unknown,
    ): null | Promise<null> {
      return this.$log(level, msg, args, info, stackInfo, extra);
    },
  }[name]!;
  Object.defineProperty(Logger.prototype, name, { value: method, writable: true, configurable: true });
  levelMethods[name] = call;
}
Object.defineProperty(Logger, 'manager', { get: () => latest, configurable: true });
nativeClass(Logger, {
  name: 'Logger',
  module: 'logging',
  params: 'name, level=0',
  methods: {
    ...levelMethods,
    log: `level, ${call}`,
    exception: call,
    setLevel: 'level',
    getEffectiveLevel: '',
    isEnabledFor: 'level',
    getChild: 'suffix',
    addHandler: 'hdlr',
    removeHandler: 'hdlr',
    hasHandlers: '',
    handle: 'record',
    callHandlers: 'record',
    init: 'name, level=0',
  },
});

function stackText(): string {
  const lines = framesOf(new Error().stack)
    .reverse()
    .map((frame) => `  File "${frame.file}", line ${frame.line}, in ${frame.name}`);
  return ['Stack (most recent call last):', ...lines].join('\n');
}

function errorInfo(info: unknown): unknown {
  if (info instanceof Tuple || info === undefined) return info ?? null;
  if (info instanceof BaseException) return excInfo(info);
  return truth(info) ? excInfo(handledException()) : null;
}

/** Adds fields to every event of a logger. */
class LoggerAdapter {
  declare logger: any;
  declare extra: unknown;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(logger?: any, extra?: any): void {
    this.logger = logger;
    this.extra = extra ?? null;
  }

  process(msg: unknown, kwargs: Dict): Tuple {
    if (this.extra !== null) kwargs.set('extra', this.extra);
    return new Tuple([msg, kwargs]);
  }

  log(level: number, msg: unknown, args: unknown[], kwargs: Dict): null {
    if (!this.logger.isEnabledFor(level)) return null;
    const [text, given] = callMethod(this, 'process', msg, kwargs).items as [unknown, Dict];
    return this.logger.log(
      level,
      text,
      args,
      given.get('exc_info'),
      given.get('stack_info'),
      undefined,
      given.get('extra'),
    );
  }

  isEnabledFor(level: number): boolean {
    return this.logger.isEnabledFor(level);
  }

  setLevel(level: unknown): null {
    return this.logger.setLevel(level);
  }
}
const adapterMethods: Record<string, string> = {};
for (const [name, level] of [...Object.entries(levels), ['exception', 40] as const]) {
  Object.defineProperty(LoggerAdapter.prototype, name, {
    writable: true,
    configurable: true,
    value: {
      [name](this: LoggerAdapter, msg: unknown, args: unknown[], kwargs: Dict): null {
        if (name === 'exception' && !kwargs.has('exc_info')) kwargs.set('exc_info', true);
        return this.log(level, msg, args, kwargs);
      },
    }[name],
  });
  adapterMethods[name] = 'msg, *args, **kwargs';
}
nativeClass(LoggerAdapter, {
  name: 'LoggerAdapter',
  module: 'logging',
  params: 'logger, extra=None',
  methods: {
    ...adapterMethods,
    init: 'logger, extra=None',
    process: 'msg, kwargs',
    log: 'level, msg, *args, **kwargs',
    isEnabledFor: 'level',
    setLevel: 'level',
  },
});

const configNames = [
  'filename',
  'filemode',
  'format',
  'datefmt',
  'style',
  'level',
  'stream',
  'handlers',
  'force',
  'encoding',
  'errors',
];
const basicFormats: Readonly<Record<string, string>> = {
  '%': '%(levelname)s:%(name)s:%(message)s',
  '{': '{levelname}:{name}:{message}',
  $: '${levelname}:${name}:${message}',
};

function basicConfig(manager: Manager, given: Dict): null {
  const root = manager.root;
  if (truth(given.get('force'))) {
    for (const handler of root.handlers.splice(0)) callMethod(handler, 'close');
  }
  if (root.handlers.length > 0) return null;
  const option = (name: string): any => given.get(name) ?? undefined;
  const unknown = [...given.keys()].filter((name) => !configNames.includes(name as string));
  if (unknown.length > 0) throw new ValueError(`Unrecognised argument(s): ${unknown.join(', ')}`);
  const [handlers, stream, filename] = [option('handlers'), option('stream'), option('filename')];
  if (handlers === undefined && stream !== undefined && filename !== undefined) {
    throw new ValueError("'stream' and 'filename' should not be specified together");
  }
  if (handlers !== undefined && (stream !== undefined || filename !== undefined)) {
    throw new ValueError("'stream' or 'filename' should not be specified together with 'handlers'");
  }
  const style = option('style') ?? '%';
  if (basicFormats[style] === undefined) throw new ValueError('Style must be one of: %,{,$');
  const formatter = new Formatter(option('format') ?? basicFormats[style], option('datefmt'), style);
  const made: any[] =
    handlers !== undefined
      ? toArray(handlers)
      : [
          filename === undefined
            ? new StreamHandler(stream)
            : new FileHandler(filename, option('filemode') ?? 'a', option('encoding')),
        ];
  for (const handler of made) {
    handler.formatter ??= formatter;
    root.addHandler(handler);
  }
  if (option('level') !== undefined) root.setLevel(option('level'));
  return null;
}

export function makeLogging(): Members {
  const manager = new Manager();
  latest = manager;
  const { root } = manager;
  const toRoot =
    (level: number) =>
    (msg: unknown, args: unknown[], info?: unknown, stackInfo?: unknown, _level?: unknown, extra?: unknown) => {
      if (root.handlers.length === 0) basicConfig(manager, new Dict());
      return root.$log(level, msg, args, info, stackInfo, extra);
    };
  const byLevel = Object.fromEntries(
    Object.entries(levels).map(([name, level]) => [name, [call, toRoot(level)] as const]),
  );
  return {
    CRITICAL: 50,
    FATAL: 50,
    ERROR: 40,
    WARNING: 30,
    WARN: 30,
    INFO: 20,
    DEBUG: 10,
    NOTSET: 0,
    BASIC_FORMAT: basicFormats['%'],
    Filter,
    FileHandler,
    Formatter,
    Handler,
    LogRecord,
    Logger,
    LoggerAdapter,
    Manager,
    get config() {
      return std('logging.config');
    },
    get handlers() {
      return std('logging.handlers');
    },
    NullHandler,
    StreamHandler,
    lastResort: manager.$lastResort,
    root,
    raiseExceptions: true,
    ...functions('logging', {
      ...byLevel,
      exception: [
        call,
        (msg: unknown, args: unknown[], info?: unknown, stackInfo?: unknown, _level?: unknown, extra?: unknown) =>
          toRoot(40)(msg, args, info ?? true, stackInfo, undefined, extra),
      ],
      log: [
        `level, ${call}`,
        (level: number, msg: unknown, args: unknown[], info?: unknown) => toRoot(level)(msg, args, info),
      ],
      addLevelName: [
        'level, levelName',
        (level: number, name: string) => {
          levelNames.set(level, name);
          return null;
        },
      ],
      basicConfig: ['**kwargs', (given: Dict) => basicConfig(manager, given)],
      captureWarnings: ['capture', () => null],
      disable: [
        'level=50',
        (level?: unknown) => {
          manager.disable = level === undefined ? 50 : requireLevel(level);
          return null;
        },
      ],
      getLevelName: [
        'level',
        (level: any) => {
          if (typeof level !== 'string') return levelName(Number(level));
          for (const [value, name] of levelNames) if (name === level) return value;
          return `Level ${level}`;
        },
      ],
      getLevelNamesMapping: ['', () => Dict.from([...levelNames].map(([value, name]) => [name, value] as const))],
      getLogger: [
        'name=None',
        (name?: unknown) => {
          if (name === undefined || name === null || name === '' || name === 'root') return root;
          return manager.getLogger(name);
        },
      ],
      getLoggerClass: ['', () => manager.$class],
      getLogRecordFactory: ['', () => manager.$factory ?? LogRecord],
      setLogRecordFactory: ['factory', (factory: unknown) => manager.setLogRecordFactory(factory)],
      makeLogRecord: [
        'dict',
        (fields: Dict) =>
          Object.assign(
            new LogRecord('', 0, '', [], null, null),
            Object.fromEntries(fields.entries() as Iterable<[string, unknown]>),
          ),
      ],
      setLoggerClass: ['klass', (cls: unknown) => manager.setLoggerClass(cls)],
      shutdown: [
        'handlerList=None',
        () => {
          for (const handler of [...manager.$loggers.values(), root].flatMap((logger) => logger.handlers))
            callMethod(handler, 'flush');
          return null;
        },
      ],
    }),
  };
}
