/** Client output of a project: an ES module for each module with client code, with a source map into its `.svc` text. */
import type { ClientPlan } from '../2-resolve/client-plan.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { ProjectTypes } from '../3-infer/infer.ts';
import { print } from '../5-emit/printer.ts';
import type { Emitted } from '../5-emit/server.ts';
import type { Project, ProjectModule } from '../project.ts';
import type { ClientLink, ClientOptions, Unit } from './cx.ts';
import { moduleParts } from './module.ts';
import { relativePath } from './paths.ts';
import { refreshOf } from './refresh.ts';
import { visibleSources } from './visible-source.ts';

export interface ClientModule {
  /** Dotted path from the project root. */
  readonly id: string;
  /** The `.svc` file it was made from, by which the bundler knows it. */
  readonly path: string;
  readonly output: Emitted;
  /** Names of the walkers and functions of the server that its code asks for. */
  readonly asks: ReadonlySet<string>;
}

/** Emits the client half of a program, or some modules of it. */
export function emitClient(
  project: Project,
  names: ProjectNames,
  types: ProjectTypes,
  plan: ClientPlan,
  options: ClientOptions,
  ids: Iterable<string> = plan.elements.keys(),
): readonly ClientModule[] {
  const link: ClientLink = {
    plan,
    options,
    root: project.root,
    byScripts: project.byScripts,
    follow: names.follow,
    module: (id) => project.modules.get(id),
    namesOf: names.of,
    typesOf: types.of,
  };
  return [...ids].map((id) => {
    const module = project.modules.get(id)!;
    const unit = makeUnit(module, link);
    const { code, map } = print(moduleParts(unit), module.path, module.sources);
    const sourcesContent = visibleSources(module, unit.names, plan).map(({ text }) => text);
    const sources = map.sources.map((path) => relativePath(module.source.path, path).replace(/^\.\//, ''));
    return { id, path: module.path, output: { code, map: { ...map, sources, sourcesContent } }, asks: unit.asks };
  });
}

const pausing = /(?:async|await|spawn|wait|yield)\b/g;

function makeUnit(module: ProjectModule, link: ClientLink): Unit {
  const names = link.namesOf(module.id);
  const files = new Map(module.sources.map((source, i) => [source, i]));
  return {
    module,
    names,
    types: link.typesOf(module.id),
    link,
    imports: [],
    importOf: new Map(),
    scopedTexts: new Map(),
    renamed: new Map(),
    setters: new Map(),
    declaredAt: new Map(),
    changed: new Set(),
    counters: new Set(),
    taken: new Set(names.bindings.keys()),
    descriptors: new Map(),
    asks: new Set(),
    refresh: refreshOf(module, link),
    kept: new Map(),
    pauses: module.sources
      .flatMap(({ text }) => Array.from(text.matchAll(pausing), ({ index }) => index))
      .sort((a, b) => a - b),
    computed: new Map(),
    held: { waits: false, values: [] },
    fileOf: (node) => files.get(module.sourceOf(node)) ?? 0,
    file: 0,
    depth: 0,
    serial: 0,
  };
}
