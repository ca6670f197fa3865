/**
 * Restrictions of every pod and container (docs/server/orchestrator.md#pod, docs/server/security.md): all that the
 * "restricted" level of pod security asks for.
 */
import type { ContainerSecurity, PodSecurity } from '../kubernetes.ts';

export function podSecurity(user: number): PodSecurity {
  return {
    automountServiceAccountToken: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

export const containerSecurity: ContainerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
