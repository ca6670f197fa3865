/** Anchors of the pages for readers: what stands behind the `#` of a link or a citation. */
import { readFileSync } from 'node:fs';

/** Names that pages give their sections with `<a id="…">`: they stay when headings are reworded. */
export function explicitAnchorsOf(markdown: string): readonly string[] {
  return [...withoutBlocks(markdown).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!);
}

/** Explicit anchors and headings as links name them. */
export function anchorsOf(file: string): ReadonlySet<string> {
  const markdown = readFileSync(file, 'utf8');
  const headings = [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...explicitAnchorsOf(markdown), ...headings]);
}

/** A page without its fenced blocks. */
export function withoutBlocks(markdown: string): string {
  return markdown.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
}
