/** The objects of the orchestrator, as far as deployments use them (docs/server/orchestrator.md#objects). Names are those of its API. */

export type KubeObject =
  | Deployment
  | StatefulSet
  | Service
  | Secret
  | ConfigMap
  | PersistentVolumeClaim
  | ServiceAccount
  | PodDisruptionBudget
  | Ingress
  | HorizontalPodAutoscaler;

export interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Deployment {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly metadata: Metadata;
  readonly spec: {
    /** Absent when an autoscaler decides. */
    readonly replicas?: number;
    readonly revisionHistoryLimit: number;
    readonly strategy:
      | { readonly type: 'Recreate' }
      | {
          readonly type: 'RollingUpdate';
          readonly rollingUpdate: { readonly maxSurge: number; readonly maxUnavailable: number };
        };
    readonly selector: Selector;
    readonly template: PodTemplate;
  };
}

export interface StatefulSet {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'StatefulSet';
  readonly metadata: Metadata;
  readonly spec: {
    readonly replicas: number;
    readonly serviceName: string;
    readonly selector: Selector;
    readonly template: PodTemplate;
    readonly volumeClaimTemplates: readonly {
      readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
      readonly spec: ClaimSpec;
    }[];
  };
}

export interface Service {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly metadata: Metadata;
  readonly spec: {
    readonly type: 'NodePort' | 'ClusterIP' | 'LoadBalancer';
    readonly clusterIP?: 'None';
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly {
      readonly name: string;
      readonly port: number;
      readonly targetPort: number;
      readonly nodePort?: number;
    }[];
  };
}

export interface Secret {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: Metadata;
  readonly type: 'Opaque' | 'kubernetes.io/dockerconfigjson';
  readonly values: Readonly<Record<string, SecretValue>>;
}

/** A text; or one that is made once, where the objects are applied, and kept from then on. */
export type SecretValue =
  | { readonly text: string }
  | { readonly generated: 'base64' | 'letters and digits'; readonly characters: number }
  /** Texts and other values of the same Secret, by name. */
  | { readonly composed: readonly (string | { readonly value: string })[] };

export interface ConfigMap {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly metadata: Metadata;
  readonly binaries: Readonly<Record<string, Uint8Array>>;
}

export interface PersistentVolumeClaim {
  readonly apiVersion: 'v1';
  readonly kind: 'PersistentVolumeClaim';
  readonly metadata: Metadata;
  readonly spec: ClaimSpec;
}

export interface ServiceAccount {
  readonly apiVersion: 'v1';
  readonly kind: 'ServiceAccount';
  readonly metadata: Metadata;
  readonly automountServiceAccountToken: false;
}

export interface PodDisruptionBudget {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'PodDisruptionBudget';
  readonly metadata: Metadata;
  readonly spec: { readonly maxUnavailable: number; readonly selector: Selector };
}

export interface Ingress {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: Metadata;
  readonly spec: {
    readonly ingressClassName?: string;
    readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly {
          readonly path: string;
          readonly pathType: 'Prefix';
          readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
        }[];
      };
    }[];
  };
}

export interface HorizontalPodAutoscaler {
  readonly apiVersion: 'autoscaling/v2';
  readonly kind: 'HorizontalPodAutoscaler';
  readonly metadata: Metadata;
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion: 'apps/v1'; readonly kind: 'Deployment'; readonly name: string };
    readonly minReplicas: number;
    readonly maxReplicas: number;
    readonly metrics: readonly {
      readonly type: 'Resource';
      readonly resource: {
        readonly name: 'cpu';
        readonly target: { readonly type: 'Utilization'; readonly averageUtilization: number };
      };
    }[];
  };
}

export interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export interface ClaimSpec {
  readonly accessModes: readonly ['ReadWriteOnce'];
  readonly storageClassName?: string;
  readonly resources: { readonly requests: { readonly storage: string } };
}

export interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

export interface PodSpec extends PodSecurity {
  readonly serviceAccountName: string;
  readonly enableServiceLinks: false;
  readonly terminationGracePeriodSeconds: number;
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** Security settings of every pod (docs/server/security.md). */
export interface PodSecurity {
  readonly automountServiceAccountToken: false;
  readonly securityContext: {
    readonly runAsNonRoot: true;
    readonly runAsUser: number;
    readonly fsGroup: number;
    readonly seccompProfile: { readonly type: 'RuntimeDefault' };
  };
}

/** Security settings of every container. */
export interface ContainerSecurity {
  readonly allowPrivilegeEscalation: false;
  readonly readOnlyRootFilesystem: true;
  readonly capabilities: { readonly drop: readonly ['ALL'] };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly env: readonly EnvVariable[];
  readonly resources: Resources;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly securityContext: ContainerSecurity;
  readonly volumeMounts: readonly VolumeMount[];
}

export interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

export interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
  readonly timeoutSeconds: number;
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: true;
}

export type Volume =
  | { readonly name: string; readonly emptyDir: Readonly<Record<string, never>> }
  | { readonly name: string; readonly persistentVolumeClaim: { readonly claimName: string } }
  | { readonly name: string; readonly secret: { readonly secretName: string; readonly items: readonly KeyToPath[] } }
  | {
      readonly name: string;
      readonly projected: { readonly sources: readonly { readonly configMap: { readonly name: string } }[] };
    };

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
}
