import type { KubeObject, SecretValue } from './kubernetes.ts';

/** An object as people may see it: of secrets and of parts of bundles their size only (docs/server/orchestrator.md#secrets). */
export function shownObject(object: KubeObject): Readonly<Record<string, unknown>> {
  if (object.kind === 'Secret') {
    const { values, ...rest } = object;
    return { ...rest, data: mapValues(values, shownSecret) };
  }
  if (object.kind !== 'ConfigMap') return { ...object };
  const { binaries, ...rest } = object;
  return { ...rest, binaryData: mapValues(binaries, (bytes) => size(bytes.length)) };
}

/** An object without secrets as the orchestrator takes it. */
export function sentObject(object: Exclude<KubeObject, { kind: 'Secret' }>): Readonly<Record<string, unknown>> {
  if (object.kind !== 'ConfigMap') return { ...object };
  const { binaries, ...rest } = object;
  return { ...rest, binaryData: mapValues(binaries, (bytes) => Buffer.from(bytes).toString('base64')) };
}

export function shownSecret(value: SecretValue): string {
  if ('text' in value) return size(Buffer.byteLength(value.text));
  if ('generated' in value) return `(generated, ${value.characters} characters)`;
  return `(${value.composed.map((part) => (typeof part === 'string' ? part : `<${part.value}>`)).join('')})`;
}

function size(bytes: number): string {
  return `(${bytes} ${bytes === 1 ? 'byte' : 'bytes'})`;
}

function mapValues<T, U>(table: Readonly<Record<string, T>>, change: (value: T) => U): Readonly<Record<string, U>> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value)]));
}
