/**
 * Effects on stored data of going back: what `svc check --stored` of the earlier program would say, found from what both revisions remember of
 * their types, since the data are out of reach. Values decide about a field of another type, so that both outcomes are said there.
 */

export interface SchemaChange {
  /** `main.Task` */
  readonly type: string;
  readonly field?: string;
  /** Names of `core/memory/stored-changes.ts`; `refitted`: a field of another type; `other`: nothing is remembered but that they differ. */
  readonly change: 'added' | 'restored' | 'kept_aside' | 'gone' | 'refitted' | 'other';
}

/** Stored types by name, as a revision remembers them. */
interface Types {
  readonly schema: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, Fields>>;
}

type Fields = Readonly<Record<string, string>>;

/** `stored`: the revision that wrote the data last; `target`: the one that is to read them. */
export function schemaChanges(stored: Types, target: Types): SchemaChange[] {
  return Object.keys(stored.schema)
    .toSorted()
    .flatMap((name) => {
      if (stored.schema[name] === target.schema[name]) return [];
      // Without its kind: `node main.Task`.
      const type = name.replace(/^\w+ /, '');
      if (target.schema[name] === undefined) return [{ type, change: 'gone' as const }];
      const [before, after] = [stored.fields?.[name], target.fields?.[name]];
      const found = before === undefined || after === undefined ? [] : fieldChanges(type, before, after);
      return found.length > 0 ? found : [{ type, change: 'other' as const }];
    });
}

function fieldChanges(type: string, before: Fields, after: Fields): SchemaChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field): SchemaChange[] => {
    if (before[field] === after[field]) return [];
    if (after[field] === undefined) return [{ type, field, change: 'kept_aside' }];
    if (before[field] !== undefined) return [{ type, field, change: 'refitted' }];
    // The target has served before: what it stored was kept aside since, and what came later never had the field.
    return [
      { type, field, change: 'restored' },
      { type, field, change: 'added' },
    ];
  });
}
