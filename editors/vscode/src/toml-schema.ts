/** Reads the schema of `svc.toml` at a place in the file. Without `vscode`, so that tests can call it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A table head, a key, or a value; `path` is the table for the first two, the key for a value. */
export interface Where {
  readonly kind: 'table' | 'key' | 'value';
  readonly path: readonly string[];
}

export interface Key {
  readonly name: string;
  readonly about: string;
  readonly isTable: boolean;
}

/** The place at `character` of the last of `lines`, which are those of the file up to it. */
export function whereIn(lines: readonly string[], character: number): Where {
  const line = (lines.at(-1) ?? '').slice(0, character);
  const head = /^\s*\[\[?\s*([\w.\- "]*)$/.exec(line);
  if (head !== null) return { kind: 'table', path: namesOf(head[1]!).slice(0, -1) };
  const table = lines.slice(0, -1).findLast((text) => /^\s*\[/.test(text));
  const path = namesOf(/^\s*\[\[?\s*([^\]]*)/.exec(table ?? '')?.[1] ?? '').filter((name) => name !== '');
  const value = /^\s*([\w.\-"]+)\s*=/.exec(line);
  if (value !== null) return { kind: 'value', path: [...path, ...namesOf(value[1]!)] };
  return { kind: 'key', path: [...path, ...namesOf(line.trim()).slice(0, -1)] };
}

export function schemaAt(root: Schema, path: readonly string[]): Schema | undefined {
  let schema: Schema | undefined = root;
  for (const name of path) {
    const table: Schema | undefined = schema && resolve(root, schema);
    const more: boolean | Schema | undefined = table?.additionalProperties;
    schema = table?.properties?.[name] ?? (typeof more === 'object' ? more : undefined);
  }
  return schema && resolve(root, schema);
}

/** Keys of a table; for a table head only those that are tables. */
export function keysOf(root: Schema, path: readonly string[], onlyTables: boolean): Key[] {
  const entries = Object.entries(schemaAt(root, path)?.properties ?? {});
  const keys = entries.map(([name, written]): Key => {
    const schema = resolve(root, written);
    return { name, about: about(schema), isTable: schema.properties !== undefined };
  });
  return onlyTables ? keys.filter(({ isTable }) => isTable) : keys;
}

/** Values as TOML writes them: choices, else the default. */
export function valuesOf(root: Schema, schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const kinds = [schema, ...(schema.anyOf ?? [])].map((kind) => resolve(root, kind));
  const choices = kinds.flatMap((kind) => kind.enum ?? []);
  if (choices.length > 0) return choices.map((value) => JSON.stringify(value));
  if (kinds.some(({ type }) => type === 'boolean')) return ['true', 'false'];
  const isPlain = schema.default !== undefined && !kinds.some(({ type }) => type === 'object');
  return isPlain ? [JSON.stringify(schema.default)] : [];
}

function about({ description = '', default: value }: Schema): string {
  return value === undefined || typeof value === 'object'
    ? description
    : `${description} Default: ${JSON.stringify(value)}.`;
}

function resolve(root: Schema, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  let target: unknown = root;
  for (const name of schema.$ref.slice(2).split('/'))
    target = (target as Readonly<Record<string, unknown>> | undefined)?.[name];
  return (target as Schema | undefined) ?? {};
}

function namesOf(text: string): string[] {
  return text.split('.').map((name) => name.trim().replaceAll('"', ''));
}
