/** Places of declarations: the name in the text, and the declaration around it. */
import type * as ast from '../1-parse/ast.ts';
import type { ProjectModule } from '../project.ts';
import { declOf, keyOf, type Meaning } from './meanings.ts';
import { sitesOf } from './sites.ts';
import { elementsOf, forEachNode, type Place, sourceOfNode, type View, viewsOf } from './view.ts';

export interface Declared {
  readonly name: Place;
  /** The declaration as a whole; the name alone for plain variables. */
  readonly whole: Place;
  readonly decl: ast.Node | undefined;
  readonly module: ProjectModule;
}

/** The declaration in the text of the project; undefined for what is declared elsewhere. */
export function declaredAt(view: View, meaning: Meaning): Declared | undefined {
  const { project } = view.analysis;
  if (meaning.of === 'project-module') {
    const module = project.modules.get(meaning.id);
    // A folder is a module without a text.
    if (module === undefined || !module.path.endsWith('.svc')) return undefined;
    const name = { source: module.source, start: 0, end: 0 };
    return { name, whole: name, decl: undefined, module };
  }
  const module = project.modules.get(moduleOf(meaning) ?? '');
  if (module === undefined) return undefined;
  const decl = declOf(meaning);
  if (decl !== undefined) {
    const source = sourceOfNode(module, decl);
    const whole = { source, start: decl.start, end: decl.end };
    const name = nameOf(decl);
    // A clause of a comprehension and an assignment with a type hold the names they declare among others.
    const place = name ? { source, start: name.start, end: name.end } : (firstSite(view, meaning, module) ?? whole);
    return { name: place, whole, decl, module };
  }
  const first = firstSite(view, meaning, module);
  return first === undefined ? undefined : { name: first, whole: first, decl: undefined, module };
}

/** Id of the module that holds the declaration. */
export function moduleOf(meaning: Meaning): string | undefined {
  if (meaning.of === 'local') return meaning.module;
  if (meaning.of === 'module-name') return meaning.binding.module;
  return meaning.of === 'member' ? meaning.member.owner.module : undefined;
}

/** The name in a declaration. */
export function nameOf(node: ast.Node): ast.Span | undefined {
  if (node.kind === 'NameRef') return node;
  const name = 'name' in node ? node.name : undefined;
  return typeof name === 'object' && name.kind === 'Name' ? name : undefined;
}

/** The first place of a variable that no declaration introduces: its first assignment. */
function firstSite(view: View, meaning: Meaning, module: ProjectModule): Place | undefined {
  const key = keyOf(meaning);
  let found: (Place & { readonly binds: boolean }) | undefined;
  for (const one of viewsOf(view.analysis)) {
    if (one.module !== module || found?.binds === true) continue;
    const name = meaning.of === 'local' || meaning.of === 'module-name' ? meaning.binding.name : '';
    forEachNode(one, (node, element) => {
      for (const site of sitesOf(one, node, element)) {
        const { start, end, binds } = site;
        // A read may stand above the place that gives it a value.
        const isFirst = found === undefined || (found.binds === binds ? start < found.start : binds);
        if (site.name !== name || !isFirst) continue;
        if (site.meanings().some((other) => keyOf(other) === key)) found = { source: one.source, start, end, binds };
      }
    });
  }
  return found;
}

/** `impl` blocks that implement a declaration. */
export function implsOf(view: View, decl: ast.Node): readonly Place[] {
  return viewsOf(view.analysis).flatMap((one) => {
    const found: Place[] = [];
    for (const element of elementsOf(one)) {
      const impls =
        element.kind === 'ImplDecl'
          ? [element]
          : element.kind === 'PlacedBlock'
            ? element.body.filter((inner) => inner.kind === 'ImplDecl')
            : [];
      for (const impl of impls) {
        if (one.names.declOf(impl) !== decl) continue;
        const last = impl.target.at(-1) ?? impl;
        found.push({ source: one.source, start: last.start, end: last.end });
      }
    }
    return found;
  });
}
