/**
 * Sides an element is emitted for (docs/language/placement.md#inference): pins, file suffix, markers, then inference.
 */
import { oncePer } from '../../base/once-per.ts';
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { anyWithin } from '../2-resolve/find-by-word.ts';
import type { Source } from '../source.ts';

export interface Placed {
  readonly server: boolean;
  readonly client: boolean;
  /** Decided by inference, so that use from client code may make it client code too. */
  readonly inferred: boolean;
  /** A client seed that stays on the server too when server code uses what it brings (an npm import without marker). */
  readonly ifUsed: boolean;
}

export interface PlacementInput {
  readonly id: string;
  readonly tree: ast.Module;
  readonly suffix: ast.Placement | undefined;
  /** `[placement.pins]`: `"module"` or `"module.element"`, with `*`, to a side. */
  readonly pins: Readonly<Record<string, 'server' | 'client'>>;
  readonly sourceOf: (element: ast.Node) => Source;
  /**
   * Tells whether the target of an import is client code by its source (an npm package, a style sheet, a client
   * module).
   */
  readonly isClientImport: (path: ast.ModulePath) => boolean;
  /**
   * Tells whether an import names JavaScript that may serve either side: a script of the project, or a package without
   * quotes. It is client code beside client code, unless the server uses it.
   */
  readonly isEitherSide: (path: ast.ModulePath) => boolean;
}

const onServer: Placed = { server: true, client: false, inferred: false, ifUsed: false };
const onClient: Placed = { server: false, client: true, inferred: false, ifUsed: false };
const serverByDefault: Placed = { server: true, client: false, inferred: true, ifUsed: false };
const clientSeed: Placed = { server: false, client: true, inferred: true, ifUsed: false };
const clientImport: Placed = { server: false, client: true, inferred: true, ifUsed: true };

/** Placement of every element of a module, those inside `cl { }` and `sv { }` included. The same table as for the last reading where nothing that decides it has changed. */
export function placeElements(input: PlacementInput): ReadonlyMap<ast.Node, Placed> {
  const { id, tree, suffix, pins } = input;
  const imports = importsOf(tree).map((path) => `${input.isClientImport(path)} ${input.isEitherSide(path)}`);
  const given = JSON.stringify([id, suffix, pins, imports]);
  const known = knownPlacements.get(tree);
  if (known?.given === given) return known.placed;
  const placed = findPlaces(input);
  knownPlacements.set(tree, { given, placed });
  return placed;
}

const knownPlacements = new WeakMap<
  ast.Module,
  { readonly given: string; readonly placed: ReadonlyMap<ast.Node, Placed> }
>();

const importsOf = oncePer(({ body }: ast.Module): readonly ast.ModulePath[] => {
  const visit = (element: ast.Element): readonly ast.ModulePath[] => {
    switch (element.kind) {
      case 'PlacedBlock':
        return element.body.flatMap(visit);
      case 'ImportModules':
        return element.items.map((item) => item.path);
      case 'ImportFrom':
        return [element.path];
      default:
        return [];
    }
  };
  return body.flatMap(visit);
});

function findPlaces(input: PlacementInput): ReadonlyMap<ast.Node, Placed> {
  const placed = new Map<ast.Node, Placed>();
  const holdsMarkup = markupFinder(input.sourceOf);
  const seeds = clientNames(input, holdsMarkup);
  const hasClient = seeds.size > 0 || input.tree.body.some((element) => isClientElement(element, input));
  const pins = Object.entries(input.pins).map(([key, side]) => [pinPattern(key), side] as const);
  const visit = (element: ast.Element, marker: ast.Placement | undefined): void => {
    if (element.kind === 'PlacedBlock') {
      for (const inner of element.body) visit(inner, element.placement);
      placed.set(element, element.placement === 'cl' ? onClient : onServer);
      return;
    }
    const pin = pins.length === 0 ? undefined : pinOf(element, input.id, pins);
    const word = pin ?? input.suffix ?? element.placement ?? marker;
    if (word !== undefined) placed.set(element, word === 'cl' ? onClient : onServer);
    else placed.set(element, infer(element, input, { seeds, hasClient, holdsMarkup }));
  };
  for (const element of input.tree.body) visit(element, undefined);
  return placed;
}

interface Found {
  readonly seeds: ReadonlySet<string>;
  readonly hasClient: boolean;
  readonly holdsMarkup: MarkupFinder;
}

