import type { CliOptionType } from './cli-option.ts';

/** Deployment targets and their aliases (docs/server/commands.md#names). */
export const targetType = {
  kind: 'choice',
  placeholder: 'TARGET',
  of: {
    orchestrator: 'orchestrator',
    kubernetes: 'orchestrator',
    k8s: 'orchestrator',
    cloud: 'cloud',
    cloud_a: 'cloud',
    aws: 'cloud',
    cloud_b: 'cloud_b',
    gcp: 'cloud_b',
  },
} as const satisfies CliOptionType;

/** Image registries and their aliases. */
export const registryType: CliOptionType = {
  kind: 'choice',
  placeholder: 'REGISTRY',
  of: { dockerhub: 'dockerhub', registry_a: 'dockerhub', ecr: 'ecr', registry_b: 'ecr', gcr: 'gcr', registry_c: 'gcr' },
};

/** Names of everything `svc build` makes: the targets, and forms that run anywhere. */
export const buildTargetType: CliOptionType = {
  ...targetType,
  of: {
    ...targetType.of,
    function: 'cloud',
    functions: 'cloud',
    container: 'container',
    image: 'container',
    machine: 'machine',
    vps: 'machine',
    worker: 'worker',
  },
};
