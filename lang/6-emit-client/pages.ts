/** Routes of the files below `pages/` (language reference, file-based routing). */
import type * as ast from '../1-parse/ast.ts';
import { containsNode, forEachChild } from '../2-resolve/children.ts';
import { elementsOf } from '../2-resolve/client-plan.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { ModuleBinding, Names } from '../2-resolve/names.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import { baseName, dirName, joinPath, pathBelow } from '../project/paths.ts';
import type { Project, ProjectModule } from '../project.ts';
import { hiddenBy, programRoutes, serverRoutes } from './server-routes.ts';

/** A component of the program: the `.svc` file of its module, and its name there. */
export interface ComponentRef {
  readonly path: string;
  readonly name: string;
}

/** A route as React Router nests them. Without `path` and `index` it adds no segment. */
export interface PageRoute {
  readonly path?: string;
  readonly index?: true;
  /** Page, or layout of the routes inside. */
  readonly component?: ComponentRef;
  /** Only for people who are signed in. */
  readonly guarded?: true;
  readonly children?: readonly PageRoute[];
}

interface Folder {
  readonly segments: readonly string[];
  layout: ComponentRef | undefined;
  readonly pages: { readonly name: string; readonly component: ComponentRef }[];
  readonly folders: Map<string, Folder>;
}

/**
 * Finds the routes, none when the project has no `pages/` or routes by hand. Two files for one route (E0610) and two layouts of one folder (E0611)
 * are reported, and so are pages and routes whose address the server answers itself (W0637), unless addresses stand behind `#`.
 */
export function findPages(
  project: Project,
  names: ProjectNames,
  app: ComponentRef | undefined,
  isHash: boolean,
): readonly PageRoute[] {
  const below = joinPath(project.root, 'pages');
  const modules = [...project.modules.values()].filter(({ path }) => pathBelow(path, below) !== undefined);
  const routes = isHash ? [] : [...programRoutes(project), ...serverRoutes];
  const shown = shownModules(project, app);
  shown.forEach(warnOfRoutes);
  if (modules.length === 0 || shown.some((module) => shows(module, names, /^(Browser|Hash)?Router$/))) return [];
  const root: Folder = emptyFolder([]);
  const taken = new Map<string, ProjectModule>();
  for (const module of modules.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const parts = pathBelow(module.path, below)!
      .replace(/(\.(cl|sv|na))?\.svc$/, '')
      .split('/');
    const file = parts.pop()!;
    const folder = parts.reduce(folderIn, root);
    const found = pageOf(module, names.of(module.id), file, app !== undefined);
    if (found === undefined) continue;
    const component = { path: module.path, name: found.decl.name!.text };
    if (found.role === 'layout') {
      if (folder.layout === undefined) folder.layout = component;
      else
        report(
          module,
          found.decl,
          'E0611',
          { dir: pathBelow(dirName(module.path), project.root) ?? '' },
          folder.layout.path,
        );
      continue;
    }
    const route = routeText([...parts, file]);
    const shape = route.replace(/:[^/]+/g, ':');
    const other = taken.get(shape);
    if (other !== undefined) report(module, found.decl, 'E0610', { r: route }, other.path);
    else {
      taken.set(shape, module);
      folder.pages.push({ name: file, component });
      warnHidden(module, found.decl, found.decl.name!, route);
    }
  }
  return routesOf(root);

  /** A path that begins with a slash is the whole address. */
  function warnOfRoutes(module: ProjectModule): void {
    const own = names.of(module.id);
    const isRoute = ({ import: target }: ModuleBinding) => target?.of === 'js' && target.member === 'Route';
    if (isHash || ![...own.bindings.values()].some(isRoute)) return;
    for (const element of elementsOf(module.tree.body)) {
      for (const { attributes } of elementsCalled(element, own, /^Route$/)) {
        const path = attributes.find(({ name }) => name === 'path')?.value;
        if (path?.kind === 'StringLiteral' && path.value.startsWith('/')) warnHidden(module, element, path, path.value);
      }
    }
  }

  function warnHidden(module: ProjectModule, element: ast.Node, place: ast.Span, r: string): void {
    const hidden = hiddenBy(r, routes);
    if (hidden === undefined) return;
    const when = hidden.isOptional ? ', where that is served' : '';
    const help = `links lead to the page, but a reload gets what the server has there${when}: give the page another address`;
    module.reporterOf(module.sourceOf(element)).at('W0637', place, { r, route: hidden.route }, { help });
  }

  function report(
    module: ProjectModule,
    decl: ast.FunctionDecl,
    code: 'E0610' | 'E0611',
    params: Readonly<Record<string, string>>,
    other: string,
  ): void {
    const source = module.sourceOf(decl);
    const help = `the other one is in \`${pathBelow(other, project.root) ?? other}\``;
    module.reporterOf(source).at(code, decl.name!, params, { help });
  }
}

function emptyFolder(segments: readonly string[]): Folder {
  return { segments, layout: undefined, pages: [], folders: new Map() };
}

function folderIn(folder: Folder, name: string): Folder {
  let found = folder.folders.get(name);
  if (found === undefined) folder.folders.set(name, (found = emptyFolder([...folder.segments, name])));
  return found;
}

interface Found {
  readonly role: 'page' | 'layout';
  readonly decl: ast.FunctionDecl;
}

