/** Cloud Run of Google Cloud as a target of deployments (docs/server/google-cloud.md, decisions/0600). */
import type { Environment } from '../../orchestrator/run-tool.ts';
import type { DeployTarget } from '../target.ts';
import { openAccess } from './access.ts';
import { applyPlan, isUpToDate } from './apply.ts';
import { type ClientOptions, openClient } from './client.ts';
import { destroy, type GoogleDestroyPlan, planDestroy } from './destroy.ts';
import { findChanges, type GooglePlan, requirePlanRights } from './find-changes.ts';
import type { GoogleApp } from './google-app.ts';
import { readLogs } from './logs.ts';
import type { Place } from './place.ts';
import { type GoogleRollbackPlan, planRollback, rollBack } from './rollback.ts';
import type { RolloutSettings } from './rollout.ts';
import { readStatus } from './status.ts';

export interface OpenGoogle extends RolloutSettings {
  readonly env: Environment;
  readonly project: string;
  readonly region: string;
  readonly repository: string;
  readonly app: string;
  readonly signal: AbortSignal;
  readonly onAway: (reason: string) => void;
  /** For tests, which have less patience. */
  readonly waits?: Pick<ClientOptions, 'patienceMs' | 'pollMs'>;
}

export type Google = DeployTarget<GoogleApp, GooglePlan, GoogleDestroyPlan>;

/** deploy: a service that does not answer is asked for two minutes; operations are looked at each second, later every ten. */
const usualWaits = { patienceMs: 120_000, pollMs: { first: 1000, most: 10_000 } };

export async function openGoogle(options: OpenGoogle): Promise<Google> {
  const { env, project, region, repository, app, signal, onAway, waits = usualWaits } = options;
  const client = await openClient(openAccess(env), { env, signal, onAway, ...waits });
  const place: Place = { client, project, region, repository, app, signal };
  return {
    plan: async (deployed) => {
      const plan = await findChanges(place, deployed);
      await requirePlanRights(place, plan);
      return plan;
    },
    isUpToDate: async (plan) => isUpToDate(plan),
    apply: (plan, request, progress) => applyPlan(place, plan, request, options, progress),
    status: () => readStatus(place),
    logs: (request, write) => readLogs(place, request, write),
    planRollback: (to) => planRollback(place, to),
    rollback: (plan, progress) => rollBack(place, plan as GoogleRollbackPlan, options, progress),
    planDestroy: (request) => planDestroy(place, request),
    destroy: (plan, progress) => destroy(place, plan, progress),
    close: () => {},
  };
}
