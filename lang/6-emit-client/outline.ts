/** Facts about the browser half as a whole, from which the module that starts it in the page is written. */
import type * as ast from '../1-parse/ast.ts';
import type { ClientPlan } from '../2-resolve/client-plan.ts';
import { elementsOf } from '../2-resolve/client-plan.ts';
import { isComponent } from '../2-resolve/components.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import { baseName, dirName } from '../project/paths.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { ClientModule } from './client.ts';
import { type ComponentRef, findPages, type PageRoute, shownModules, shows } from './pages.ts';

export interface ClientOutline {
  /** The component that is mounted at `/`; undefined when pages alone make up the application. */
  readonly app: ComponentRef | undefined;
  /** Components that `/cl/{name}` shows: of two with one name that of the module read first. */
  readonly components: readonly ComponentRef[];
  readonly pages: readonly PageRoute[];
  /** The program uses members of the router. */
  readonly usesRouter: boolean;
  /** The program brings a router of the package of routes itself, which may stand in no other. */
  readonly bringsRouter: boolean;
  /** The page stands behind `#` where the configuration says nothing: the application shows `HashRouter`, or imports the runtime by its early name. */
  readonly isHash: boolean;
}

export type OutlinedPages = Pick<ClientOutline, 'app' | 'pages' | 'isHash'>;

/** Finds the application and the routes of `pages/`, before anything is emitted: what is wrong with them keeps the program from running. */
export function outlinePages(project: Project, names: ProjectNames, appName: string): OutlinedPages {
  const app = findApp(project, names, appName);
  const isHash = project.router === 'hash' || (project.router === 'auto' && isHashProgram(project, names, app));
  return { app, pages: findPages(project, names, app, isHash), isHash };
}

export function outlineClient(
  project: Project,
  plan: ClientPlan,
  found: OutlinedPages,
  modules: readonly ClientModule[],
): ClientOutline {
  const components = new Map<string, ComponentRef>();
  for (const [id, elements] of plan.elements) {
    const { path } = project.modules.get(id)!;
    for (const element of elements) {
      if (element.kind !== 'FunctionDecl' || element.name === undefined || !isComponent(element)) continue;
      const name = element.name.text;
      if (!components.has(name)) components.set(name, { path, name });
    }
  }
  const usesRouter = modules.some(({ output }) =>
    /from "(@svc\/runtime\/router|react-router(-dom)?)"/.test(output.code),
  );
  const bringsRouter = modules.some(({ output }) =>
    /import \{[^}]*\b(Browser|Hash|Memory)?Router(Provider)?\b[^}]*\} from "react-router(-dom)?"/.test(output.code),
  );
  return { ...found, components: [...components.values()], usesRouter, bringsRouter };
}

function isHashProgram(project: Project, names: ProjectNames, app: ComponentRef | undefined): boolean {
  const isEarly = [...project.modules.values()].some(({ imports }) =>
    [...imports.keys()].some(({ quoted }) => quoted?.value === '@svc-client/utils'),
  );
  const isNamed = ({ sources }: ProjectModule) => sources.some(({ text }) => text.includes('HashRouter'));
  return (
    isEarly || shownModules(project, app).some((module) => isNamed(module) && shows(module, names, /^HashRouter$/))
  );
}

/** `app` of the entry module, else of `app.cl.svc` or the entry's own `.cl.svc` beside it. */
function findApp(project: Project, names: ProjectNames, name: string): ComponentRef | undefined {
  const entry = project.modules.get(project.entry)!;
  const stem = baseName(entry.path).replace(/(\.(cl|sv|na))?\.svc$/, '');
  const beside = [`${stem}.cl.svc`, 'app.cl.svc'].map((file) =>
    [...project.modules.values()].find(
      ({ path }) => baseName(path) === file && dirName(path) === dirName(entry.path) && path !== entry.path,
    ),
  );
  const home = [entry, ...beside].find((module) => module !== undefined && declares(module, names, name));
  return home && { path: home.path, name };
}

function declares(module: ProjectModule, names: ProjectNames, name: string): boolean {
  const { isClient } = names.of(module.id);
  return elementsOf(module.tree.body).some(
    (element: ast.Element) => element.kind === 'FunctionDecl' && element.name?.text === name && isClient(element),
  );
}
