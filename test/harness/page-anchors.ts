import { readFileSync } from 'node:fs';

/** Anchors of a page of the documentation: its headings as links name them, and those given by hand, `<a id="timeouts"></a>`. */
export function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  return new Set([
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => slugOf(title!)),
    ...[...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!),
  ]);
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
