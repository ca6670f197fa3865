import { createTraces, type Traces } from '../../adapters/modules/traces.ts';
import type { Config } from '../../core/config/config.ts';
import { secretValues } from '../../core/config/secret-values.ts';
import { createLog } from '../../core/log/create-log.ts';
import { oneLine } from '../../core/log/format-text.ts';
import { createLineWriter } from '../../core/log/line-writer.ts';
import type { Log } from '../../core/log/log.ts';
import { readError } from '../../core/log/read-error.ts';
import { createRedactor } from '../../core/log/redact.ts';
import { hasColour, type Terminal } from '../terminal.ts';
import { describeBelowTitle, uncaughtOptions } from '../uncaught.ts';

export interface ProcessLog {
  readonly log: Log;
  /** Finds calls of the program in errors, of all versions that have been loaded. */
  readonly traces: Traces;
  /** Applies the logging keys of a configuration that was read again. */
  adjust(config: Config): void;
  /** Writes what is still collected; to be called before the process ends. */
  flush(): void;
}

/**
 * Greatest size in bytes of a text that stays in one piece when several processes write to one pipe (POSIX:
 * `PIPE_BUF`).
 */
const pieceBytes = 4096;

/** The log of a server process, on standard error. `isShared`: other processes write there too. */
export function openProcessLog(config: Config, terminal: Terminal, isShared = false): ProcessLog {
  const writer = createLineWriter((text) => terminal.err(text), isShared ? pieceBytes : undefined);
  const traces = createTraces(config.projectDir);
  let current = config;
  const log = createLog({
    settings: settingsOf(config, terminal),
    redactor: redactorOf(config, traces),
    describeError(error, colour) {
      const options = uncaughtOptions(traces, current.projectDir, terminal);
      const report = readError(error, traces, showsStacks(current));
      return describeBelowTitle(error, report, { ...options, colour, showText: oneLine });
    },
    write: writer.write,
    now: Date.now,
  });
  return {
    log,
    traces,
    adjust(next) {
      current = next;
      log.adjust(settingsOf(next, terminal), redactorOf(next, traces));
    },
    flush: writer.flush,
  };
}

function settingsOf({ scale: { logging } }: Config, terminal: Terminal) {
  const { level, format, accessLog, slowRequestMs } = logging;
  return { level, format, accessLog, slowRequestMs, colour: hasColour(terminal, 'err') };
}

/** Calls of the runtime are of no use to who writes programs. */
const showsStacks = ({ scale: { logging } }: Config) => logging.level === 'debug';

export function redactorOf(config: Config, traces: Traces) {
  const { logging, webhook, secrets } = config.scale;
  return createRedactor({
    names: [...logging.redact, webhook.signatureHeader, ...Object.keys(secrets)],
    values: secretValues(config, (name) => process.env[name] || undefined),
    readError: (error) => readError(error, traces, showsStacks(config)),
  });
}
