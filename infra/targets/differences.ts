/** Comparison of two states of anything that a deployment makes. */
import type { FieldChange } from './target.ts';

/** Fields in which two data differ; items of lists are named after their member `name`, else by place. */
export function differences(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: FieldChange[]): void {
  if (isTable(before) && isTable(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) compare(before[name], after[name], path === '' ? name : `${path}.${name}`, found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let at = 0; at < Math.max(before.length, after.length); at++)
      compare(before[at], after[at], `${path}[${nameOf(after[at] ?? before[at]) ?? at}]`, found);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) found.push({ path, from: textOf(before), to: textOf(after) });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(item: unknown): string | undefined {
  return isTable(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
}

const longest = 200;

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}
