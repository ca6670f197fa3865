import type { Config } from '../../core/config/config.ts';
import { secretValues } from '../../core/config/secret-values.ts';
import { createLog } from '../../core/log/create-log.ts';
import { createLineWriter } from '../../core/log/line-writer.ts';
import type { Log } from '../../core/log/log.ts';
import { createRedactor } from '../../core/log/redact.ts';
import { hasColour, type Terminal } from '../terminal.ts';

export interface ProcessLog {
  readonly log: Log;
  /** Applies the logging keys of a configuration that was read again. */
  adjust(config: Config): void;
  /** Writes what is still collected; to be called before the process ends. */
  flush(): void;
}

/** What several processes write to one pipe stays in one piece up to this size (POSIX: `PIPE_BUF`). */
const pieceBytes = 4096;

/** The log of a server process, on standard error. `isShared`: other processes write there too. */
export function openProcessLog(config: Config, terminal: Terminal, isShared = false): ProcessLog {
  const writer = createLineWriter((text) => terminal.err(text), isShared ? pieceBytes : undefined);
  const log = createLog({
    settings: settingsOf(config, terminal),
    redactor: redactorOf(config),
    write: writer.write,
    now: Date.now,
  });
  return {
    log,
    adjust: (next) => log.adjust(settingsOf(next, terminal), redactorOf(next)),
    flush: writer.flush,
  };
}

function settingsOf({ scale: { logging } }: Config, terminal: Terminal) {
  const { level, format, accessLog, slowRequestMs } = logging;
  return { level, format, accessLog, slowRequestMs, colour: hasColour(terminal, 'err') };
}

function redactorOf(config: Config) {
  const { logging, webhook, secrets } = config.scale;
  return createRedactor({
    names: [...logging.redact, webhook.signatureHeader, ...Object.keys(secrets)],
    values: secretValues(config, (name) => process.env[name] || undefined),
  });
}
