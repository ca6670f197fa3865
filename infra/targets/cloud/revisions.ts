/** The last ten deployments, as objects of the artifact bucket: what each was, and the template that brings it back. No secret is in it. */

import { staticFolder } from '../../cloud/roles.ts';
import type { Template } from '../../cloud/template.ts';
import type { Revision } from '../target.ts';
import { deleteKeys, listKeys, pageFileKey, readText, writeText } from './artifacts.ts';
import type { Place } from './place.ts';

export interface StoredRevision extends Revision {
  readonly template: Template;
  /** Names of the files of its pages that never change; absent where there are none. */
  readonly pageFiles?: readonly string[];
  /** Such files of the versions before, with the time when the last of these was replaced. */
  readonly earlierFiles?: Readonly<Record<string, string>>;
}

const most = 10;
/** Days for which a page that somebody left open finds the files of its version. */
const pageDays = 30;
/** Names that a revision holds of files of earlier versions, the last ones. */
const mostNames = 5000;

/** Newest first. */
export async function readRevisions(place: Place): Promise<StoredRevision[]> {
  const keys = (await listKeys(place, 'revisions/')).toReversed().slice(0, most);
  return await Promise.all(keys.map(async (key) => JSON.parse(await readText(place, key)) as StoredRevision));
}

/** Adds a revision, and forgets what more than ten are, and archives and files of pages that none of the others needs. Gives those that are kept. */
export async function writeRevision(
  place: Place,
  before: readonly StoredRevision[],
  revision: Omit<StoredRevision, 'earlierFiles'>,
): Promise<readonly StoredRevision[]> {
  const earlierFiles = filesOfBefore(before[0], revision);
  const added: StoredRevision = { ...revision, ...(Object.keys(earlierFiles).length > 0 ? { earlierFiles } : {}) };
  const key = (number: number) => `${place.stack}/revisions/${String(number).padStart(6, '0')}.json`;
  await writeText(place, key(added.number), JSON.stringify(added));
  const kept = [added, ...before].slice(0, most);
  const needed = new Set([
    ...kept.map(({ number }) => key(number)),
    ...kept.flatMap(({ template }) => archivesOf(template)),
  ]);
  const there = [...(await listKeys(place, 'revisions/')), ...(await listKeys(place, 'archives/'))];
  const files = new Set([...kept.flatMap(({ pageFiles = [] }) => pageFiles), ...Object.keys(earlierFiles)]);
  const hasFiles = files.size > 0 || before[0]?.earlierFiles !== undefined;
  const ofPages = hasFiles ? await listKeys(place, `${staticFolder}/`) : [];
  const start = pageFileKey(place.stack, '').length;
  await deleteKeys(place, [
    ...there.filter((one) => !needed.has(one)),
    ...ofPages.filter((one) => !files.has(one.slice(start).replace(/\.br$/, ''))),
  ]);
  return kept;
}

/** A page that was loaded before a deployment asks for files of its version when somebody goes on in it (decisions/0890). */
export function filesOfBefore(
  last: StoredRevision | undefined,
  { pageFiles = [], time }: Pick<StoredRevision, 'pageFiles' | 'time'>,
): Record<string, string> {
  const replaced = (last?.pageFiles ?? []).map((name) => [name, time] as const);
  const since = Date.parse(time) - pageDays * 86_400_000;
  const earlier = [...Object.entries({ ...last?.earlierFiles, ...Object.fromEntries(replaced) })]
    .filter(([name, until]) => !pageFiles.includes(name) && Date.parse(until) > since)
    .sort(([, a], [, b]) => Date.parse(b) - Date.parse(a));
  return Object.fromEntries(earlier.slice(0, mostNames));
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

/** A revision as people are told of it. */
export function withoutTemplate({
  template: _,
  pageFiles: __,
  earlierFiles: ___,
  ...revision
}: StoredRevision): Revision {
  return revision;
}
