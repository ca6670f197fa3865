/**
 * TypeScript declarations of `.svc` modules: what `import { Task } from './tasks.svc'` means to the TypeScript compiler. They describe the
 * generated modules, so constructors and functions take their parameters by position.
 */

import { resolve } from './2-resolve/resolve.ts';
import { readSignatures, type SignatureTexts } from './3-infer/functions/builtin-signatures.ts';
import { infer } from './3-infer/infer.ts';
import { moduleDeclarations } from './5-emit/declarations.ts';
import type { Project } from './project.ts';

export interface ModuleTypesText {
  /** Absolute path of the module's base file. */
  readonly path: string;
  readonly text: string;
}

/** Declares all modules of a project that has been read. Holds for any store: what asks the graph may have to wait. */
export function declareModules(project: Project, signatures: SignatureTexts): ModuleTypesText[] {
  const names = resolve(project);
  const types = infer(project, names, readSignatures(signatures), { graph: 'async' });
  return [...project.modules.values()]
    .filter(({ path }) => path.endsWith('.svc'))
    .map((module) => ({
      path: module.path,
      text: moduleDeclarations(module, names.of(module.id), types.of(module.id), (id) => project.modules.get(id)?.path),
    }));
}
