/** A claim to a volume that one pod at a time writes. */
import type { ClaimSpec } from '../kubernetes.ts';

export function claimOf(storage: string, storageClass = ''): ClaimSpec {
  return {
    accessModes: ['ReadWriteOnce'],
    ...(storageClass === '' ? {} : { storageClassName: storageClass }),
    resources: { requests: { storage } },
  };
}
