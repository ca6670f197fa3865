/** The databases that are deployed with an application when it asks for them (server.md 20.4). */

import type { ComponentConfig } from '../../../core/config/config.ts';
import type { DeployedApp } from '../deployment.ts';
import type { Container, EnvVariable, KubeObject, Probe, Secret, Service, StatefulSet } from '../kubernetes.ts';
import { claimOf } from './claim.ts';
import type { Database, Program } from './database.ts';
import { docdbDatabase } from './docdb.ts';
import { kvcacheDatabase } from './kvcache.ts';
import { metadataOf, ownLabels, selectorOf } from './metadata.ts';
import { secret } from './secrets.ts';
import { containerSecurity, podSecurity } from './security.ts';

function enabled({ settings }: DeployedApp): [Database, ComponentConfig][] {
  const all = [
    [docdbDatabase, settings.docdb],
    [kvcacheDatabase, settings.kvcache],
  ] as [Database, ComponentConfig][];
  return all.filter(([, component]) => component.enabled);
}

export function databaseObjects(app: DeployedApp): KubeObject[] {
  return enabled(app).flatMap(([database, settings]) => [
    authSecret(app, database),
    headlessService(app, database),
    statefulSet(app, database, settings),
  ]);
}

/** Addresses of the deployed databases. */
export function databaseVariables(app: DeployedApp): EnvVariable[] {
  return enabled(app).map(([{ component, variable }]) =>
    fromSecret(variable, { name: `${app.name}-${component}-auth`, key: variable }),
  );
}

function fromSecret(name: string, secretKeyRef: { readonly name: string; readonly key: string }): EnvVariable {
  return { name, valueFrom: { secretKeyRef } };
}

function authSecret(app: DeployedApp, { component, port, values }: Database): Secret {
  return secret(app, `-${component}-auth`, values(`${app.name}-${component}-service:${port}`));
}

function headlessService(app: DeployedApp, { component, port }: Database): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(app, `-${component}-service`),
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      selector: selectorOf(app, component),
      ports: [{ name: component, port, targetPort: port }],
    },
  };
}

function statefulSet(app: DeployedApp, database: Database, settings: ComponentConfig): StatefulSet {
  const { component, port, user, init, main, check } = database;
  const metadata = metadataOf(app, `-${component}`);
  const authName = `${metadata.name}-auth`;
  const container = (name: string, { command, secretEnv, mounts }: Program): Container => ({
    name,
    image: settings.image,
    command,
    env: [
      { name: 'HOME', value: '/tmp' },
      ...Object.entries(secretEnv).map(([variable, key]) => fromSecret(variable, { name: authName, key })),
    ],
    resources: {},
    securityContext: containerSecurity,
    volumeMounts: [
      { name: 'data', mountPath: database.dataPath, subPath: component },
      { name: 'tmp', mountPath: '/tmp' },
      ...mounts,
    ],
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      replicas: 1,
      serviceName: `${metadata.name}-service`,
      selector: { matchLabels: selectorOf(app, component) },
      template: {
        metadata: { labels: { ...ownLabels(app), ...selectorOf(app, component) } },
        spec: {
          serviceAccountName: app.name,
          ...podSecurity(user),
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 60,
          ...(init === undefined ? {} : { initContainers: [container('init', init)] }),
          containers: [
            {
              ...container(component, main),
              ports: [{ name: component, containerPort: port }],
              readinessProbe: ping(check, 5, 10),
              livenessProbe: { ...ping(check, 30, 20), failureThreshold: 6 },
            },
          ],
          volumes: [{ name: 'tmp', emptyDir: {} }, ...database.volumes(authName)],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', labels: ownLabels(app) },
          spec: claimOf(settings.storageSize, settings.storageClass),
        },
      ],
    },
  };
}

function ping(command: readonly string[], initialDelaySeconds: number, periodSeconds: number): Probe {
  return { exec: { command }, initialDelaySeconds, periodSeconds, timeoutSeconds: 10 };
}
