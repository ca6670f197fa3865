/** AWS as a target of deployments. */
import type { DeployTarget } from '../target.ts';
import { applyPlan, type CloudSettings, isUpToDate } from './apply.ts';
import { requireRights } from './ask-rights.ts';
import { openClients } from './clients.ts';
import { type CloudDestroyPlan, destroy, planDestroy } from './destroy.ts';
import { type CloudApp, type CloudPlan, findChanges } from './find-changes.ts';
import { readLogs } from './logs.ts';
import { findPlace, shownPlace } from './place.ts';
import { planRollback, rollBack } from './rollback.ts';
import { readStatus } from './status.ts';

export interface OpenCloud extends CloudSettings {
  readonly region: string;
  readonly stack: string;
  readonly app: string;
  /** '' for one that is made. */
  readonly bucket: string;
  /** True when rights are asked for before anything changes. */
  readonly checksRights: boolean;
  /** Names of the tables that deployments may have made. */
  readonly tables: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface Cloud extends DeployTarget<CloudApp, CloudPlan, CloudDestroyPlan> {
  /** `123456789012/eu-west-1/demo-prod` */
  readonly place: string;
  /** @throws DeployFailure that names every right for the life of an application that is missing */
  requireRights(app: CloudApp, note: (text: string) => void): Promise<void>;
}

/** @throws DeployFailure when there are no clients, no credentials, or no way to the service */
export async function openCloud(options: OpenCloud): Promise<Cloud> {
  const clients = await openClients(options.region, options.env);
  try {
    const place = await findPlace(clients, options);
    return {
      place: shownPlace(place),
      requireRights: (app, note) => requireRights(place, app, note),
      plan: (app) => findChanges(place, app),
      isUpToDate: (plan) => isUpToDate(place, plan),
      apply: (plan, request, progress) => applyPlan(place, plan, request, options, progress),
      status: () => readStatus(place),
      logs: (request, write) => readLogs(place, request, write),
      planRollback: (to) => planRollback(place, to),
      rollback: (plan, progress) => rollBack(place, plan, options, progress),
      planDestroy: (request) => planDestroy(place, request),
      destroy: (plan, progress) => destroy(place, plan, progress),
      close: () => clients.close(),
    };
  } catch (error) {
    clients.close();
    throw error;
  }
}
