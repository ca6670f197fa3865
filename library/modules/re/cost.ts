/** Bounds on the time that JavaScript may search for a pattern: it tries every way to match before it gives up. */
import type { Node } from './parse.ts';

/** Number of steps, as a power of two, above which a search may take a good part of a second. */
const longSearch = 26;

/** The most ways to match a text of `length` characters from one place, as a power of two. */
function waysToMatch(node: Node, length: number): number {
  switch (node.kind) {
    case 'sequence':
      return node.items.reduce((sum, item) => sum + waysToMatch(item, length), 0);
    case 'choice':
      return Math.log2(node.options.length) + Math.max(...node.options.map((option) => waysToMatch(option, length)));
    case 'repeat': {
      const inner = waysToMatch(node.body, length);
      const most = Math.min(node.max, length);
      return Math.log2(Math.max(1, most - node.min + 1)) + inner * most;
    }
    case 'group':
    case 'look':
    case 'atomic':
      return waysToMatch(node.body, length);
    case 'condition':
      return 1 + Math.max(waysToMatch(node.yes, length), waysToMatch(node.no, length));
    default:
      return 0;
  }
}

/** Gives for lengths of texts whether a search in them may take long; one answer serves all lengths up to the next power of two. */
export function makeLongSearches(tree: Node): (length: number) => boolean {
  const known: (boolean | undefined)[] = [];
  return (length) => {
    const size = Math.ceil(Math.log2(length + 1));
    // From each place, through the rest of the text.
    known[size] ??= waysToMatch(tree, 2 ** size) + 2 * size > longSearch;
    return known[size];
  };
}
