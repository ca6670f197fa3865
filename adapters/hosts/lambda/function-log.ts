import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import type { Config } from '../../../core/config/config.ts';
import type { Log, LogFields, LogLevel } from '../../../core/log/log.ts';
import type { Redactor } from '../../../core/log/redact.ts';

/** A log whose records carry what the service knows of the invocation. */
export interface FunctionLog extends Log {
  begin(context: Context): void;
}

const order: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, fatal: 4 };

/** Structured records in the form of AWS Lambda Powertools, on standard output, where the service collects them. */
export function createFunctionLog({ project, scale }: Config, redactor: Redactor): FunctionLog {
  const { level, accessLog } = scale.logging;
  const logLevel = ({ debug: 'DEBUG', info: 'INFO', warn: 'WARN', error: 'ERROR' } as const)[level];
  const serviceName = project.name === '' ? 'svc-app' : project.name;
  let opened: Logger | undefined;
  // Calls the logger does not know yet: the latest, and before it the first, because only of that one the start was cold.
  let begun: Context[] = [];
  // Not before the first line: health checks write none.
  const root = (): Logger => {
    opened ??= new Logger({ serviceName, logLevel });
    for (const context of begun) opened.addContext(context);
    begun = [];
    return opened;
  };
  const clean = (fields: LogFields): Record<string, unknown> => {
    const kept: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) kept[name] = redactor.field(name, value);
    return kept;
  };

  function make(logger: () => Logger): Log {
    return {
      debug: (message, fields = {}) => logger().debug(redactor.text(message), clean(fields)),
      info: (message, fields = {}) => logger().info(redactor.text(message), clean(fields)),
      warn: (message, fields = {}) => logger().warn(redactor.text(message), clean(fields)),
      error: (message, fields = {}) => logger().error(redactor.text(message), clean(fields)),
      fatal: (message, fields = {}) => logger().critical(redactor.text(message), clean(fields)),
      access({ requestId, traceId, durationMs, answeredMs: _, bytesIn, bytesOut, userId, errorCode, ...rest }) {
        if (!accessLog) return;
        const named = { request_id: requestId, trace_id: traceId, duration_ms: Math.round(durationMs * 1000) / 1000 };
        const sizes = { bytes_in: bytesIn, bytes_out: bytesOut, user_id: userId ?? undefined, error_code: errorCode };
        logger().info('request', clean({ ...named, ...rest, ...sizes }));
      },
      enabled: (asked) => order[asked] >= order[level],
      child(fields) {
        const child = logger().createChild({ persistentKeys: clean(fields) });
        return make(() => child);
      },
    };
  }

  return {
    ...make(root),
    begin(context) {
      begun = [...begun.slice(0, 1), context];
    },
  };
}
