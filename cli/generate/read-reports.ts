/** Types of what walkers report, as the compiler infers them: the running program does not know them. */
import { recordFiles } from '../../adapters/modules/recorded-files.ts';
import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import { elementsOf } from '../../lang/2-resolve/client-plan.ts';
import type { Type } from '../../lang/3-infer/types.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { type CompileRequest, projectOptions } from '../program/compile-app.ts';

/** Types of all that walks of a walker may report, by `module.Name`; no entry where that is not known. */
export type Reports = ReadonlyMap<string, readonly Type[]>;

export async function readReports(request: Pick<CompileRequest, 'file' | 'config' | 'env'>): Promise<Reports> {
  const found = new Map<string, readonly Type[]>();
  if (isScriptFile(request.file)) return found;
  const [{ readProject }, { openAnalysis }] = await Promise.all([
    import('../../lang/project.ts'),
    import('../../lang/analysis.ts'),
  ]);
  const project = readProject(request.file, recordFiles(), projectOptions(request));
  const types = openAnalysis(project, { signatures, graph: 'async' }).types();
  for (const module of project.modules.values()) {
    for (const element of elementsOf(module.tree.body)) {
      if (element.kind !== 'Archetype' || element.archetype !== 'walker') continue;
      const reported = types.reportsOf(types.of(module.id).classOf(element));
      if (reported !== undefined) found.set(`${module.id}.${element.name.text}`, reported);
    }
  }
  return found;
}
