/** Callers and what they call: functions, walkers that are spawned, abilities that classes trigger, classes that a walker visits. */
import type * as ast from '../1-parse/ast.ts';
import { declaredAt, nameOf } from './declared.ts';
import { siteUnder } from './definition.ts';
import { bindingMeaningOf, declOf, keyOf, type Meaning } from './meanings.ts';
import { referencesTo } from './references.ts';
import { sitesOf } from './sites.ts';
import { forEachNode, type Place, pathAt, type View, viewOf } from './view.ts';

export interface CallItem {
  readonly name: string;
  readonly kind: 'function' | 'walker' | 'ability' | 'class' | 'test' | 'entry';
  readonly whole: Place;
  readonly nameAt: Place;
}

export interface CallEdge {
  readonly item: CallItem;
  /** Places of the calls: in the caller. */
  readonly at: readonly Place[];
}

/** The function, walker or ability at the cursor. */
export function callItemAt(view: View, offset: number): CallItem | undefined {
  const [meaning] = siteUnder(view, offset)?.meanings() ?? [];
  const decl = meaning && declOf(meaning);
  const home = meaning && declaredAt(view, meaning);
  if (decl === undefined || home === undefined) return undefined;
  return itemOf(decl, home.name.source);
}

function itemOf(decl: ast.Node, source: Place['source']): CallItem | undefined {
  const kind = kindOf(decl);
  if (kind === undefined) return undefined;
  const name = nameOf(decl) ?? { start: decl.start, end: Math.min(decl.end, decl.start + 4) };
  const text =
    decl.kind === 'EntryBlock'
      ? 'with entry'
      : decl.kind === 'Ability' && decl.name === undefined
        ? 'can'
        : source.text.slice(name.start, name.end);
  return {
    name: text,
    kind,
    whole: { source, start: decl.start, end: decl.end },
    nameAt: { source, start: name.start, end: name.end },
  };
}

function kindOf(decl: ast.Node): CallItem['kind'] | undefined {
  if (decl.kind === 'FunctionDecl') return 'function';
  if (decl.kind === 'Ability') return 'ability';
  if (decl.kind === 'TestBlock') return 'test';
  if (decl.kind === 'EntryBlock') return 'entry';
  if (decl.kind !== 'Archetype') return undefined;
  return decl.archetype === 'walker' ? 'walker' : 'class';
}

/** Callers of an item: of a walker the places that spawn it, of an ability the class that triggers it, and calls of the rest. */
export function incomingCalls(view: View, offset: number): readonly CallEdge[] {
  const site = siteUnder(view, offset);
  const [meaning] = site?.meanings() ?? [];
  if (meaning === undefined) return [];
  const decl = declOf(meaning);
  if (decl?.kind === 'Ability') return triggersOf(view, decl, meaning);
  const edges = new Map<ast.Node, { item: CallItem; at: Place[] }>();
  for (const reference of referencesTo(view, [meaning])) {
    const path = pathAt(reference.view, reference.start);
    if (reference.binds || !isCall(path, decl)) continue;
    const around = path.findLast((node) => kindOf(node) !== undefined && node !== decl && node.kind !== 'Archetype');
    const item = around && itemOf(around, reference.source);
    if (around === undefined || item === undefined) continue;
    const known = edges.get(around) ?? { item, at: [] };
    known.at.push(reference);
    edges.set(around, known);
  }
  return [...edges.values()];
}

/** Is the name called, or spawned? */
function isCall(path: readonly ast.Node[], decl: ast.Node | undefined): boolean {
  const named = path.at(-1);
  const isCallee = path.some((node) => node.kind === 'Call' && (node.callee === named || path.includes(node.callee)));
  if (decl?.kind === 'Archetype' && decl.archetype === 'walker') return path.some(({ kind }) => kind === 'Spawn');
  return isCallee || path.some((node) => node.kind === 'Pipe' || node.kind === 'Markup');
}

function triggersOf(view: View, decl: ast.Ability, meaning: Meaning): readonly CallEdge[] {
  const home = declaredAt(view, meaning);
  const homeView = home && viewOf(view.analysis, home.name.source.path);
  if (homeView === undefined) return [];
  return classesNamed(homeView, decl.event.trigger);
}

/** Declarations of the classes that an expression names, with the places that name them. */
function classesNamed(view: View, expression: ast.Node | undefined): readonly CallEdge[] {
  if (expression === undefined) return [];
  const edges = new Map<unknown, { item: CallItem; at: Place[] }>();
  const waiting: ast.Node[] = [expression];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === 'Binary') waiting.push(at.left, at.right);
    if (at.kind === 'TupleExpr') waiting.push(...at.items);
    if (at.kind === 'NameRef') addClass(view, at, edges);
  }
  return [...edges.values()];
}

function addClass(view: View, name: ast.NameRef, edges: Map<unknown, { item: CallItem; at: Place[] }>): void {
  const [meaning] = bindingMeaningOf(view, name);
  const decl = meaning && declOf(meaning);
  const home = meaning && declaredAt(view, meaning);
  if (meaning === undefined || decl?.kind !== 'Archetype' || home === undefined) return;
  const item = itemOf(decl, home.name.source);
  if (item === undefined) return;
  const known = edges.get(keyOf(meaning)) ?? { item, at: [] };
  known.at.push({ source: view.source, start: name.start, end: name.end });
  edges.set(keyOf(meaning), known);
}

/** Functions that an item calls; of a walker also the classes it visits and the walkers it spawns. */
export function outgoingCalls(view: View, offset: number): readonly CallEdge[] {
  const [meaning] = siteUnder(view, offset)?.meanings() ?? [];
  const decl = meaning && declOf(meaning);
  const home = meaning && declaredAt(view, meaning);
  const homeView = home && viewOf(view.analysis, home.name.source.path);
  if (decl === undefined || homeView === undefined) return [];
  const edges = new Map<unknown, { item: CallItem; at: Place[] }>();
  forEachNode(homeView, (node, element) => {
    if (node.start < decl.start || node.end > decl.end) return;
    if (node.kind === 'FilterSpec' && node.type?.kind === 'NameRef') addClass(homeView, node.type, edges);
    if (node.kind === 'Event' && node.trigger?.kind === 'NameRef') addClass(homeView, node.trigger, edges);
    if (node.kind !== 'Call') return;
    const { callee } = node;
    const site = sitesOf(homeView, callee, element).at(-1);
    const [called] = site?.meanings() ?? [];
    const target = called && declOf(called);
    const at = called && declaredAt(homeView, called);
    const item = target && at && itemOf(target, at.name.source);
    if (called === undefined || item === undefined || site === undefined) return;
    const known = edges.get(keyOf(called)) ?? { item, at: [] };
    known.at.push({ source: homeView.source, start: site.start, end: site.end });
    edges.set(keyOf(called), known);
  });
  return [...edges.values()];
}