/** The component of a module that is its page or layout. In a program with an application only what says that it is one counts. */
function pageOf(module: ProjectModule, { isClient }: Names, file: string, hasApp: boolean): Found | undefined {
  const functions = elementsOf(module.tree.body).filter(
    (element): element is ast.FunctionDecl =>
      element.kind === 'FunctionDecl' && element.name !== undefined && isClient(element),
  );
  const components = functions.filter((decl) => isComponent(decl));
  const layout =
    functions.find((decl) => givesType(decl, 'JsxLayout')) ??
    functions.find((decl) => decl.name!.text === 'layout') ??
    (file === 'layout' ? components[0] : undefined);
  if (layout !== undefined) return { role: 'layout', decl: layout };
  const page =
    functions.find((decl) => givesType(decl, 'JsxPage')) ??
    functions.find((decl) => decl.name!.text === 'page') ??
    (hasApp ? undefined : onlyOne(components));
  return page && { role: 'page', decl: page };
}

/** The component that is a module's `default` for scripts and `lazy`: the one called like the file, else its page, else its only one. */
export function defaultOf(module: ProjectModule, names: Names): ast.FunctionDecl | undefined {
  const file = baseName(module.path).replace(/(\.(cl|sv|na))?\.svc$/, '');
  const components = elementsOf(module.tree.body).filter(
    (element): element is ast.FunctionDecl =>
      element.kind === 'FunctionDecl' && names.isClient(element) && isComponent(element),
  );
  const named = components.find(({ name }) => name?.text.toLowerCase() === file.toLowerCase());
  return named ?? pageOf(module, names, file, false)?.decl;
}

/** The only exported component: the public one among several. */
function onlyOne(components: readonly ast.FunctionDecl[]): ast.FunctionDecl | undefined {
  const open = components.filter(({ access }) => access === 'pub');
  const [first, second] = open.length === 0 ? components : open;
  return second === undefined ? first : undefined;
}

function givesType({ signature }: ast.FunctionDecl, type: string): boolean {
  const { result } = signature;
  return result !== undefined && containsNode(result, (node) => isNamed(node, type));
}

function isNamed(node: ast.Node, type: string): boolean {
  return node.kind === 'NameRef' ? node.name === type : node.kind === 'StringLiteral' && node.value === type;
}

/** Modules of what the application shows. */
export function shownModules(project: Project, app: ComponentRef | undefined): readonly ProjectModule[] {
  const start = [...project.modules.values()].find(({ path }) => path === app?.path);
  const seen = new Set(start === undefined ? [] : [start]);
  for (const module of seen) {
    for (const target of module.imports.values()) {
      if (target.of !== 'project') continue;
      for (const id of [target.id, ...target.submodules.values()]) {
        const next = project.modules.get(id);
        if (next !== undefined) seen.add(next);
      }
    }
  }
  return [...seen];
}

/** Does a module show an element that is called so? */
export function shows({ tree, id }: ProjectModule, names: ProjectNames, called: RegExp): boolean {
  return elementsCalled(tree, names.of(id), called).length > 0;
}

/** Elements of markup whose tag, by its own name or the one it was imported by, is called so. Long chains of operators are deeper than calls may nest. */
function elementsCalled(tree: ast.Node, names: Names, called: RegExp): readonly ast.Markup[] {
  const found: ast.Markup[] = [];
  const waiting = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'Markup' && called.test(tagName(node, names))) found.push(node);
    forEachChild(node, (child) => waiting.push(child));
  }
  return found;
}

function tagName({ tag }: ast.Markup, names: Names): string {
  if (typeof tag !== 'object') return '';
  if (tag.kind === 'Attribute') return tag.name.text;
  if (tag.kind !== 'NameRef') return '';
  const binding = names.binding(tag);
  const target = binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
  return (target?.of === 'js' ? target.member : undefined) ?? tag.name;
}

/** `users/[id]/index` is `/users/:id`. */
function routeText(parts: readonly string[]): string {
  return `/${parts.flatMap((part) => segmentOf(part) ?? []).join('/')}`;
}

/** The segment of a folder or file; undefined for those that add none. */
function segmentOf(name: string): string | undefined {
  if (name === 'index' || /^\(.*\)$/.test(name)) return undefined;
  if (/^\[\.\.\..+\]$/.test(name)) return '*';
  const parameter = /^\[(.+)\]$/.exec(name)?.[1];
  return parameter === undefined ? name : `:${parameter}`;
}

function routesOf(folder: Folder): readonly PageRoute[] {
  const children: PageRoute[] = [
    ...folder.pages.map(({ name, component }): PageRoute => {
      const path = segmentOf(name);
      return path === undefined ? { index: true, component } : { path, component };
    }),
    ...[...folder.folders.values()].flatMap(routesOf),
  ];
  if (children.length === 0) return [];
  const name = folder.segments.at(-1);
  const path = name === undefined ? undefined : segmentOf(name);
  const guarded = name === '(auth)' ? ({ guarded: true } as const) : {};
  const component = folder.layout === undefined ? {} : { component: folder.layout };
  if (path === undefined && folder.layout === undefined && name !== '(auth)') return children;
  return [{ ...(path === undefined ? {} : { path }), ...component, ...guarded, children }];
}
