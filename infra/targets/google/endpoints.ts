/** Services of Google Cloud that a deployment asks, and their addresses. */
import type { Environment } from '../../orchestrator/run-tool.ts';

export const services = [
  'run',
  'artifactregistry',
  'secretmanager',
  'iam',
  'logging',
  'serviceusage',
  'cloudresourcemanager',
] as const;
export type Service = (typeof services)[number];

/** APIs that have to be on in the project. Service Usage itself always is. */
export const neededApis = [
  'run',
  'artifactregistry',
  'secretmanager',
  'iam',
  'logging',
  'cloudresourcemanager',
] as const satisfies readonly Service[];

/**
 * Address of a service: `https://run.googleapis.com/`. Variables of gcloud name another one, for private endpoints:
 * https://cloud.google.com/sdk/gcloud/reference/topic/configurations (`api_endpoint_overrides`).
 */
export function endpointOf(service: Service, env: Environment): string {
  const given = env[`CLOUDSDK_API_ENDPOINT_OVERRIDES_${service.toUpperCase()}`];
  return given === undefined || given === '' ? `https://${service}.googleapis.com/` : given.replace(/\/*$/, '/');
}
