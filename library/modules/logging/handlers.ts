/** Handlers of `logging`: where records go. Programs may derive from them; `init` is their constructor. */

import { nativeClass } from '../../builtins/native-class.ts';
import { open } from '../../builtins/open.ts';
import { pathOf } from '../../builtins/path-of.ts';
import { streams } from '../../builtins/streams.ts';
import { callkw } from '../../values/calls/calls.ts';
import { caught } from '../../values/calls/raise.ts';
import { asInt } from '../../values/numbers/numbers.ts';
import { NotImplementedError, TypeError, ValueError } from '../../values/objects/exceptions.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { $repr } from '../../values/objects/protocol.ts';
import { reprOf, strOf } from '../../values/objects/repr.ts';
import { exceptionReport, writeTo } from '../traceback.ts';
import { Filterer, Formatter, type LogRecord, levelName, levelNames } from './record.ts';

/** A level given as a number or a name. @throws ValueError, TypeError */
export function requireLevel(level: unknown): number {
  const number = asInt(level);
  if (number !== undefined) return Number(number);
  if (typeof level !== 'string') throw new TypeError(`Level not an integer or a valid string: ${reprOf(level)}`);
  for (const [value, name] of levelNames) if (name === level) return value;
  const alias = { WARN: 30, FATAL: 50 }[level];
  if (alias === undefined) throw new ValueError(`Unknown level: ${reprOf(level)}`);
  return alias;
}

const plain = new Formatter();

export class Handler extends Filterer {
  declare level: number;
  declare formatter: Formatter | null;
  declare name: string | null;

  constructor(...slots: any[]) {
    super();
    this.init(...slots);
  }

  init(level?: any, ..._rest: any[]): void {
    this.level = level === undefined ? 0 : requireLevel(level);
  }

  get_name(): string | null {
    return this.name;
  }

  set_name(name: string): null {
    this.name = name;
    return null;
  }

  setLevel(level: unknown): null {
    this.level = requireLevel(level);
    return null;
  }

  setFormatter(formatter: any): null {
    this.formatter = formatter ?? null;
    return null;
  }

  format(record: LogRecord): string {
    return callMethod(this.formatter ?? plain, 'format', record);
  }

  emit(_record: LogRecord): unknown {
    throw new NotImplementedError('emit must be implemented by Handler subclasses');
  }

  handle(record: LogRecord): unknown {
    const passed = this.filter(record);
    if (passed === false) return false;
    const emitted = this.emit(passed);
    return emitted instanceof Promise ? emitted.then(() => passed) : passed;
  }

  handleError(record: LogRecord, error?: unknown): null {
    const report = error === undefined ? '' : exceptionReport(error).join('');
    return writeTo(
      undefined,
      `--- Logging error ---\n${report}Message: ${reprOf(record.msg)}\nArguments: ${reprOf(record.args)}\n`,
    );
  }

  acquire(): null {
    return null;
  }

  release(): null {
    return null;
  }

  flush(): null {
    return null;
  }

  close(): null {
    return null;
  }

  [$repr](): string {
    return `<${this.constructor.name} (${levelName(this.level)})>`;
  }
}
Object.assign(Handler.prototype, { level: 0, formatter: null, name: null });
nativeClass(Handler, {
  name: 'Handler',
  module: 'logging',
  params: 'level=0',
  methods: {
    init: 'level=0',
    get_name: '',
    set_name: 'name',
    setLevel: 'level',
    setFormatter: 'fmt',
    format: 'record',
    emit: 'record',
    handle: 'record',
    handleError: 'record, error=None',
    acquire: '',
    release: '',
    flush: '',
    close: '',
  },
});

export class StreamHandler extends Handler {
  declare stream: any;
  declare terminator: string;

  override init(stream?: any): void {
    super.init();
    this.stream = stream ?? streams.stderr;
  }

  setStream(stream: unknown): unknown {
    const before = this.stream;
    this.stream = stream;
    return before === stream ? null : before;
  }

  override emit(record: LogRecord): unknown {
    try {
      callMethod(this.stream, 'write', strOf(this.format(record)) + this.terminator);
    } catch (e) {
      this.handleError(record, caught(e));
    }
    return null;
  }

  override flush(): null {
    if (this.stream !== null && typeof this.stream.flush === 'function' && this.stream.closed !== true)
      callMethod(this.stream, 'flush');
    return null;
  }
}
Object.assign(StreamHandler.prototype, { terminator: '\n' });
nativeClass(StreamHandler, {
  name: 'StreamHandler',
  module: 'logging',
  params: 'stream=None',
  methods: { init: 'stream=None', setStream: 'stream', emit: 'record', flush: '' },
});

export class FileHandler extends StreamHandler {
  declare baseFilename: string;
  declare mode: string;
  declare $encoding: unknown;

  override init(filename?: any, mode?: any, encoding?: any, delay?: any): void {
    super.init();
    this.baseFilename = String(pathOf(filename));
    this.mode = mode ?? 'a';
    this.$encoding = encoding ?? 'utf-8';
    this.stream = delay === true ? null : this.$open();
  }

  $open(): unknown {
    return callkw(open, [this.baseFilename, this.mode], [['encoding', this.$encoding]]);
  }

  override emit(record: LogRecord): unknown {
    this.stream ??= this.$open();
    return super.emit(record);
  }

  override close(): null {
    if (this.stream !== null) callMethod(this.stream, 'close');
    this.stream = null;
    return null;
  }
}
nativeClass(FileHandler, {
  name: 'FileHandler',
  module: 'logging',
  params: 'filename, mode="a", encoding=None, delay=False, errors=None',
  methods: { init: 'filename, mode="a", encoding=None, delay=False, errors=None', emit: 'record', close: '' },
});

export class NullHandler extends Handler {
  override emit(_record: LogRecord): null {
    return null;
  }

  override handle(_record: LogRecord): null {
    return null;
  }
}
nativeClass(NullHandler, {
  name: 'NullHandler',
  module: 'logging',
  params: 'level=0',
  methods: { emit: 'record', handle: 'record' },
});
