/** Access rules of an object as they are stored (docs/server/permissions.md, docs/server/storage.md#records). */
export interface AccessRules {
  /** Level of every user; null when it was never set. */
  readonly all: number | null;
  /** Level by root id. */
  readonly roots: Readonly<Record<string, number>>;
}

export const NO_ACCESS = -1;
export const READ = 0;
export const CONNECT = 1;
export const WRITE = 2;

export const levelNames = ['NO_ACCESS', 'READ', 'CONNECT', 'WRITE'] as const;

export function levelName(level: number): string {
  return levelNames[level + 1] ?? String(level);
}

export const noRules: AccessRules = { all: null, roots: {} };

/** The rules of a record; null when it has none. */
export function rulesOf(row: { readonly access: string; rules: AccessRules | null | undefined }): AccessRules | null {
  if (row.rules === undefined) row.rules = row.access === '' ? null : (JSON.parse(row.access) as AccessRules);
  return row.rules;
}

export function rulesText(rules: AccessRules): string {
  return rules.all === null && Object.keys(rules.roots).length === 0 ? '' : JSON.stringify(rules);
}
