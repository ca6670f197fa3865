/** One thing that completion offers, before it is ranked. */
import type { ProjectFiles } from '../../project/files.ts';
import type { SymbolKind } from '../symbols.ts';

export interface Candidate {
  readonly name: string;
  readonly kind: SymbolKind | 'keyword' | 'module' | 'snippet' | 'tag' | 'attribute' | 'event' | 'param';
  readonly detail: string;
  /** Likelihood before habits are looked at: 0 to 100. */
  readonly rank: number;
  readonly doc?: string | undefined;
  /** Text that is put in when it is not the name. `isSnippet`: with places for the cursor. */
  readonly insert?: string | undefined;
  readonly isSnippet?: boolean;
  /** The receiver is not known to have it. */
  readonly isGuess?: boolean;
}

/** Surroundings that completion asks about. */
export interface World {
  readonly standardMembers: (module: string) => ReadonlySet<string> | undefined;
  readonly files: ProjectFiles;
  /** Names of npm packages that imports may name. */
  readonly packages: readonly string[];
}
