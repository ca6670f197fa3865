/** Errors of Google Cloud, in words that say what to do. */
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { GoogleError } from './client.ts';
import type { Place } from './place.ts';

/** Gives what `work` gives; an error of a service becomes a failure about `shown`. @throws DeployFailure */
export async function forThing<T>(place: Place, shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GoogleError ? explained(error, place, shown) : error;
  }
}

function explained(error: GoogleError, { project }: Place, shown: string): DeployFailure {
  const { status, reason, message, service } = error;
  if (reason === 'SERVICE_DISABLED')
    return new DeployFailure('prerequisite', `${service}.googleapis.com is off in project ${project}`, {
      hints: [`gcloud services enable ${service}.googleapis.com --project ${project}`],
    });
  if (status === 403) {
    const right = /[Pp]ermission '?([a-z]+\.[A-Za-z]+\.[A-Za-z]+)'?/.exec(message)?.[1];
    if (right !== undefined) return notAllowed([right], project);
    return new DeployFailure('prerequisite', `not allowed: ${message}`);
  }
  return new DeployFailure('failed', `${shown}: ${message}`);
}

/** `not allowed: run.services.create in project demo` */
export function notAllowed([first, ...others]: readonly string[], project: string): DeployFailure {
  return new DeployFailure('prerequisite', `not allowed: ${first} in project ${project}`, {
    hints: others.length === 0 ? [] : [`nor ${others.join(', ')}`],
  });
}

export function changedMeanwhile({ app }: Place): DeployFailure {
  return new DeployFailure('failed', `service ${app} was changed while deploying (etag); run again`);
}

export function notOurs(shown: string): DeployFailure {
  return new DeployFailure('failed', `${shown} exists and is not managed by svc`, {
    hints: ['app_name of [plugins.scale.orchestrator] leads around it; svc never touches it'],
  });
}
