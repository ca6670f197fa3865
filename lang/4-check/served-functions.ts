import type * as ast from '../1-parse/ast.ts';
import { isMarked } from '../2-resolve/is-marked.ts';
import { type EndpointPath, endpointOfPath } from '../2-resolve/mentions.ts';
import type { ModuleBinding } from '../2-resolve/names.ts';
import type { Rule, RuleContext } from './rule.ts';

/**
 * Functions that clients can call although the text does not say it (docs/server/functions.md#served). Notes: W0645 for one that is
 * served because client code calls it, and for a private walker of another module (docs/decisions/0965); W0647 for a path that the page
 * puts together, while something that it could name is not served; W0513, once per program, for those that older programs expect to be
 * served and are not.
 */
export const servedFunctionRule: Rule = {
  name: 'served-functions',
  checkOnly: true,
  module(c) {
    tellRemote(c);
    tellOpenPaths(c);
    if (c.tellsInternal && c.module.id === c.project.entry && !c.project.isLibrary) tellInternal(c);
  },
};

function tellRemote(c: RuleContext): void {
  for (const { declared, node, how, source, module } of c.projectNames.clientUses().values()) {
    if (module !== c.module || !(isUnmarked(declared, c) || isPrivateElsewhere(declared, c))) continue;
    c.source = source;
    const help = 'write `:protect` in its declaration to say so, `:pub` to serve it without a token';
    c.report('W0645', node, { f: declared.name, verb: how }, { help });
  }
}

/** Paths whose name a page puts behind them, each kind once in a module. */
function tellOpenPaths(c: RuleContext): void {
  const told = new Set<string>();
  for (const element of c.client?.plan.elements.get(c.module.id) ?? []) {
    for (const node of c.names.mentions(element).paths) {
      const { kind, name } = endpointOfPath(node.value)!;
      if (name !== undefined || told.has(kind)) continue;
      told.add(kind);
      const hidden = hiddenOf(kind, c);
      if (hidden.length === 0) continue;
      c.source = c.module.sourceOf(element);
      const help = `not served: ${listed(hidden)}; mark what it may name \`:protect\`, or \`:pub\` to serve it without a token`;
      c.report('W0647', node, { kind }, { help });
    }
  }
}

/** Names of what would be served if client code named it. */
function hiddenOf(kind: EndpointPath['kind'], c: RuleContext): readonly string[] {
  const remote = c.projectNames.clientUses();
  const isHidden = (one: ModuleBinding): boolean =>
    kind === 'function' ? isUnmarked(one, c) && c.client?.plan.isHere(one.decl!) !== true : isPrivateElsewhere(one, c);
  return [...c.project.modules.keys()].flatMap((id) =>
    [...c.projectNames.of(id).bindings.values()].flatMap((one) =>
      isHidden(one) && !remote.has(one.decl!) ? [one.name] : [],
    ),
  );
}

function listed(names: readonly string[]): string {
  return names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ' …' : '');
}

const mostNames = 12;

function tellInternal(c: RuleContext): void {
  const reached = [...c.names.bindings.values()].flatMap((binding) => {
    const declared = binding.role === 'import' ? c.projectNames.follow(binding) : binding;
    return declared === undefined ? [] : [{ binding, declared }];
  });
  const remote = c.projectNames.clientUses();
  const isServed = ({ decl, module }: ModuleBinding) =>
    decl?.kind === 'FunctionDecl'
      ? isMarked(decl, c.projectNames.of(module)) || remote.has(decl)
      : decl?.kind === 'Archetype' && decl.archetype === 'walker';
  // A program that serves nothing is run, not started.
  if (!reached.some(({ declared }) => isServed(declared))) return;
  // Clients do not call what the browser has itself.
  const isHere = (decl: ast.Node) => c.client?.plan.isHere(decl) === true;
  const internal = reached.filter(
    ({ declared: { decl }, declared }) => isUnmarked(declared, c) && !remote.has(decl!) && !isHere(decl!),
  );
  const decl = (internal.find(({ binding }) => binding.role === 'function') ?? internal[0])?.binding.decl;
  if (decl === undefined) return;
  c.source = c.module.sourceOf(decl);
  const names = listed(internal.map(({ binding }) => binding.name));
  const help =
    'mark what clients call `:pub` (no token) or `:protect` (token); `[serve] functions = "all"` in svc.toml serves them as before, "marked" ends this note';
  const span = decl.kind === 'FunctionDecl' ? decl.name! : decl;
  const form = internal.length === 1 ? 'one' : 'many';
  c.report('W0513', span, { form, names, n: internal.length }, { help });
}

/** A function of the server that says nothing about clients. One with an underscore in front never is an endpoint. */
function isUnmarked({ role, decl, name, module }: ModuleBinding, c: RuleContext): boolean {
  if (role !== 'function' || decl?.kind !== 'FunctionDecl' || name.startsWith('_')) return false;
  const names = c.projectNames.of(module);
  return names.isServer(decl) && !isMarked(decl, names);
}

/** A private walker of another module than the started file. */
function isPrivateElsewhere({ decl, module, name }: ModuleBinding, { project }: RuleContext): boolean {
  return decl?.kind === 'Archetype' && decl.access === 'priv' && module !== project.entry && !name.startsWith('_');
}
