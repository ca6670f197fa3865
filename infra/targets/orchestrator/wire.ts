/** An object as it is sent to the cluster. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { LiveObject } from '../../cluster/kinds.ts';
import type { KubeObject, Secret, SecretValue } from '../../orchestrator/kubernetes.ts';
import { sentObject } from '../../orchestrator/show-objects.ts';
import { ownObjects, type Place } from './place.ts';
import type { StoredObject } from './revisions.ts';

/** Generated values of a Secret stay those that the cluster has. */
export async function wireObject(
  place: Place,
  object: KubeObject,
  live: LiveObject | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (object.kind !== 'Secret') return await withGenerated(place, sentObject(object) as unknown as StoredObject);
  const { values, ...rest } = object;
  return { ...rest, data: secretData(values, live?.data ?? {}) };
}

/** Pods read Secrets when they begin: they name the ones with generated values, so that others in their places have pods replaced. */
export async function withGenerated(place: Place, object: StoredObject): Promise<StoredObject> {
  if (object.kind !== 'Deployment') return object;
  const secrets = (await ownObjects(place, ['Secret'])).filter(({ metadata }) => metadata.name.endsWith('-auth'));
  const uids = secrets.map(({ metadata }) => metadata.uid).toSorted();
  if (uids.length === 0) return object;
  const { template, ...spec } = object.spec;
  const own = { 'svc.dev/auth-digest': createHash('sha256').update(uids.join()).digest('hex').slice(0, 16) };
  const metadata = { ...template.metadata, annotations: { ...template.metadata.annotations, ...own } };
  return { ...object, spec: { ...spec, template: { ...template, metadata } } };
}

function secretData(values: Secret['values'], live: Readonly<Record<string, string>>): Record<string, string> {
  const texts: Record<string, string> = {};
  const entries = Object.entries(values);
  for (const [name, value] of entries) if (!('composed' in value)) texts[name] = plainValue(value, live[name]);
  for (const [name, value] of entries)
    if ('composed' in value)
      texts[name] = value.composed
        .map((part) => (typeof part === 'string' ? part : encodeURIComponent(texts[part.value]!)))
        .join('');
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]));
}

function plainValue(value: Exclude<SecretValue, { composed: unknown }>, live: string | undefined): string {
  if ('text' in value) return value.text;
  if (live !== undefined) return Buffer.from(live, 'base64').toString();
  if (value.generated === 'base64') return randomBytes(Math.floor((value.characters * 3) / 4)).toString('base64');
  return Array.from({ length: value.characters }, () => letters[randomInt(letters.length)]).join('');
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
