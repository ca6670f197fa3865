import type { Config } from './config.ts';
import { defaultJwtSecret, defaultWebhookSecret } from './options.ts';

/**
 * One line per built-in default secret in use (server.md 5.5); in production, where those are refused or unused, a line when
 * webhooks are not verified (11.4).
 */
export function secretWarnings(config: Config): string[] {
  if (config.mode === 'production') {
    return config.scale.webhook.verifySignature ? [] : ['warning: signatures of webhook calls are not verified'];
  }
  const warnings: string[] = [];
  if (config.scale.jwt.secret === defaultJwtSecret && config.scale.jwt.algorithm.startsWith('HS')) {
    const open = isLoopback(config.serve.host) ? '' : ` and the server listens on ${config.serve.host}`;
    warnings.push(`warning: JWT_SECRET is the built-in default; anyone can forge tokens${open}`);
  }
  if (config.scale.webhook.secret === defaultWebhookSecret) {
    warnings.push('warning: WEBHOOK_SECRET is the built-in default; anyone can forge signatures');
  }
  return warnings;
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host);
}
