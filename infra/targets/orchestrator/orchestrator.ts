/** Kubernetes as a target of deployments. */
import type { ClusterAccess } from '../../cluster/access.ts';
import { openClient } from '../../cluster/client.ts';
import type { DeployedApp } from '../../orchestrator/deployment.ts';
import { makePlan } from '../../orchestrator/plan.ts';
import type { DeployTarget } from '../target.ts';
import { applyPlan, isUpToDate, type RolloutSettings } from './apply.ts';
import { destroy, type OrchestratorDestroyPlan, planDestroy } from './destroy.ts';
import { findChanges, kindsOf, type OrchestratorPlan } from './find-changes.ts';
import { readLogs } from './logs.ts';
import type { Place } from './place.ts';
import { bundlesOf, readRevisions } from './revisions.ts';
import { neededRights, requireRights } from './rights.ts';
import { planRollback, rollBack } from './rollback.ts';
import { readStatus } from './status.ts';

export interface OpenOrchestrator extends RolloutSettings {
  readonly access: ClusterAccess;
  readonly namespace: string;
  readonly app: string;
  readonly signal: AbortSignal;
  readonly onAway: (reason: string) => void;
}

export interface Orchestrator extends DeployTarget<DeployedApp, OrchestratorPlan, OrchestratorDestroyPlan> {
  /** @throws DeployFailure when the cluster does not answer */
  reach(): Promise<void>;
}

/** Time that a cluster may be away once it has answered. */
const patienceMs = 120_000;
const firstPatienceMs = 5000;

export function openOrchestrator(options: OpenOrchestrator): Orchestrator {
  const { access, namespace, app, adopt, who, signal, onAway } = options;
  const client = openClient(access, { patienceMs, signal, onAway });
  const place: Place = { client, namespace, app, signal };
  return {
    reach: async () => {
      const first = openClient(access, { patienceMs: firstPatienceMs, signal });
      try {
        await first.request({ method: 'GET', path: '/version' });
      } finally {
        first.close();
      }
    },
    plan: async (deployed) => {
      const wanted = makePlan(deployed);
      // Comparing needs rights too: what is missing is told together.
      await requireRights(place, neededRights(kindsOf(wanted), false));
      return await findChanges(place, wanted, adopt, bundlesOf(await readRevisions(place)));
    },
    isUpToDate: (plan) => isUpToDate(place, plan),
    apply: (plan, request, progress) => applyPlan(place, plan, request, options, progress),
    status: () => readStatus(place),
    logs: (request, write) => readLogs(place, request, write),
    planRollback: (to) => planRollback(place, to),
    rollback: (plan, progress) => rollBack(place, plan, options, progress),
    planDestroy: (request) => planDestroy(place, request),
    destroy: (plan, progress) => destroy(place, plan, who, progress),
    close: () => client.close(),
  };
}
