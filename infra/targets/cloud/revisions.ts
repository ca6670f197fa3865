/** The last ten deployments, as objects of the artifact bucket: what each was, and the template that brings it back. No secret is in it. */
import type { Template } from '../../cloud/template.ts';
import type { Revision } from '../target.ts';
import { deleteKeys, listKeys, readText, writeText } from './artifacts.ts';
import type { Place } from './place.ts';

export interface StoredRevision extends Revision {
  readonly template: Template;
}

const most = 10;

/** Newest first. */
export async function readRevisions(place: Place): Promise<StoredRevision[]> {
  const keys = (await listKeys(place, 'revisions/')).toReversed().slice(0, most);
  return await Promise.all(keys.map(async (key) => JSON.parse(await readText(place, key)) as StoredRevision));
}

/** Adds a revision, and forgets what more than ten are and the archives that none of the others needs. Gives those that are kept. */
export async function writeRevision(
  place: Place,
  before: readonly StoredRevision[],
  added: StoredRevision,
): Promise<readonly StoredRevision[]> {
  const key = (number: number) => `${place.stack}/revisions/${String(number).padStart(6, '0')}.json`;
  await writeText(place, key(added.number), JSON.stringify(added));
  const kept = [added, ...before].slice(0, most);
  const needed = new Set([
    ...kept.map(({ number }) => key(number)),
    ...kept.flatMap(({ template }) => archivesOf(template)),
  ]);
  const there = [...(await listKeys(place, 'revisions/')), ...(await listKeys(place, 'archives/'))];
  await deleteKeys(
    place,
    there.filter((one) => !needed.has(one)),
  );
  return kept;
}

export function nextNumber(revisions: readonly StoredRevision[]): number {
  return (revisions[0]?.number ?? 0) + 1;
}

/** Keys of the archives that a template names. */
export function archivesOf({ Resources }: Template): string[] {
  return Object.values(Resources).flatMap(({ Properties }) => {
    const { S3Key } = (Properties?.['Code'] ?? {}) as { readonly S3Key?: string };
    return S3Key === undefined ? [] : [S3Key];
  });
}

export function withoutTemplate({ template: _, ...revision }: StoredRevision): Revision {
  return revision;
}
