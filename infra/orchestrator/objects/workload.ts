/** The application's own objects besides its Secrets and its bundle (docs/server/orchestrator.md#objects). */
import { createHash } from 'node:crypto';
import type { DeployedApp } from '../deployment.ts';
import type {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
} from '../kubernetes.ts';
import { appPod } from './app-pod.ts';
import { claimOf } from './claim.ts';
import { metadataOf, ownLabels, selectorOf } from './metadata.ts';

export function deployment(app: DeployedApp): Deployment {
  const { replicas, storageSize } = app.settings;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(app),
    spec: {
      ...(isAutoscaled(app) ? {} : { replicas }),
      revisionHistoryLimit: 5,
      // The volume admits one pod.
      strategy:
        storageSize === ''
          ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
          : { type: 'Recreate' },
      selector: { matchLabels: selectorOf(app, 'app') },
      template: {
        metadata: {
          labels: { ...ownLabels(app), ...selectorOf(app, 'app') },
          annotations: { 'svc.dev/config-digest': configDigest(app) },
        },
        spec: appPod(app),
      },
    },
  };
}

/** Changes whenever pods have to be replaced: with the bundle, secrets and environment. */
function configDigest({ sourceDigest, source, secrets, settingsSecrets, env }: DeployedApp): string {
  const bundle = source.kind === 'bundle' ? source.sha256 : source.image;
  const sorted = [secrets, settingsSecrets, env].map((texts) => Object.entries(texts).sort());
  return createHash('sha256')
    .update(JSON.stringify([sourceDigest, bundle, ...sorted]))
    .digest('hex');
}

export function service(app: DeployedApp): Service {
  const { containerPort, nodePort, serviceType } = app.settings;
  const port = { name: 'http', port: containerPort, targetPort: containerPort };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(app, '-service'),
    spec: {
      type: serviceType,
      selector: selectorOf(app, 'app'),
      ports: [serviceType === 'NodePort' ? { ...port, nodePort } : port],
    },
  };
}

export function dataClaim(app: DeployedApp): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadataOf(app, '-data'),
    spec: claimOf(app.settings.storageSize),
  };
}

export function serviceAccount(app: DeployedApp): ServiceAccount {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: metadataOf(app),
    automountServiceAccountToken: false,
  };
}

export function disruptionBudget(app: DeployedApp): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(app),
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(app, 'app') } },
  };
}

/** `autoscale = {min, max, cpu}`: between as many pods as these, by their use of the CPU they request. */
export function isAutoscaled({ settings }: DeployedApp): boolean {
  return settings.autoscale.max > 0;
}

export function autoscaler(app: DeployedApp): HorizontalPodAutoscaler {
  const { min, max, cpu } = app.settings.autoscale;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadataOf(app),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: app.name },
      minReplicas: Math.max(min, 1),
      maxReplicas: max,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpu } },
        },
      ],
    },
  };
}

/** `host`, `ingress_class`, `tls_secret`: the application under a name, beside its service; below the path of `base_url`. */
export function ingress(app: DeployedApp): Ingress {
  const { host, ingressClass, tlsSecret } = app.settings;
  const backend = { service: { name: `${app.name}-service`, port: { name: 'http' } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadataOf(app),
    spec: {
      ...(ingressClass === '' ? {} : { ingressClassName: ingressClass }),
      ...(tlsSecret === '' ? {} : { tls: [{ hosts: [host], secretName: tlsSecret }] }),
      rules: [{ host, http: { paths: [{ path: app.prefix || '/', pathType: 'Prefix', backend }] } }],
    },
  };
}