function infer(element: ast.Declaration, input: PlacementInput, { seeds, hasClient, holdsMarkup }: Found): Placed {
  const isClient = (path: ast.ModulePath) => input.isClientImport(path) || (hasClient && input.isEitherSide(path));
  const isSeed = (node: ast.Node) => node.kind === 'NameRef' && seeds.has(node.name);
  switch (element.kind) {
    case 'ImportModules':
      return element.items.some((item) => isClient(item.path)) ? clientImport : serverByDefault;
    case 'ImportFrom':
      return isClient(element.path) ? clientImport : serverByDefault;
    case 'FunctionDecl':
      return element.name !== undefined && seeds.has(element.name.text) ? clientSeed : serverByDefault;
    case 'ImplDecl':
      return seeds.has(element.target[0]?.text ?? '') ? clientSeed : serverByDefault;
    case 'GlobDecl':
      return holdsMarkup(element) || (seeds.size > 0 && containsNode(element, isSeed)) ? clientSeed : serverByDefault;
    case 'Archetype':
      return ['node', 'edge', 'walker'].includes(element.archetype) ? onServer : serverByDefault;
    case 'EntryBlock':
      return onServer;
    case 'TestBlock':
      return holdsMarkup(element) ? clientSeed : onServer;
    default:
      return serverByDefault;
  }
}

function isClientElement(element: ast.Element, input: PlacementInput): boolean {
  if (element.placement === 'cl') return true;
  if (element.kind === 'ImportModules') return element.items.some((item) => input.isClientImport(item.path));
  return element.kind === 'ImportFrom' && input.isClientImport(element.path);
}

/** Functions that are client code by what they give or hold, an `impl` of theirs included. */
function clientNames(input: PlacementInput, holdsMarkup: MarkupFinder): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (element: ast.Element): void => {
    if (element.kind === 'PlacedBlock') element.body.forEach(visit);
    else if (element.kind === 'FunctionDecl' && element.name !== undefined) {
      const result = element.signature.result;
      const givesMarkup = result !== undefined && mentionsMarkup(result, input.sourceOf(element));
      if (givesMarkup || holdsMarkup(element) || isHook(element)) names.add(element.name.text);
    } else if (element.kind === 'ImplDecl' && element.target[0] !== undefined && element.target.length === 1) {
      if (holdsMarkup(element)) names.add(element.target[0].text);
    }
  };
  input.tree.body.forEach(visit);
  return names;
}

/** A hook of the program, `useCart`: holds state or effects, or calls hooks, of React or of a package. Servers have nothing of the kind. */
function isHook({ name, body }: ast.FunctionDecl): boolean {
  if (name === undefined || !hookName.test(name.text) || body.kind !== 'Block') return false;
  return (
    body.statements.some(({ kind }) => kind === 'HasDecl' || kind === 'Ability') ||
    containsNode(
      body,
      (node) => node.kind === 'Call' && node.callee.kind === 'NameRef' && hookName.test(node.callee.name),
    )
  );
}

const hookName = /^use[A-Z]/;

function mentionsMarkup(type: ast.Node, { text }: Source): boolean {
  return type.kind !== 'Constant' && /\bJsx(Element|Page|Layout)\b/.test(text.slice(type.start, type.end));
}

type MarkupFinder = (node: ast.Node) => boolean;

/** Says which elements hold markup. A text is searched once; only where it looks like markup is the tree looked at. */
function markupFinder(sourceOf: PlacementInput['sourceOf']): MarkupFinder {
  const places = new Map<Source, readonly number[]>();
  return (node) => {
    const source = sourceOf(node);
    let at = places.get(source);
    if (at === undefined) places.set(source, (at = tagPlaces(source.text)));
    return anyWithin(at, node.start, node.end) && containsNode(node, (inner) => inner.kind === 'Markup');
  };
}

function tagPlaces(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (/[A-Za-z_>@]/.test(text[at + 1] ?? '')) places.push(at);
  }
  return places;
}

function pinPattern(key: string): RegExp {
  return new RegExp(`^${key.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
}

function pinOf(
  element: ast.Declaration,
  id: string,
  pins: readonly (readonly [RegExp, 'server' | 'client'])[],
): ast.Placement | undefined {
  const names = elementNames(element).map((name) => `${id}.${name}`);
  const pin = pins.find(([pattern]) => pattern.test(id) || names.some((name) => pattern.test(name)));
  if (pin === undefined) return undefined;
  return pin[1] === 'client' ? 'cl' : 'sv';
}

function elementNames(element: ast.Declaration): readonly string[] {
  switch (element.kind) {
    case 'FunctionDecl':
    case 'Archetype':
    case 'EnumDecl':
    case 'TypeAlias':
      return element.name === undefined ? [] : [element.name.text];
    case 'GlobDecl':
      return element.items.map((item) => item.name.text);
    case 'ImplDecl':
      return element.target.slice(0, 1).map((name) => name.text);
    default:
      return [];
  }
}
