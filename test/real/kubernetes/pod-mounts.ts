/**
 * Mounts of containers that are processes of this machine: a path of a container is a folder of its pod. Commands that name such a path are given
 * the folder instead.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeClient } from '../../../infra/cluster/client.ts';

interface Pod {
  readonly object: any;
  readonly root: string;
}

/** Makes the folders of all mounts but those below `/app` and `/bundle`, with the volumes that outlive the pod and the files of Secrets. */
export async function placeMounts(client: KubeClient, { object, root }: Pod): Promise<void> {
  const { spec, metadata } = object;
  for (const { name, mountPath, subPath = '' } of mountsOf(spec)) {
    const { persistentVolumeClaim: claim, secret } = spec.volumes.find((volume: any) => volume.name === name) ?? {};
    const folder = join(root, mountPath);
    if (claim === undefined) mkdirSync(folder, { recursive: true });
    else {
      const kept = await volumeFolder(client, { object, root }, claim.claimName, subPath);
      mkdirSync(dirname(folder), { recursive: true });
      rmSync(folder, { recursive: true, force: true });
      symlinkSync(kept, folder);
    }
    if (secret === undefined) continue;
    const { data } = (await client.get('Secret', metadata.namespace, secret.secretName))!;
    for (const { key, path } of secret.items) writeFileSync(join(folder, path), Buffer.from(data![key]!, 'base64'));
  }
}

/** The folder of the volume to which a claim is bound: another claim of the same name has another one. */
export async function volumeFolder(
  client: KubeClient,
  { object, root }: Pod,
  claim: string,
  subPath: string,
): Promise<string> {
  const { spec } = (await client.get('PersistentVolumeClaim', object.metadata.namespace, claim))!;
  const folder = join(root, '../../volumes', spec.volumeName, subPath);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function mountsOf(spec: any): any[] {
  return [...(spec.initContainers ?? []), ...spec.containers]
    .flatMap(({ volumeMounts = [] }) => volumeMounts)
    .filter(({ mountPath }) => !/^\/(app|bundle|tmp)(\/|$)/.test(mountPath));
}

/** A text of a command with the folders of this pod where it names mounts. The longest path comes first. */
export function located({ root }: Pod, { volumeMounts = [] }: any, text: string): string {
  const paths: string[] = volumeMounts.map(({ mountPath }: any) => mountPath);
  const own = paths.filter((path) => !/^\/(app|bundle)(\/|$)/.test(path)).toSorted((a, b) => b.length - a.length);
  return own.length === 0
    ? text
    : text.replace(new RegExp(`(?<![\\w/])(${own.join('|')})(?![\\w-])`, 'g'), `${root}$1`);
}
