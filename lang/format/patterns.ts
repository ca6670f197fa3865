/** Rules for patterns (docs/language/statements.md#match). */
import type * as ast from '../1-parse/ast.ts';
import * as t from '../1-parse/tokens.ts';
import { markExpression } from './expressions.ts';
import { LINE, NONE } from './gaps.ts';
import { addGroup, firstOf, type Layout, lastOf, markList, outerOf, setGap } from './layout.ts';

export function markPattern(l: Layout, e: ast.Pattern): void {
  switch (e.kind) {
    case 'ValuePattern':
      markExpression(l, e.value);
      return;
    case 'AsPattern':
      markPattern(l, e.pattern);
      return;
    case 'OrPattern': {
      const [, ...rest] = e.options;
      addGroup(l, firstOf(l, e), lastOf(l, e), { steps: 2 });
      for (const option of rest) setGap(l, outerOf(l, option)[0] - 1, LINE);
      for (const option of e.options) markPattern(l, option);
      return;
    }
    case 'StarPattern':
      setGap(l, firstOf(l, e) + 1, NONE);
      return;
    case 'SequencePattern':
      markBracketed(l, firstOf(l, e), e.items);
      return;
    case 'MappingPattern': {
      const open = firstOf(l, e);
      for (let i = open + 1; i < lastOf(l, e); i++) if (l.tokens.kinds[i] === t.STAR_STAR) setGap(l, i + 1, NONE);
      for (const { key, value } of e.entries) {
        markExpression(l, key);
        markPattern(l, value);
      }
      markBracketed(l, open, []);
      return;
    }
    case 'ClassPattern': {
      markExpression(l, e.type);
      const open = l.tokens.match[lastOf(l, e)]!;
      setGap(l, open, NONE);
      for (const { name } of e.named) {
        setGap(l, firstOf(l, name) + 1, NONE);
        setGap(l, firstOf(l, name) + 2, NONE);
      }
      const parts = [...e.positional, ...e.named.map(({ pattern }) => pattern)];
      for (const part of parts) markPattern(l, part);
      markBracketed(l, open, []);
    }
  }
}

function markBracketed(l: Layout, open: number, items: readonly ast.Pattern[]): void {
  const { kinds, match } = l.tokens;
  if (match[open]! <= open || kinds[open] === t.LT) return;
  markList(
    l,
    open,
    items.map((item) => outerOf(l, item)[0]),
  );
  if (items.length === 0) setGap(l, open + 1, NONE);
  for (const item of items) markPattern(l, item);
}
