/** E0702 for names that `.svc` modules import from TypeScript files and that those do not export (language.md 2.4). */
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
