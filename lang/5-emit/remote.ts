import type * as ast from '../1-parse/ast.ts';
import type { ProjectNames } from '../2-resolve/resolve.ts';
import type { Project } from '../project.ts';
import type { EmitOptions } from './context.ts';

/** Functions and walkers that client code names: those of other modules than the entry must be loaded, and are told to the server. */
export interface Remote {
  /** Functions that are endpoints because of it. */
  readonly functions: ReadonlySet<ast.Node>;
  readonly members: NonNullable<EmitOptions['remote']>;
}

export function remoteOf(project: Project, names: ProjectNames, mode: EmitOptions['mode']): Remote {
  const uses = [...names.clientUses().values()].map(({ declared }) => declared);
  const functions = uses.flatMap(({ role, decl }) => (role === 'function' && decl !== undefined ? [decl] : []));
  const isServed = mode === 'serve' && !project.isLibrary;
  return {
    functions: new Set(functions),
    members: isServed ? uses.filter(({ module }) => module !== project.entry) : [],
  };
}
