import { expect, test } from 'vitest';
import { defaultConfig } from './resolve.ts';
import { secretValues } from './secret-values.ts';

test('every secret of the configuration, none of the defaults', () => {
  const config = defaultConfig();
  expect(secretValues(config, () => undefined)).toEqual([]);
  const provider = { clientSecret: 'client-canary' } as never;
  const { scale } = config;
  const values = secretValues(
    {
      ...config,
      byllm: { ...config.byllm, apiKey: 'model-canary' },
      scale: {
        ...scale,
        jwt: { ...scale.jwt, secret: 'jwt-canary', previousSecrets: ['old-canary'] },
        webhook: { ...scale.webhook, secret: 'webhook-canary' },
        metrics: { ...scale.metrics, token: 'metrics-canary' },
        database: { ...scale.database, docdbUri: 'mongodb://ada:p%40ss-canary@db/app' },
        sso: { ...scale.sso, providers: { google: provider } },
        secrets: { PLAIN: 'plain-canary', FROM_ENV: '${THEIR_KEY}' },
      },
    },
    (name) => ({ THEIR_KEY: 'their-canary', FROM_ENV: 'own-canary' })[name],
  );
  expect(new Set(values)).toEqual(
    new Set([
      'jwt-canary',
      'old-canary',
      'webhook-canary',
      'metrics-canary',
      'mongodb://ada:p%40ss-canary@db/app',
      'p%40ss-canary',
      'p@ss-canary',
      'client-canary',
      'plain-canary',
      'their-canary',
      'own-canary',
      'model-canary',
    ]),
  );
});
