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

/** Links of a page within the repository: the path, empty for the page itself, and the anchor. Code is no link. */
export function linksOf(markdown: string): readonly { readonly path: string; readonly anchor: string | undefined }[] {
  const text = withoutBlocks(markdown).replace(/(`+)[^`\n]+\1/g, '');
  return [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].map(([, path, anchor]) => ({
    path: path!,
    anchor,
  }));
}

/** A page without its fenced blocks. */
export function withoutBlocks(markdown: string): string {
  return markdown.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
}
