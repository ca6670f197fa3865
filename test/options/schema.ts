/** `svc.toml` as a JSON schema (draft 7), generated from the option table: for editors, and for programs that write the file. */
import type { Mode, SsoProvider } from '../../core/config/config.ts';
import type { Option, OptionType } from '../../core/config/option.ts';
import { type Meaning, meanings, providerMeanings } from '../../core/config/option-meanings.ts';
import { optionAt, optionPaths, providerOptions, tomlKey } from '../../core/config/options.ts';
import { otherNames } from '../../core/config/other-keys.ts';
import { olderNames } from '../../core/config/written-keys.ts';

interface Schema {
  [name: string]: unknown;
}

interface TableSchema extends Schema {
  readonly type: 'object';
  readonly properties: Record<string, Schema>;
  additionalProperties: boolean | Schema;
}

/**
 * Builds the JSON Schema of files that `svc` accepts without a warning, names spelt as the documentation does: the file
 * and, the same once more, each of its profiles.
 */
export function configSchema(): Schema {
  const tables = emptyTable();
  for (const path of optionPaths) {
    const option = optionAt(path);
    if (option.type.kind === 'providers') addProviders(tableAt(tables, tomlKey(path).split('.')));
    else {
      place(tables, tomlKey(path).split('.'), optionSchema(option, meanings[path]));
      if (tomlKey(path).includes('-'))
        place(tables, tomlKey(path).replaceAll('-', '_').split('.'), optionSchema(option, meanings[path]));
    }
  }
  for (const name of otherNames) placeOther(tables, name.split('.'));
  for (const [older, name] of olderNames.filter(([one]) => one.includes('.')))
    place(tables, older.split('.'), refer(name));
  const { environments, ...definitions } = tables.properties;
  const all = Object.fromEntries([
    ...Object.keys(definitions).map((name) => [name, refer(name)]),
    ...olderNames.filter(([older]) => !older.includes('.')).map(([older, name]) => [older, refer(name)]),
  ]);
  const { response } = (environments as TableSchema).properties;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'svc.toml',
    description: 'Configuration of an application that svc serves.',
    type: 'object',
    properties: {
      ...all,
      environments: {
        type: 'object',
        description: 'Profiles, which --profile chooses, and fields of every response.',
        properties: { response },
        additionalProperties: { type: 'object', properties: all, additionalProperties: false },
      },
    },
    additionalProperties: false,
    definitions,
  };
}

/** To a table by its name, such as `plugins.scale`. */
function refer(name: string): Schema {
  return { $ref: `#/definitions/${name.replaceAll('.', '/properties/')}` };
}

function emptyTable(): TableSchema {
  return { type: 'object', properties: {}, additionalProperties: false };
}

/** The table at a path of names, made where it is missing. */
function tableAt(root: TableSchema, names: readonly string[]): TableSchema {
  let table = root;
  for (const name of names) {
    const inner = (table.properties[name] ??= emptyTable()) as TableSchema;
    (inner as { properties: unknown }).properties ??= {};
    table = inner;
  }
  return table;
}

/** A free table that has options in it, as `dependencies.npm`, keeps both. */
function place(root: TableSchema, names: readonly string[], schema: Schema): void {
  const owner = tableAt(root, names.slice(0, -1)) as TableSchema;
  const name = names.at(-1)!;
  owner.properties[name] = { ...owner.properties[name], ...schema };
}

function placeOther(root: TableSchema, names: readonly string[]): void {
  if (names.at(-1) === '*') tableAt(root, names.slice(0, -1)).additionalProperties = true;
  else
    place(
      root,
      names.map((name) => spelled.get(name) ?? name),
      { description: described.get(names.join('.')) ?? 'Accepted without effect.' },
    );
}

/** Names without an option that have an effect all the same (`entryOfApp`). */
const described = new Map([
  ['apps', 'Applications of the project by their names, each with an `entry-point`.'],
  ['project.default_app', 'Application that commands take when they are given no file.'],
]);

/** Names that are customary with dashes. */
const spelled = new Map(
  ['default-app', 'dev-dependencies', 'optional-dependencies', 'svc-shadcn', 'svc-version'].map((name) => [
    name.replaceAll('-', '_'),
    name,
  ]),
);

function addProviders(sso: TableSchema): void {
  const provider = emptyTable();
  for (const field of Object.keys(providerOptions) as (keyof SsoProvider)[]) {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    provider.properties[name] = optionSchema(providerOptions[field] as Option, providerMeanings[field]);
  }
  sso.additionalProperties = provider;
}

function optionSchema({ type, default: value, defaultIn }: Option, [, about]: Meaning): Schema {
  const modes = Object.entries(defaultIn ?? {}) as [Mode, unknown][];
  const byMode = modes.map(([mode, other]) => ` In ${mode}: ${JSON.stringify(other)}.`).join('');
  return { description: `${about}${byMode}`, default: value, ...typeSchema(type) };
}

/** Numbers and the like may be references to the environment. */
function typeSchema(type: OptionType): Schema {
  switch (type.kind) {
    case 'text':
      return { type: 'string' };
    case 'flag':
      return orReference({ type: 'boolean' });
    case 'int':
      return orReference({ type: 'integer', minimum: type.min, maximum: type.max });
    case 'number':
      return orReference({ type: 'number', minimum: type.min, maximum: type.max });
    case 'choice':
      return orReference({ enum: type.of.includes('on') ? [...type.of, true, false] : type.of });
    case 'texts':
      return orReference({ type: 'array', items: { type: 'string' } });
    case 'numbers':
      return orReference({ type: 'array', items: { type: 'number' } });
    case 'table':
    case 'providers':
      return { type: 'object', additionalProperties: membersOf('holds' in type ? type.holds : undefined) };
  }
}

/** `Task.name = "title"` without quotes is a table in a table. */
function membersOf(holds: 'scalars' | 'anything' | undefined): boolean | Schema {
  if (holds === 'anything') return true;
  return { type: [...(holds === 'scalars' ? ['number', 'boolean'] : []), 'string', 'object'] };
}

function orReference(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'string', pattern: '\\$\\{.+\\}' }] };
}
