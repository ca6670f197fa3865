/** The phases up to inference over texts, and ways to point at nodes: for tests of phases 2 to 4. */
import { signatures } from '../library/signatures/signatures.ts';
import type * as ast from './1-parse/ast.ts';
import { forEachChild } from './2-resolve/children.ts';
import type { Names } from './2-resolve/names.ts';
import { type ProjectNames, resolve } from './2-resolve/resolve.ts';
import { readSignatures } from './3-infer/functions/builtin-signatures.ts';
import { infer, type ModuleTypes, type ProjectTypes } from './3-infer/infer.ts';
import { filesInMemory } from './project/files.ts';
import type { Project, ProjectModule, ProjectOptions } from './project.ts';
import { readProject } from './project.ts';
import { positionAt } from './source.ts';

export interface Front {
  readonly project: Project;
  readonly names: ProjectNames;
  readonly types: ProjectTypes;
  /** `E0301 3:7`: codes with place, of one module's files in order. */
  codes(): readonly string[];
  module(id?: string): ModuleFront;
}

export interface ModuleFront {
  readonly module: ProjectModule;
  readonly names: Names;
  readonly types: ModuleTypes;
  /** The node of that kind whose text is exactly `text`; the `count`th one, from 1. */
  node<K extends ast.Node['kind']>(kind: K, text: string, count?: number): Extract<ast.Node, { kind: K }>;
  /** The function, archetype, enum or ability of that name. */
  decl(name: string): ast.FunctionDecl & ast.Archetype & ast.EnumDecl & ast.Ability;
}

const builtins = readSignatures(signatures);

/** Texts by path, `main.svc` the entry; one text alone is `main.svc`. */
export function front(
  texts: string | Readonly<Record<string, string>>,
  options: ProjectOptions & { graph?: 'sync' | 'async' } = {},
): Front {
  const files = typeof texts === 'string' ? { 'main.svc': texts } : texts;
  const { graph = 'sync', ...projectOptions } = options;
  const project = readProject('main.svc', filesInMemory(files), { root: '.', ...projectOptions });
  const names = resolve(project);
  const types = infer(project, names, builtins, { graph });
  return {
    project,
    names,
    types,
    codes: () =>
      project.diagnostics().map((found) => {
        const source = { path: found.path, text: files[found.path] ?? '' };
        const { line, column } = positionAt(source, found.start);
        return `${found.code} ${line}:${column}`;
      }),
    module: (id = 'main') => moduleFront(project.modules.get(id)!, names.of(id), types.of(id)),
  };
}

function moduleFront(module: ProjectModule, names: Names, types: ModuleTypes): ModuleFront {
  const all: { node: ast.Node; text: string }[] = [];
  for (const element of module.tree.body) {
    const { text } = module.sourceOf(element);
    const visit = (node: ast.Node): void => {
      all.push({ node, text: text.slice(node.start, node.end) });
      forEachChild(node, visit);
    };
    visit(element);
  }
  return {
    module,
    names,
    types,
    node(kind, text, count = 1) {
      const found = all.filter((one) => one.node.kind === kind && one.text === text)[count - 1];
      if (found === undefined) throw new Error(`no ${kind} "${text}"`);
      return found.node as never;
    },
    decl(name) {
      const found = all.find(
        ({ node }) =>
          'name' in node &&
          typeof node.name === 'object' &&
          node.name.kind === 'Name' &&
          node.name.text === name &&
          'decorators' in node,
      );
      if (found === undefined) throw new Error(`no declaration ${name}`);
      return found.node as never;
    },
  };
}
