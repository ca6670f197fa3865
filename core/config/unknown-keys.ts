/** Names in `svc.toml` that no option has: those of other tools, and those that are wrong, with what may be meant. */
import { didYouMean } from '../../base/did-you-mean.ts';
import { tomlKey } from './options.ts';
import { otherKey } from './other-keys.ts';
import type { TomlNode, TomlTable } from './toml-nodes.ts';
import { keyOf, normal, paths, providerKeys, tables, type WrittenKey } from './written-keys.ts';

/** Gives what is to be said of a name that no option has, or of those in it; `under` is the profile that it stands in. */
export function tellUnknown(at: readonly string[], node: TomlNode, under: readonly string[]): readonly WrittenKey[] {
  const key = keyOf(at);
  const other = otherKey(key);
  const unknown = (problem: string, isTable: boolean): readonly WrittenKey[] => [
    { kind: 'unknown', isTable, place: node.at, at: [...under, ...at], problem },
  ];
  if (other !== undefined) return [{ kind: 'other', place: node.at, at, shown: other }];
  if (tables.has(key)) return unknown('expected a table', true);
  if (at.length === 5 && key.startsWith('plugins.scale.sso.'))
    return unknown(`unknown key '${at[4]}'${meant(didYouMean(at[4]!, providerKeys.keys()))}`, false);
  if (node.kind === 'value') return unknown(`unknown key '${at.at(-1)}'${meantKey(at)}`, false);
  const within = onlyTables(node);
  if (within.length > 0) return within.flatMap(([name, table]) => tellUnknown([...at, name], table, under));
  const header = (name: string) => `[${[...under, name].join('.')}]`;
  const nearest = nearestTable(at);
  const hint =
    nearest === undefined
      ? `what the program or another tool reads itself: ${toolTable(at)}`
      : `did you mean ${header(nearest)}?`;
  return unknown(`unknown table ${header(at.join('.'))} (${hint})`, true);
}

/** Gives the tables in one that holds nothing else, and no list of tables: those are told in its place. */
function onlyTables(table: TomlTable): readonly [string, TomlNode][] {
  const members = [...table.members];
  return members.every(([name, node]) => node.kind === 'table' && !/^\d+$/.test(name)) ? members : [];
}

/** Gives the header under which a table that is like no option is left to other tools. */
function toolTable(at: readonly string[]): string {
  return `[tool.${at.slice(at[0] === 'plugins' ? 1 : 0).join('.')}]`;
}

/**
 * Finds the table nearest to a name, by its whole name, else by its last one: `[plugin.scale.jwt]` and `[jwt]` are
 * `[plugins.scale.jwt]`.
 */
function nearestTable(at: readonly string[]): string | undefined {
  const key = normal(at.join('.'));
  const last = normal(at.at(-1)!);
  const names = [...tables.keys()];
  const siblings = names.filter((name) => name.startsWith(`${keyOf(at.slice(0, -1))}.`));
  const like = didYouMean(last, siblings.map(lastOf));
  const nearest =
    (like === undefined ? undefined : siblings.find((name) => lastOf(name) === like)) ??
    didYouMean(key, names) ??
    names.find((name) => lastOf(name) === last);
  return nearest === undefined ? undefined : tables.get(nearest);
}

/** The nearest key of the same table, else one of the same name in another. */
function meantKey(at: readonly string[]): string {
  const table = keyOf(at.slice(0, -1));
  const name = normal(at.at(-1)!);
  // Diagnostics are silenced where they are, not for a whole project.
  if (table === 'check' && silencing.test(name)) return ' (`# svc:ignore[CODE]` on a line silences it there)';
  if (otherWords.has(keyOf(at))) return meant(otherWords.get(keyOf(at)));
  const siblings = [...[...paths.values()].map(tomlKey), ...tables.values()]
    .filter((known) => table !== '' && normal(known).startsWith(`${table}.`))
    .map((known) => known.slice(table.length + 1).split('.')[0]!);
  // `entry` for `entry-point`: a word that is left out is more than a slip.
  const longer = siblings.find((known) => normal(known).startsWith(`${name}_`));
  const nearest = didYouMean(at.at(-1)!, new Set(siblings)) ?? longer;
  if (nearest !== undefined) return meant(nearest);
  const elsewhere = [...paths].find(([key]) => lastOf(key) === name);
  if (elsewhere === undefined) return '';
  const key = tomlKey(elsewhere[1]);
  return ` (did you mean ${lastOf(key)} under [${key.slice(0, key.lastIndexOf('.'))}]?)`;
}

/** Words for what a key of the same table has another one for. */
const otherWords = new Map([['plugins.scale.orchestrator.domain', 'host']]);

const silencing = /suppress|ignore|disable|silence|exclude|skip|warnings/;

function meant(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
