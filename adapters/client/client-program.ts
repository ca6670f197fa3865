/** The browser half of a program as the bundler takes it. */
import type { ClientOutline } from '../../lang/6-emit-client/outline.ts';

export interface ClientCode {
  readonly code: string;
  /** Source map as JSON. */
  readonly map: string;
}

/** Compiled modules by the absolute path of their `.svc` file. */
export type ClientModules = ReadonlyMap<string, ClientCode>;

export interface ClientProgram {
  readonly outline: ClientOutline;
  /** Tells one state of the modules from another. */
  readonly digest: string;
  readonly modules: () => ClientModules;
}
