import type { TomlTable } from '../../../core/config/toml-nodes.ts';

/** Tables and values as a TOML document. */
export function settingsToml(root: TomlTable): string {
  return tableLines(root, []).join('\n');
}

function tableLines(table: TomlTable, at: readonly string[]): string[] {
  const members = [...table.members];
  const own = members.flatMap(([name, node]) =>
    node.kind === 'value' ? [`${key(name)} = ${inline(node.value)}`] : [],
  );
  const inner = members.flatMap(([name, node]) => (node.kind === 'table' ? tableLines(node, [...at, name]) : []));
  const head = at.length > 0 && (own.length > 0 || inner.length === 0) ? [`[${at.map(key).join('.')}]`] : [];
  return [...head, ...own, ...(own.length + head.length > 0 ? [''] : []), ...inner];
}

function key(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : text(name);
}

function inline(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${key(name)} = ${inline(member)}`)
    .join(', ')} }`;
}

/** A string of JSON is one of TOML, but for one character. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf';
}
