import type { Rule } from './rule.ts';

/** W0143, with `[check] legacy = "warn"`: filters in parentheses (docs/language/expressions.md#filters). */
export const legacyFilterRule: Rule = {
  name: 'legacy-filters',
  visit: {
    FilterSpec(node, c) {
      if (!c.warnsLegacy || c.source.text[node.start] !== '(') return;
      const text = c.source.text.slice(node.start + 1, node.end - 1).trim();
      const inner = text.startsWith('`') ? text.replace(/^`\s*\?\s*([^:,]+)[:,]?/, '?:$1,').replace(/,\s*$/, '') : text;
      c.report('W0143', node, {}, { help: `write \`[${inner}]\`` });
    },
  },
};
