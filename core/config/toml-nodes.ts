/** A value of a TOML file with the place where it is written: 1-based line and column, of the key for members of a table. */
export type TomlNode = TomlTable | TomlValue;

export interface TomlTable {
  readonly kind: 'table';
  readonly at: Place;
  readonly members: Map<string, TomlNode>;
  /** True for tables that are written one after the other, `[[name]]`: they are members by their index. */
  readonly isList?: boolean;
}

export interface TomlValue {
  readonly kind: 'value';
  readonly at: Place;
  /** string, number, boolean, Date, or an array of such (tables inside arrays are plain objects). */
  readonly value: unknown;
}

export interface Place {
  readonly line: number;
  readonly col: number;
}

/** A table as a plain object, in which lists of tables are lists. */
export function plainTable(table: TomlTable): Record<string, unknown> {
  const plain = (node: TomlNode): unknown => {
    if (node.kind === 'value') return node.value;
    return node.isList ? [...node.members.values()].map(plain) : plainTable(node);
  };
  return Object.fromEntries([...table.members].map(([name, node]) => [name, plain(node)]));
}
