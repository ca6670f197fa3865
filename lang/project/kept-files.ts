/** Trees of files that outlive a reading of the project: while a program is developed, a file whose text is the same is not parsed again. */
import type * as ast from '../1-parse/ast.ts';
import type { Reporter } from '../diagnostics.ts';
import type { Source } from '../source.ts';

export interface KeptFiles {
  /** Begins a reading: what it does not ask for is forgotten at the next one. */
  begin(): void;
  /** Gives the same record as before for the same text, since tables are keyed by it. */
  source(path: string, text: string): Source;
  /** Gives the tree of a source, with what is wrong told to `report` as if it had been parsed now. */
  tree(source: Source, report: Reporter, base: Source | undefined, parse: Parse): ast.Module;
}

export type Parse = (source: Source, report: Reporter, base?: Source) => ast.Module;

interface Kept {
  readonly source: Source;
  tree: ast.Module | undefined;
  base: Source | undefined;
  /** Reports of the parser, in order. */
  readonly reports: ((report: Reporter) => void)[];
}

export function createKeptFiles(): KeptFiles {
  let before = new Map<string, Kept>();
  let now = new Map<string, Kept>();
  return {
    begin() {
      before = now;
      now = new Map();
    },
    source(path, text) {
      const known = now.get(path) ?? before.get(path);
      const kept =
        known?.source.text === text ? known : { source: { path, text }, tree: undefined, base: undefined, reports: [] };
      now.set(path, kept);
      return kept.source;
    },
    tree(source, report, base, parse) {
      const kept = now.get(source.path);
      if (kept?.source !== source) return parse(source, report, base);
      if (kept.tree !== undefined && kept.base === base) {
        for (const tell of kept.reports) tell(report);
        return kept.tree;
      }
      kept.reports.length = 0;
      kept.base = base;
      return (kept.tree = parse(source, noting(report, kept.reports), base));
    },
  };
}

function noting(report: Reporter, reports: Kept['reports']): Reporter {
  const tell = (one: (report: Reporter) => void): void => {
    reports.push(one);
    one(report);
  };
  return {
    ...report,
    at: (...args) => tell((to) => to.at(...args)),
    suppress: (...args) => tell((to) => to.suppress(...args)),
  };
}
