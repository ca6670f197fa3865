/** One change that an editor offers. */
import type { Diagnostic } from '../diagnostics.ts';
import type { TextEdit } from './organise.ts';

export interface Action {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.extract' | 'refactor.rewrite' | 'source.organizeImports';
  readonly edits: readonly TextEdit[];
  /** The finding that it corrects. */
  readonly fixes?: Diagnostic | undefined;
}
