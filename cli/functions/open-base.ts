/** Parts that all functions of a bundle share: their folder, configuration and log (docs/server/cloud.md#archives). */
import { fileURLToPath } from 'node:url';
import type { Context } from 'aws-lambda';
import { readPackedConfig } from '../../adapters/config/read-packed-config.ts';
import type { EmbeddedMetrics } from '../../adapters/hosts/lambda/embedded-metrics.ts';
import { deployedConfig } from '../../adapters/hosts/lambda/function-config.ts';
import { createFunctionLog, type FunctionLog } from '../../adapters/hosts/lambda/function-log.ts';
import { openParameters } from '../../adapters/hosts/lambda/parameters.ts';
import type { Config } from '../../core/config/config.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { createRedactor } from '../../core/log/redact.ts';

export interface FunctionBase {
  readonly root: string;
  readonly config: Config;
  readonly log: FunctionLog;
  /** Undefined when metrics are off. To be flushed after each event. */
  readonly metrics: EmbeddedMetrics | undefined;
  /** To be called, and waited for when there is something to wait for, before each event. */
  begin(context: Context): Promise<void> | undefined;
}

export interface BaseOptions {
  /** Besides that of the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** An error as the log writes it, with calls of the runtime or without; left out: as it is. */
  readonly readError?: (error: Error, withStacks: boolean) => object;
}

/**
 * Reads the configuration of a bundle and opens its log.
 *
 * @param entry `import.meta.url` of the handler, which stands in `handlers` below the bundle's folder
 * @throws Error saying what is wrong with the configuration
 */
export async function openBase(entry: string, options: BaseOptions = {}): Promise<FunctionBase> {
  const { env = {}, readError } = options;
  const secretsPath = process.env['SVC_SECRETS_PATH'] ?? '';
  const onFailure = (error: unknown) => log.warn('the secrets of the deployment could not be read again', { error });
  const parameters =
    secretsPath === ''
      ? undefined
      : openParameters({ path: secretsPath, env: process.env, nowMs: Date.now, onFailure });
  await parameters?.refresh();
  const root = fileURLToPath(new URL('..', entry));
  const standard = { SVC_ENV: 'production', SVC_DATA_PATH: '/tmp/svc' };
  const read = readPackedConfig(root, { ...standard, ...process.env, ...env });
  if (read.problems.length > 0) throw new Error(read.problems.map(formatFinding).join('\n'));
  const config = deployedConfig(read.config);
  const { secrets, webhook, logging } = config.scale;
  const log = createFunctionLog(
    config,
    createRedactor({
      names: [...logging.redact, webhook.signatureHeader, ...Object.keys(secrets)],
      values: [...Object.keys(secrets).flatMap((name) => process.env[name] ?? []), config.byllm.apiKey],
      ...(readError === undefined ? {} : { readError: (error) => readError(error, logging.level === 'debug') }),
    }),
  );
  const { metrics: settings } = read.config.scale;
  return {
    root,
    config,
    log,
    metrics: settings.enabled ? await openMetrics(settings) : undefined,
    begin(context) {
      log.begin(context);
      return parameters?.refresh();
    },
  };
}

async function openMetrics(settings: Config['scale']['metrics']): Promise<EmbeddedMetrics> {
  const { createEmbeddedMetrics } = await import('../../adapters/hosts/lambda/embedded-metrics.ts');
  return createEmbeddedMetrics({ settings, write: (line) => process.stdout.write(line), nowMs: Date.now });
}
