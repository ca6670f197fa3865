import type { DeployedApp, Texts } from '../deployment.ts';
import type { Secret, SecretValue } from '../kubernetes.ts';
import { metadataOf } from './metadata.ts';

/**
 * Secrets that are there only when they would hold something (docs/server/orchestrator.md#objects,
 * docs/server/orchestrator.md#secrets).
 */
export function appSecrets(app: DeployedApp): Secret[] {
  const jwt: Record<string, SecretValue> = app.makesJwtSecret
    ? { JWT_SECRET: { generated: 'base64', characters: 64 } }
    : {};
  const pull = app.pullSecret === undefined ? {} : { '.dockerconfigjson': { text: app.pullSecret } };
  const all = [
    secret(app, '-auth', { ...jwt, ...textValues(app.settingsSecrets) }),
    secret(app, '-secrets', textValues(app.secrets)),
    { ...secret(app, '-registry', pull), type: 'kubernetes.io/dockerconfigjson' as const },
  ];
  return all.filter(({ values }) => Object.keys(values).length > 0);
}

export function secret(app: DeployedApp, suffix: string, values: Secret['values']): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(app, suffix), type: 'Opaque', values };
}

function textValues(texts: Texts): Secret['values'] {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { text }]));
}
