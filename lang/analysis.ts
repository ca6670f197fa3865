/**
 * Phases 2 to 4: everything there is to know about a project that has been read, without emission. The compiler (`phases.ts`) emits from it;
 * an editor asks it about places in the text.
 */
import { oncePer } from '../base/once-per.ts';
import type * as ast from './1-parse/ast.ts';
import type { ClientPlan } from './2-resolve/client-plan.ts';
import { type ProjectNames, resolve } from './2-resolve/resolve.ts';
import { readSignatures, type SignatureTexts } from './3-infer/functions/builtin-signatures.ts';
import { type InferOptions, infer, type ProjectTypes } from './3-infer/infer.ts';
import type { ClassInfo } from './3-infer/types.ts';
import type { ClientHalf, Mode } from './4-check/rule.ts';
import { runRules } from './4-check/rules.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { Project } from './project.ts';

export interface AnalysisOptions {
  /** Signatures of built-in functions, methods and standard modules. */
  readonly signatures: SignatureTexts;
  /** Form of graph operations: `async` ones may wait (a store that answers later). */
  readonly graph: 'sync' | 'async';
  /** `[check] enforce_access`: access rules are errors. */
  readonly enforceAccess?: boolean;
  /** `[check] legacy = "warn"`: older spellings get a warning. */
  readonly warnsLegacy?: boolean;
  /** A note lists functions that are not served since they have no mark: wanted where `[serve] functions` does not say what is meant. */
  readonly tellsInternal?: boolean;
  /** Members of a standard module, for `*` imports of it and for W0701. */
  readonly standardMembers?: (module: string) => ReadonlySet<string> | undefined;
}

/**
 * `only`: modules of which everything is wanted, all when absent. Of the others no more is found out than these need: their types are not
 * asked for, and their diagnostics are those of phases 1 and 2.
 */
export interface AskedModules {
  readonly only?: ReadonlySet<string> | undefined;
}

/** Knowledge of a project: names at once, each of the other parts when it is first asked for. */
export interface Analysis {
  readonly project: Project;
  readonly names: ProjectNames;
  /** Types of the server's half. */
  readonly types: ProjectTypes;
  /** The browser's half, with types of its own: what it shares with the server is read again as code of a browser. */
  readonly browser: ClientHalf | undefined;
  /** Diagnostics of all phases, by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Gives types that know an element of a module: those of the whole half where they are known already, else no more is read than the element
   * needs. `isOfBrowser`: of the browser's half.
   */
  typesFor(module: string, element: ast.Node, isOfBrowser: boolean): ProjectTypes;
}

/** An analysis of which each part is made when it is first asked for. */
export interface OpenAnalysis {
  names(): ProjectNames;
  types(): ProjectTypes;
  /** Undefined for a program without client code. `only`: of other modules no more is read than these need; such types are made anew. */
  browser(only?: ReadonlySet<string>): ClientHalf | undefined;
  /** See `Analysis.typesFor`. */
  typesFor(module: string, element: ast.Node, isOfBrowser: boolean): ProjectTypes;
  /** Asks the rules of phase 4: all, or those alone whose errors keep a program from running, or the others. Each to be asked once. */
  check(mode: Mode, blocking?: boolean): void;
}

/**
 * Analyses a project as `svc check` does. Bad source never throws. A project that was read with files of an earlier reading (`kept`) has the
 * trees and scopes of modules that are as they were.
 */
export function analyse(project: Project, options: AnalysisOptions & AskedModules): Analysis {
  const open = openAnalysis(project, options);
  let diagnostics: readonly Diagnostic[] | undefined;
  return {
    project,
    // Scopes are handed on from reading to reading.
    names: open.names(),
    typesFor: open.typesFor,
    get types() {
      return open.types();
    },
    get browser() {
      return open.browser();
    },
    get diagnostics() {
      if (diagnostics === undefined) {
        open.check('check');
        diagnostics = project.diagnostics();
      }
      return diagnostics;
    },
  };
}

export function openAnalysis(project: Project, options: AnalysisOptions & AskedModules): OpenAnalysis {
  let names: ProjectNames | undefined;
  let types: ProjectTypes | undefined;
  let half: ClientHalf | undefined;
  const signatures = readSignatures(options.signatures);
  const ofNames = () => (names ??= resolve(project, options.standardMembers));
  const ofTypes = () => (types ??= infer(project, ofNames(), signatures, { graph: options.graph, only: options.only }));
  const reportsOf = (walker: ClassInfo) => ofTypes().reportsOf(walker);
  const inferBrowser = ({ isHere }: ClientPlan, asked: Pick<InferOptions, 'only' | 'element'>, reports = reportsOf) =>
    infer(project, ofNames(), signatures, { graph: 'sync', browser: { reads: isHere, reportsOf: reports }, ...asked });
  /** Types of the browser's half, when they are known. */
  let ofBrowser: ProjectTypes | undefined;
  const makeHalf = (plan: ClientPlan, only: ReadonlySet<string> | undefined): ClientHalf => {
    let found: ProjectTypes | undefined;
    return {
      plan,
      get types() {
        return (ofBrowser = found ??= inferBrowser(plan, { only }));
      },
    };
  };
  /** Types of the server's half that know nothing but what they are asked for. */
  const ofWalkers = () =>
    types ?? infer(project, ofNames(), signatures, { graph: options.graph, only: new Set<string>() });
  const typesOfElement = oncePer((element: ast.Node, module: string, isOfBrowser: boolean): ProjectTypes => {
    const asked = { only: new Set([module]), element };
    if (!isOfBrowser) return infer(project, ofNames(), signatures, { graph: options.graph, ...asked });
    let walkers: ProjectTypes | undefined;
    return inferBrowser(ofNames().clientPlan(), asked, (walker) => (walkers ??= ofWalkers()).reportsOf(walker));
  });
  const browser = (only?: ReadonlySet<string>): ClientHalf | undefined => {
    const plan = ofNames().clientPlan();
    if (plan.elements.size === 0) return undefined;
    return only === undefined ? (half ??= makeHalf(plan, options.only)) : makeHalf(plan, only);
  };
  return {
    names: ofNames,
    types: ofTypes,
    browser,
    typesFor(module, element, isOfBrowser) {
      const known = isOfBrowser ? ofBrowser : types;
      if (known !== undefined) return known;
      // The body of an `impl` is read where its declaration is.
      if (element.kind === 'ImplDecl') return isOfBrowser ? browser()!.types : ofTypes();
      return typesOfElement(element, module, isOfBrowser);
    },
    check(mode, blocking) {
      const { enforceAccess, warnsLegacy, tellsInternal, standardMembers, only } = options;
      const asked = { enforceAccess, warnsLegacy, tellsInternal, standardMembers, only };
      runRules(project, ofNames(), ofTypes(), { ...asked, mode, blocking, client: browser() });
    },
  };
}
