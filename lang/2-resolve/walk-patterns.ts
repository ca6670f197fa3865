import type * as ast from '../1-parse/ast.ts';
import type { Builder } from './scope-builder.ts';
import { walk, walkType } from './walk-expressions.ts';
import { bindName } from './walk-names.ts';

export function walkPattern(b: Builder, pattern: ast.Pattern): void {
  switch (pattern.kind) {
    case 'WildcardPattern':
      return;
    case 'CapturePattern':
      bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'ValuePattern':
      walk(b, pattern.value);
      return;
    case 'AsPattern':
      walkPattern(b, pattern.pattern);
      bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'OrPattern':
      for (const option of pattern.options) walkPattern(b, option);
      return;
    case 'SequencePattern':
      for (const item of pattern.items) walkPattern(b, item);
      return;
    case 'StarPattern':
      if (pattern.name !== undefined) bindName(b, pattern.name, pattern.name.text, 'local', undefined);
      return;
    case 'MappingPattern':
      for (const entry of pattern.entries) {
        walk(b, entry.key);
        walkPattern(b, entry.value);
      }
      if (pattern.rest !== undefined) bindName(b, pattern.rest, pattern.rest.text, 'local', undefined);
      return;
    case 'ClassPattern':
      walkType(b, pattern.type);
      for (const item of pattern.positional) walkPattern(b, item);
      for (const item of pattern.named) walkPattern(b, item.pattern);
      return;
  }
}
