/** Facts of walkers that the compiler infers and the running program does not know. */
import { recordFiles } from '../../adapters/modules/recorded-files.ts';
import { isScriptFile } from '../../adapters/typescript/script-files.ts';
import { elementsOf } from '../../lang/2-resolve/client-plan.ts';
import type { Type } from '../../lang/3-infer/types.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import type { CompileRequest } from '../program/compile-request.ts';
import { projectOptions } from '../program/project-options.ts';

/** One walker. */
export interface WalkerFacts {
  /** Types of all that its walks may report; undefined where that is not known. */
  readonly reported: readonly Type[] | undefined;
  /** Every walk from a root writes, so that it cannot be followed. */
  readonly writes: boolean;
}

/** Facts by `module.Name`; empty for a program of scripts. */
export type WalkersFacts = ReadonlyMap<string, WalkerFacts>;

export async function readWalkers(request: Pick<CompileRequest, 'file' | 'config' | 'env'>): Promise<WalkersFacts> {
  const found = new Map<string, WalkerFacts>();
  if (isScriptFile(request.file)) return found;
  const [{ readProject }, { openAnalysis }, { certainWriteOf }] = await Promise.all([
    import('../../lang/project.ts'),
    import('../../lang/analysis.ts'),
    import('../../lang/4-check/certain-writes.ts'),
  ]);
  const project = readProject(request.file, recordFiles(), projectOptions(request));
  const analysis = openAnalysis(project, { signatures, graph: 'async' });
  const [names, types] = [analysis.names(), analysis.types()];
  for (const module of project.modules.values()) {
    for (const element of elementsOf(module.tree.body)) {
      if (element.kind !== 'Archetype' || element.archetype !== 'walker') continue;
      const reported = types.reportsOf(types.of(module.id).classOf(element));
      const writes = certainWriteOf(element, names.of(module.id)) !== undefined;
      found.set(`${module.id}.${element.name.text}`, { reported, writes });
    }
  }
  return found;
}
