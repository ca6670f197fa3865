/**
 * E0702 for names that are imported from a file of the other language, or by TypeScript, and are not there
 * (docs/language/imports.md#imports).
 */
import type { CompiledModule } from '../../adapters/modules/compiled-module.ts';
import { apiOutput } from '../../adapters/typescript/api-module.ts';
import { readExports, readLinks } from '../../adapters/typescript/read-links.ts';
import { below, bridgeOutput, scriptOutput } from '../../adapters/typescript/script-files.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import type * as ast from '../../lang/1-parse/ast.ts';
import { type Diagnostic, makeDiagnostic } from '../../lang/diagnostics.ts';
import type { Project, ProjectModule } from '../../lang/project.ts';

/** `exports`: what each compiled file exports; files that are not in it, or have no list, are not looked at. */
export function missingMembers(
  project: Project,
  exports: ReadonlyMap<string, readonly string[] | undefined>,
): Diagnostic[] {
  if (exports.size === 0) return [];
  return [...project.modules.values()].flatMap((module) =>
    importsOf(module.tree.body).flatMap((node) => checkImport(module, node, exports)),
  );
}

export interface ScriptLinks {
  /** Absolute paths of TypeScript files, with their text. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Generated modules, `.api.mjs` parts included. */
  readonly modules: readonly CompiledModule[];
  /** Absolute path of an `.svc` file to the module that it was compiled to. */
  readonly svcOutputs: ReadonlyMap<string, string>;
  readonly root: string;
}

/** Node would refuse to load the program and name generated files. */
export function missingExports({ scripts, modules, svcOutputs, root }: ScriptLinks): Diagnostic[] {
  const codeOf = new Map(modules.map(({ path, code }) => [path, code]));
  const names = new Map<string, { readonly shown: string; readonly exports: readonly string[] | undefined }>();
  const add = (output: string, shown: string, source = output) => {
    const code = codeOf.get(source);
    if (code !== undefined) names.set(output, { shown, exports: readExports(code) });
  };
  for (const path of scripts.keys()) {
    add(scriptOutput(path, root), below(path, root));
    add(apiOutput(path, root), 'svc-scale');
  }
  for (const [path, output] of svcOutputs) add(bridgeOutput(path, root), below(path, root), output);
  return [...scripts].flatMap(([path, text]) =>
    readLinks(codeOf.get(scriptOutput(path, root)) ?? '').flatMap((link) => {
      const known = names.get(link.module);
      if (known?.exports === undefined) return [];
      const { exports, shown } = known;
      return link.names
        .filter((name) => !exports.includes(name))
        .map((name) => {
          const near = didYouMean(name, exports);
          const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
          return makeDiagnostic(
            'E0702',
            below(path, root),
            placeOf(name, text),
            { m: shown, n: name },
            { help, blocking: true },
          );
        });
    }),
  );
}

// The name stands in an import of the file, since it came from there.
function placeOf(name: string, text: string): { start: number; end: number } {
  const escaped = name.replaceAll('$', '\\$');
  const found = new RegExp(`(^|\\n)(import|export)\\b[^;'"]*?\\b${escaped}\\b`).exec(text);
  if (found === null) return { start: 0, end: 0 };
  const end = found.index + found[0].length;
  return { start: end - name.length, end };
}

function importsOf(elements: readonly ast.Element[]): ast.ImportFrom[] {
  return elements.flatMap((element) =>
    element.kind === 'PlacedBlock' ? importsOf(element.body) : element.kind === 'ImportFrom' ? [element] : [],
  );
}

function checkImport(
  module: ProjectModule,
  node: ast.ImportFrom,
  exports: ReadonlyMap<string, readonly string[] | undefined>,
): Diagnostic[] {
  const target = module.imports.get(node.path);
  const known = target?.of === 'js' && target.path !== undefined ? exports.get(target.path) : undefined;
  if (known === undefined || node.typeOnly) return [];
  return node.items.flatMap((item) => {
    const name = item.what === 'name' ? item.name?.text : item.what === 'default' ? 'default' : undefined;
    if (name === undefined || known.includes(name)) return [];
    const near = didYouMean(name, known);
    const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
    const { path } = module.sourceOf(node);
    const m = node.path.quoted?.value ?? node.path.segments.map(({ text }) => text).join('.');
    return [makeDiagnostic('E0702', path, item, { m, n: name }, { help, blocking: false })];
  });
}
