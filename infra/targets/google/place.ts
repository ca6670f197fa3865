/** The place of a deployment in Google Cloud: project, region and name, and how its things are told from others. */
import { createHash } from 'node:crypto';
import type { GoogleClient } from './client.ts';

export interface Place {
  readonly client: GoogleClient;
  readonly project: string;
  readonly region: string;
  /** `app_name`. */
  readonly app: string;
  /** `[plugins.scale.gcp] repository`. */
  readonly repository: string;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

type Where = Pick<Place, 'project' | 'region' | 'app' | 'repository'>;

/** Value of the label `managed`. */
export const manager = 'svc-scale';

export function ownLabels(app: string): Readonly<Record<string, string>> {
  return { app, managed: manager };
}

export function isOwn(thing: any, app: string): boolean {
  return thing?.labels?.['app'] === app && thing?.labels?.['managed'] === manager;
}

/** `demo/europe-west1` */
export function shownPlace({ project, region }: Pick<Where, 'project' | 'region'>): string {
  return `${project}/${region}`;
}

export function locationPath({ project, region }: Pick<Where, 'project' | 'region'>): string {
  return `projects/${project}/locations/${region}`;
}

export function servicePath(where: Where): string {
  return `${locationPath(where)}/services/${where.app}`;
}

export function repositoryPath(where: Where): string {
  return `${locationPath(where)}/repositories/${where.repository}`;
}

/** `europe-west1-docker.pkg.dev/demo/svc`; projects of a domain, `acme.com:demo`, have a part more. */
export function registryOf({ project, region, repository }: Where): string {
  return `${region}-docker.pkg.dev/${project.replace(':', '/')}/${repository}`;
}

/** Name of the secret that holds a variable. */
export function secretId(app: string, variable: string): string {
  return `${app}-${variable}`;
}

/** Accounts have 6 to 30 characters; what is cut off counts by its digest. */
export function accountId(app: string): string {
  const id = `${app}-run`;
  if (id.length < 6) return `${app}-svc-run`;
  if (id.length <= 30) return id;
  return `${app.slice(0, 21)}-${createHash('sha256').update(app).digest('hex').slice(0, 4)}-run`;
}

export function accountEmail({ project, app }: Pick<Where, 'project' | 'app'>): string {
  const [name, domain] = project.split(':').toReversed();
  return `${accountId(app)}@${name}${domain === undefined ? '' : `.${domain}`}.iam.gserviceaccount.com`;
}

/** Accounts have no labels. */
export function accountDescription(app: string): string {
  return `managed by ${manager} for ${app}`;
}

/** `demo-00007` */
export function revisionName(app: string, number: number): string {
  return `${app}-${String(number).padStart(5, '0')}`;
}
