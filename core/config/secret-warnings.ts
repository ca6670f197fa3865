import type { Config } from './config.ts';
import { defaultJwtSecret } from './options.ts';

/**
 * One line for each key that tokens are checked with and everybody knows
 * (docs/server/configuration.md#default-secrets); in production, where those are refused, a line when webhooks are not
 * verified (docs/server/webhooks.md#verification-off). The default secret of webhooks verifies nothing, so there is nothing to warn about.
 */
export function secretWarnings(config: Config): string[] {
  if (config.mode === 'production') {
    return config.scale.webhook.verifySignature ? [] : ['warning: signatures of webhook calls are not verified'];
  }
  const { jwt } = config.scale;
  if (!jwt.algorithm.startsWith('HS')) return [];
  const open = isLoopback(config.serve.host) ? '' : ` and the server listens on ${config.serve.host}`;
  const warning = (what: string) => `warning: ${what} the built-in default; anyone can forge tokens${open}`;
  return [
    ...(jwt.secret === defaultJwtSecret ? [warning('JWT_SECRET is')] : []),
    ...(jwt.previousSecrets.includes(defaultJwtSecret) ? [warning('jwt.previous_secrets holds')] : []),
  ];
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host);
}
