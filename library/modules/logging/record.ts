/** `logging.LogRecord`, `Formatter` and `Filter`. */

import { nativeClass } from '../../builtins/native-class.ts';
import { call } from '../../values/calls/calls.ts';
import { callerFrame } from '../../values/calls/stack-frames.ts';
import { Dict } from '../../values/containers/dict.ts';
import { getitem } from '../../values/containers/subscripts.ts';
import { Tuple, tuple } from '../../values/containers/tuple.ts';
import { KeyError, ValueError } from '../../values/objects/exceptions.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { strOf } from '../../values/objects/repr.ts';
import { truth } from '../../values/objects/truth.ts';
import { formatPercent } from '../../values/text/percent-format.ts';
import { formatTemplate } from '../../values/text/str-format.ts';
import { quote } from '../../values/text/string-repr.ts';
import { formatTime, type Moment } from '../datetime/strftime.ts';
import { exceptionReport } from '../traceback.ts';

const started = Date.now();

export const levelNames = new Map<number, string>([
  [50, 'CRITICAL'],
  [40, 'ERROR'],
  [30, 'WARNING'],
  [20, 'INFO'],
  [10, 'DEBUG'],
  [0, 'NOTSET'],
]);

export function levelName(level: number): string {
  return levelNames.get(level) ?? `Level ${level}`;
}

/** One event. Its attributes are what format strings name. */
export class LogRecord {
  declare name: string;
  declare msg: unknown;
  declare args: unknown;
  declare levelno: number;
  declare exc_info: unknown;
  declare exc_text: string | null;
  declare stack_info: unknown;
  declare created: number;
  declare asctime: string;
  declare message: string;
  [attribute: string]: unknown;

  constructor(
    name: string,
    level: number,
    msg: unknown,
    args: readonly unknown[],
    excInfo: unknown,
    stackInfo: unknown,
  ) {
    const at = callerFrame();
    const base = at?.file.slice(at.file.lastIndexOf('/') + 1) ?? '';
    const now = Date.now();
    // `log.info("%(a)s", {"a": 1})`: one dictionary serves names.
    const only = args.length === 1 && args[0] instanceof Dict && args[0].size > 0 ? args[0] : undefined;
    Object.assign(this, {
      name,
      msg,
      args: only ?? new Tuple(args),
      levelname: levelName(level),
      levelno: level,
      pathname: at?.file ?? '',
      filename: base,
      module: base.replace(/\.[^.]*$/, ''),
      exc_info: excInfo,
      exc_text: null,
      stack_info: stackInfo,
      lineno: at?.line ?? 0,
      funcName: at?.name ?? '<module>',
      created: now / 1000,
      msecs: now % 1000,
      relativeCreated: now - started,
      thread: 1,
      threadName: 'MainThread',
      processName: 'MainProcess',
      process: process.pid,
      taskName: null,
    });
  }

  getMessage(): string {
    const text = strOf(this.msg);
    const none = this.args instanceof Tuple && this.args.items.length === 0;
    return none || this.args === null ? text : (formatPercent(text, this.args) as string);
  }

  [$repr](): string {
    return `<LogRecord: ${this.name}, ${this.levelno}, ${this['pathname']}, ${this['lineno']}, ${quote(strOf(this.msg))}>`;
  }
}
nativeClass(LogRecord, {
  name: 'LogRecord',
  module: 'logging',
  params: 'name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None',
  make: (cls, name, level, pathname, lineno, msg, args, excInfo, func, stackInfo) => {
    const record = new cls(
      name,
      level,
      msg,
      args instanceof Tuple ? args.items : args === null ? [] : [args],
      excInfo,
      stackInfo ?? null,
    );
    return Object.assign(record, { pathname, lineno, funcName: func ?? null });
  },
  methods: { getMessage: '' },
});

