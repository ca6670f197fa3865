/** Module `logging.handlers`: files that are started anew, and buffers in front of other handlers. */
import { existsSync } from 'node:fs';
import type { Members } from '../../builtins/module.ts';
import { nativeClass } from '../../builtins/native-class.ts';
import { renameSync, rmSync } from '../../disk.ts';
import { caught } from '../../values/calls/raise.ts';
import { callMethod } from '../../values/objects/methods.ts';
import { formatTime } from '../datetime/strftime.ts';
import { FileHandler, Handler } from './handlers.ts';
import { type LogRecord, localMoment } from './record.ts';

/** Begins a new file when the next line would pass `maxBytes`; keeps `backupCount` old ones. */
class RotatingFileHandler extends FileHandler {
  declare maxBytes: number;
  declare backupCount: number;

  override init(filename?: any, mode?: any, maxBytes?: any, backupCount?: any, encoding?: any, delay?: any): void {
    this.maxBytes = Number(maxBytes ?? 0);
    this.backupCount = Number(backupCount ?? 0);
    super.init(filename, this.maxBytes > 0 ? 'a' : mode, encoding, delay);
  }

  shouldRollover(record: LogRecord): boolean {
    if (this.maxBytes <= 0) return false;
    this.stream ??= this.$open();
    return this.stream.tell() + Buffer.byteLength(`${this.format(record)}\n`) >= this.maxBytes;
  }

  doRollover(): null {
    this.close();
    shift(this.baseFilename, this.backupCount);
    this.stream = this.$open();
    return null;
  }

  override emit(record: LogRecord): unknown {
    try {
      if (this.shouldRollover(record)) this.doRollover();
    } catch (e) {
      return this.handleError(record, caught(e));
    }
    return super.emit(record);
  }
}
const rotating = 'filename, mode="a", maxBytes=0, backupCount=0, encoding=None, delay=False, errors=None';
nativeClass(RotatingFileHandler, {
  name: 'RotatingFileHandler',
  module: 'logging.handlers',
  params: rotating,
  methods: { init: rotating, shouldRollover: 'record', doRollover: '', emit: 'record' },
});

function shift(base: string, keep: number): void {
  if (keep <= 0) {
    rmSync(base, { force: true });
    return;
  }
  rmSync(`${base}.${keep}`, { force: true });
  for (let i = keep - 1; i > 0; i -= 1) if (existsSync(`${base}.${i}`)) renameSync(`${base}.${i}`, `${base}.${i + 1}`);
  if (existsSync(base)) renameSync(base, `${base}.1`);
}

const spans: Readonly<Record<string, readonly [number, string]>> = {
  S: [1, '%Y-%m-%d_%H-%M-%S'],
  M: [60, '%Y-%m-%d_%H-%M'],
  H: [3600, '%Y-%m-%d_%H'],
  D: [86_400, '%Y-%m-%d'],
  MIDNIGHT: [86_400, '%Y-%m-%d'],
};

/** Begins a new file when `interval` units of `when` (S, M, H, D, midnight) have passed. */
class TimedRotatingFileHandler extends FileHandler {
  declare $span: number;
  declare $suffix: string;
  declare $next: number;
  declare when: string;
  declare backupCount: number;
  declare $made: string[];

  override init(filename?: any, when?: any, interval?: any, backupCount?: any, encoding?: any, delay?: any): void {
    this.when = String(when ?? 'h').toUpperCase();
    const [unit, suffix] = spans[this.when] ?? [604_800, '%Y-%m-%d'];
    this.$span = unit * Number(interval ?? 1);
    this.$suffix = suffix;
    this.backupCount = Number(backupCount ?? 0);
    this.$made = [];
    this.$next = this.$after(Date.now() / 1000);
    super.init(filename, 'a', encoding, delay);
  }

  $after(seconds: number): number {
    if (this.when !== 'MIDNIGHT') return seconds + this.$span;
    const moment = localMoment(seconds);
    return seconds - (moment.hour * 3600 + moment.minute * 60 + moment.second) + this.$span;
  }

  shouldRollover(record: LogRecord): boolean {
    return record.created >= this.$next;
  }

  doRollover(): null {
    this.close();
    const target = `${this.baseFilename}.${formatTime(localMoment(this.$next - this.$span), this.$suffix)}`;
    if (existsSync(this.baseFilename)) renameSync(this.baseFilename, target);
    this.$made.push(target);
    if (this.backupCount > 0)
      for (const old of this.$made.splice(0, this.$made.length - this.backupCount)) rmSync(old, { force: true });
    this.$next = this.$after(Date.now() / 1000);
    this.stream = this.$open();
    return null;
  }

  override emit(record: LogRecord): unknown {
    try {
      if (this.shouldRollover(record)) this.doRollover();
    } catch (e) {
      return this.handleError(record, caught(e));
    }
    return super.emit(record);
  }
}
const timed =
  'filename, when="h", interval=1, backupCount=0, encoding=None, delay=False, utc=False, atTime=None, errors=None';
nativeClass(TimedRotatingFileHandler, {
  name: 'TimedRotatingFileHandler',
  module: 'logging.handlers',
  params: timed,
  methods: { init: timed, shouldRollover: 'record', doRollover: '', emit: 'record' },
});

/** Keeps records until it is full or a serious one comes, then passes all on. */
class MemoryHandler extends Handler {
  declare capacity: number;
  declare flushLevel: number;
  declare target: any;
  declare buffer: LogRecord[];

  override init(capacity?: any, flushLevel?: any, target?: any): void {
    super.init();
    this.capacity = Number(capacity);
    this.flushLevel = flushLevel ?? 40;
    this.target = target ?? null;
    this.buffer = [];
  }

  setTarget(target: unknown): null {
    this.target = target;
    return null;
  }

  override emit(record: LogRecord): null {
    this.buffer.push(record);
    if (this.buffer.length >= this.capacity || record.levelno >= this.flushLevel) this.flush();
    return null;
  }

  override flush(): null {
    if (this.target !== null) for (const record of this.buffer.splice(0)) callMethod(this.target, 'handle', record);
    return null;
  }

  override close(): null {
    return this.flush();
  }
}
const memory = 'capacity, flushLevel=40, target=None, flushOnClose=True';
nativeClass(MemoryHandler, {
  name: 'MemoryHandler',
  module: 'logging.handlers',
  params: memory,
  methods: { init: memory, setTarget: 'target', emit: 'record', flush: '', close: '' },
});

/** Puts records into a queue. */
class QueueHandler extends Handler {
  declare queue: any;

  override init(queue?: any): void {
    super.init();
    this.queue = queue;
  }

  prepare(record: LogRecord): LogRecord {
    record.msg = this.format(record);
    record.args = null;
    return record;
  }

  override emit(record: LogRecord): null {
    callMethod(this.queue, 'put_nowait', this.prepare(record));
    return null;
  }
}
nativeClass(QueueHandler, {
  name: 'QueueHandler',
  module: 'logging.handlers',
  params: 'queue',
  methods: { init: 'queue', prepare: 'record', emit: 'record' },
});

export function makeLoggingHandlers(): Members {
  return { RotatingFileHandler, TimedRotatingFileHandler, MemoryHandler, QueueHandler };
}
