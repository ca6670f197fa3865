import type { Member, Unit } from './context.ts';

/** Components and other functions and variables of the browser are nothing that a module of the server has. */
export function isOfClient(u: Unit, { module, decl }: Member): boolean {
  return (
    (decl?.kind === 'FunctionDecl' || decl?.kind === 'GlobItem') &&
    u.options.home?.(module)?.names.isServer(decl) === false
  );
}
