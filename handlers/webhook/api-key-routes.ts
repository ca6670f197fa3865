import type { ApiKeys } from '../../core/accounts/api-keys.ts';
import type { FixedRoute } from '../routes.ts';
import type { ServedTarget } from '../served-targets.ts';
import type { KeyRules, KnownTargets } from './answer-api-keys.ts';

const maxBodyBytes = 16 * 1024;

/** `/api-key/create`, `/api-key/list`, `/api-key/{api_key_id}` (docs/server/api-keys.md#keys). */
export function apiKeyRoutes(
  apiKeys: ApiKeys,
  rules: KeyRules,
  targets: readonly ServedTarget[],
): readonly FixedRoute[] {
  const shared = { auth: 'bearer', tag: 'API Keys', maxBodyBytes } as const;
  const open = () => import('./answer-api-keys.ts');
  const known: KnownTargets = { webhook: namesOf(targets, true), call: namesOf(targets, false) };
  return [
    {
      ...shared,
      method: 'POST',
      template: '/api-key/create',
      operationId: 'api_key_create',
      summary: 'Create an API key; it is shown this once',
      status: 201,
      run: async (context) => (await open()).createKey(apiKeys, rules, known, context),
    },
    {
      ...shared,
      method: 'GET',
      template: '/api-key/list',
      operationId: 'api_key_list',
      summary: 'Your API keys, newest first',
      run: async (context) => (await open()).listKeys(apiKeys, context),
    },
    {
      ...shared,
      method: 'DELETE',
      template: '/api-key/{api_key_id}',
      operationId: 'api_key_revoke',
      summary: 'Revoke an API key',
      body: 'none',
      run: async (context) => (await open()).revokeKey(apiKeys, context),
    },
  ];
}

/** Webhooks of services take no keys. */
function namesOf(targets: readonly ServedTarget[], isWebhook: boolean): string[] {
  return targets
    .filter(({ rest }) => (rest.protocol === 'WEBHOOK') === isWebhook && rest.verify === '')
    .map(({ name }) => name);
}
