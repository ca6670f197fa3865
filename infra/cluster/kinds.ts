/** Kinds of objects that deployments use, and their addresses in the API. */

interface Kind {
  readonly apiVersion: string;
  readonly plural: string;
  /** False for those that belong to no namespace. */
  readonly namespaced?: false;
}

const kinds: Readonly<Record<string, Kind>> = {
  Namespace: { apiVersion: 'v1', plural: 'namespaces', namespaced: false },
  Node: { apiVersion: 'v1', plural: 'nodes', namespaced: false },
  Pod: { apiVersion: 'v1', plural: 'pods' },
  Event: { apiVersion: 'v1', plural: 'events' },
  Secret: { apiVersion: 'v1', plural: 'secrets' },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps' },
  Service: { apiVersion: 'v1', plural: 'services' },
  ServiceAccount: { apiVersion: 'v1', plural: 'serviceaccounts' },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims' },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments' },
  ReplicaSet: { apiVersion: 'apps/v1', plural: 'replicasets' },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets' },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets' },
  Ingress: { apiVersion: 'networking.k8s.io/v1', plural: 'ingresses' },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', plural: 'horizontalpodautoscalers' },
  Lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases' },
  SelfSubjectAccessReview: {
    apiVersion: 'authorization.k8s.io/v1',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
  },
};

/** An object as the cluster has it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string; readonly kind: string }[];
  };
  readonly spec?: any;
  readonly status?: any;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export function kindOf(name: string): Kind {
  return kinds[name]!;
}

/** `/apis/apps/v1/namespaces/default/deployments/demo`; without a name that of all of them. */
export function pathOf(kind: string, namespace: string, name = ''): string {
  const { apiVersion, plural, namespaced } = kindOf(kind);
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = namespaced === false ? '' : `/namespaces/${namespace}`;
  return `${group}${place}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`;
}

/** `deployments.apps`: how rights name a kind. */
export function resourceOf(kind: string): { readonly group: string; readonly resource: string } {
  const { apiVersion, plural } = kindOf(kind);
  return { group: apiVersion.includes('/') ? apiVersion.split('/')[0]! : '', resource: plural };
}
