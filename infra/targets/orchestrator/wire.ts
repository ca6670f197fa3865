/** An object as it is sent to the cluster. */
import { randomBytes, randomInt } from 'node:crypto';
import type { LiveObject } from '../../cluster/kinds.ts';
import type { KubeObject, Secret, SecretValue } from '../../orchestrator/kubernetes.ts';
import { sentObject } from '../../orchestrator/show-objects.ts';

/** Generated values of a Secret stay those that the cluster has. */
export function wireObject(object: KubeObject, live: LiveObject | undefined): Readonly<Record<string, unknown>> {
  if (object.kind !== 'Secret') return sentObject(object);
  const { values, ...rest } = object;
  return { ...rest, data: secretData(values, live?.data ?? {}) };
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
