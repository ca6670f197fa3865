/** The compiler's front door: a project has been read (`project.ts`), and everything of the compiler is there. */
import { clientEmitter } from './6-emit-client/emitter.ts';
import { beginCompilation, type CompiledProject, type CompileOptions } from './phases.ts';
import { type Project, projectOfText } from './project.ts';
import type { Source } from './source.ts';

/** Compiles a whole program. Never throws on bad source: what is wrong is in `diagnostics`. */
export function compileProject(project: Project, options: CompileOptions): CompiledProject {
  return beginCompilation(project, options, clientEmitter).finish();
}

/** Compiles one text as a program of its own. */
export function compileModule(source: Source, options: CompileOptions): CompiledProject {
  return compileProject(projectOfText(source.text, source.path), options);
}
