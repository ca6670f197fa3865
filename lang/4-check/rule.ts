import type * as ast from '../1-parse/ast.ts';
import type { ClientPlan } from '../2-resolve/client-plan.ts';
import type { Names } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { ModuleTypes, ProjectTypes } from '../3-infer/infer.ts';
import type { ClassRecord, FunctionRecord } from '../3-infer/program.ts';
import type { Type } from '../3-infer/types.ts';
import type { Code, Details, Params } from '../diagnostics.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { Source } from '../source.ts';

/**
 * `check` is `svc check`; the others run the program and see what is wrong as warnings
 * (docs/language/diagnostics.md#principles).
 */
export type Mode = 'check' | 'run' | 'start' | 'test';

export type Half = 'server' | 'client';

/** The browser's half of a program that has one. */
export interface ClientHalf {
  readonly plan: ClientPlan;
  readonly types: ProjectTypes;
}

/** Place of the walk, and everything a rule may ask. One record, changed as the walk goes. */
export interface RuleContext {
  readonly project: Project;
  readonly projectNames: ProjectNames;
  readonly projectTypes: ProjectTypes;
  readonly module: ProjectModule;
  readonly names: Names;
  readonly types: ModuleTypes;
  readonly mode: Mode;
  /** Half of the program that is walked; `types` are those of this half. */
  readonly half: Half;
  readonly client: ClientHalf | undefined;
  /** `[check] enforce_access`: access rules are errors. */
  readonly enforceAccess: boolean;
  /** `[check] legacy = "warn"`. */
  readonly warnsLegacy: boolean;
  /** Functions without a mark are internal, which the author has not said to know (`[serve] functions`). */
  readonly tellsInternal: boolean;
  /** Members of a standard module; undefined where they are not known. */
  readonly standardMembers: ((module: string) => ReadonlySet<string> | undefined) | undefined;
  source: Source;
  /** The function around this place, a class body or module level being none. */
  fn: FunctionRecord | undefined;
  /** The class whose member this place is in. */
  owner: ClassRecord | undefined;
  /** The node around the one being visited. */
  parent: ast.Node;
  /** `types.of`, quick when several rules ask about one node in turn. */
  typeOf(e: ast.Expression): Type;
  report(code: Code, span: ast.Span, params?: Params, details?: Details): void;
}

type Visitors = { readonly [K in ast.Node['kind']]?: (node: Extract<ast.Node, { kind: K }>, c: RuleContext) => void };

/** One rule: what it looks at, and whether only `svc check` asks it. */
export interface Rule {
  readonly name: string;
  readonly checkOnly?: boolean;
  /** True for a rule whose errors keep a program from running: it is asked before anything is emitted, others may be asked afterwards. */
  readonly blocks?: boolean;
  /** Half of the program the rule is asked about: elements of the server (by default), those only a browser has, or both. */
  readonly half?: Half | 'both';
  /** Tells, once per program, whether the rule could find anything at all. */
  readonly applies?: (project: Project, names: ProjectNames) => boolean;
  readonly visit?: Visitors;
  /** Checks a whole module, once and after the walk. */
  readonly module?: (c: RuleContext) => void;
}