export function localMoment(seconds: number, utc = false): Moment {
  const at = new Date(seconds * 1000);
  const offset = utc ? 0 : -at.getTimezoneOffset() * 60;
  const d = new Date(at.getTime() + offset * 1000);
  return {
    year: d.getUTCFullYear(),
    month: d.getUTCMonth() + 1,
    day: d.getUTCDate(),
    hour: d.getUTCHours(),
    minute: d.getUTCMinutes(),
    second: d.getUTCSeconds(),
    microsecond: d.getUTCMilliseconds() * 1000,
    weekday: (d.getUTCDay() + 6) % 7,
    yearday: Math.floor((d.getTime() - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86_400_000) + 1,
    offset,
    zone: 'UTC',
  };
}

const styleDefaults: Readonly<Record<string, string>> = { '%': '%(message)s', '{': '{message}', $: '$message' };

export class Formatter {
  declare $format: string;
  declare $style: string;
  declare $defaults: Dict | undefined;
  declare datefmt: string | null;
  declare default_time_format: string;
  declare default_msec_format: string | null;
  declare converter: unknown;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(fmt?: any, datefmt?: any, style?: any, _validate?: unknown, defaults?: any): void {
    this.$style = style ?? '%';
    const fallback = styleDefaults[this.$style];
    if (fallback === undefined) throw new ValueError('Style must be one of: %,{,$');
    this.$format = fmt ?? fallback;
    this.$defaults = defaults ?? undefined;
    this.datefmt = datefmt ?? null;
  }

  get _fmt(): string {
    return this.$format;
  }

  usesTime(): boolean {
    const format = this.$format ?? '';
    return (
      format.includes(this.$style === '{' ? '{asctime' : this.$style === '$' ? '$asctime' : '%(asctime)') ||
      format.includes('${asctime}')
    );
  }

  formatTime(record: LogRecord, datefmt?: any): string {
    const utc = typeof this.converter === 'function' && (this.converter as any).name === 'gmtime';
    const moment = localMoment(record.created, utc);
    if (datefmt !== undefined && datefmt !== null) return formatTime(moment, datefmt);
    const text = formatTime(moment, this.default_time_format);
    const millis = Math.floor(record['msecs'] as number);
    return this.default_msec_format === null
      ? text
      : (formatPercent(this.default_msec_format, tuple(text, millis)) as string);
  }

  formatException(info: any): string {
    const error = info instanceof Tuple ? info.items[1] : info;
    return exceptionReport(error).join('').replace(/\n$/, '');
  }

  formatStack(info: unknown): unknown {
    return info;
  }

  formatMessage(record: LogRecord): string {
    const value = (name: string): unknown => {
      const own = (record as any)[name] ?? (name in record ? null : undefined);
      const found = own === undefined ? this.$defaults?.get(name) : own;
      if (found === undefined) throw new ValueError(`Formatting field not found in record: '${name}'`);
      return found;
    };
    const format = this.$format ?? '%(message)s';
    if (this.$style === '{') return formatTemplate(format, [], value);
    if (this.$style === '$') return substitute(format, value);
    const names = new Dict();
    for (const found of format.matchAll(/%\((\w+)\)/g)) names.set(found[1], value(found[1]!));
    return formatPercent(format, names) as string;
  }

  format(record: LogRecord): string {
    record.message = record.getMessage();
    if (this.usesTime()) record.asctime = this.formatTime(record, this.datefmt);
    let text = this.formatMessage(record);
    const newline = () => (text.endsWith('\n') ? '' : '\n');
    if (truth(record.exc_info) && record.exc_text === null) record.exc_text = this.formatException(record.exc_info);
    if (record.exc_text !== null && record.exc_text !== '') text += newline() + record.exc_text;
    if (truth(record.stack_info)) text += newline() + strOf(this.formatStack(record.stack_info));
    return text;
  }
}
Object.assign(Formatter.prototype, {
  $format: '%(message)s',
  $style: '%',
  datefmt: null,
  default_time_format: '%Y-%m-%d %H:%M:%S',
  default_msec_format: '%s,%03d',
  converter: null,
});
nativeClass(Formatter, {
  name: 'Formatter',
  module: 'logging',
  params: 'fmt=None, datefmt=None, style="%", validate=True, *, defaults=None',
  methods: {
    init: 'fmt=None, datefmt=None, style="%", validate=True, *, defaults=None',
    usesTime: '',
    formatTime: 'record, datefmt=None',
    formatException: 'ei',
    formatStack: 'stack_info',
    formatMessage: 'record',
    format: 'record',
  },
});

function substitute(format: string, value: (name: string) => unknown): string {
  return format.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (_all, bare?: string, braced?: string) => {
    const name = bare ?? braced;
    return name === undefined ? '$' : strOf(value(name));
  });
}

/** Lets events of one logger and its descendants pass. */
export class Filter {
  declare name: string;

  constructor(...slots: any[]) {
    this.init(...slots);
  }

  init(name?: any): void {
    this.name = name ?? '';
  }

  filter(record: LogRecord): boolean {
    return this.name === '' || record.name === this.name || record.name.startsWith(`${this.name}.`);
  }
}
Filter.prototype.name = '';
nativeClass(Filter, {
  name: 'Filter',
  module: 'logging',
  params: 'name=""',
  methods: { init: 'name=""', filter: 'record' },
});

/** Base of loggers and handlers: a list of filters. */
export class Filterer {
  declare $filters: any[] | undefined;

  get filters(): any[] {
    return (this.$filters ??= []);
  }

  addFilter(filter: unknown): null {
    if (!this.filters.includes(filter)) this.filters.push(filter);
    return null;
  }

  removeFilter(filter: unknown): null {
    const at = this.filters.indexOf(filter);
    if (at >= 0) this.filters.splice(at, 1);
    return null;
  }

  /** The record to go on with, or false. A filter may give another record in its place. */
  filter(record: LogRecord): LogRecord | false {
    for (const filter of this.filters) {
      const result = typeof filter === 'function' ? call(filter, record) : filter.filter(record);
      if (!truth(result)) return false;
      if (result instanceof LogRecord) record = result;
    }
    return record;
  }
}
nativeClass(Filterer, {
  name: 'Filterer',
  module: 'logging',
  methods: { addFilter: 'filter', removeFilter: 'filter', filter: 'record' },
});

/** Copies `extra={…}` to a record. @throws KeyError for names a record has itself */
export function addExtra(record: LogRecord, extra: unknown): void {
  if (!(extra instanceof Dict)) return;
  for (const name of extra.keys() as Iterable<string>) {
    if (name === 'message' || name === 'asctime' || name in record)
      throw new KeyError(`Attempt to overwrite '${name}' in LogRecord`);
    record[name] = getitem(extra, name);
  }
}
