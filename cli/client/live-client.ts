/** The browser half while a program is developed, as the rest of a start sees it. */

import type { ClientModules, ClientProgram } from '../../adapters/client/client-program.ts';
import type { ClientProblem } from '../../adapters/client/failure.ts';
import type { Intercept } from '../../adapters/hosts/local/intercept.ts';
import type { Config } from '../../core/config/config.ts';
import type { MappedStack } from '../../handlers/http/client/error-route.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';

export interface LiveClient {
  readonly facts: () => PageFacts;
  readonly transform: (path: string, text: string) => Promise<string>;
  /** Takes requests and sockets of the development server. */
  readonly intercept: Intercept;
  /** New code for the pages that are open. */
  update(program: ClientProgram): void;
  /** The same for some modules, before the rest is known. Resolves when the pages have fetched them, or soon after. */
  glance(modules: ClientModules): Promise<void>;
  /** Do pages have a module of this file? */
  has(path: string): boolean;
  /** Takes other packages and settings of Vite: what is missing is brought, and pages load themselves anew. */
  reconfigure(config: Config): void;
  /** Starts the development server. To be called when the port answers. */
  start(): void;
  /** Resolves when pages can be served, or it is known that they cannot. */
  ready(): Promise<void>;
  /** Resolves when pages have what they asked for, or none has come. */
  quiet(): Promise<void>;
  /** Shows problems in the pages that are open, and in those that come, until there are none. */
  show(problems: readonly ClientProblem[]): void;
  mapStack(stack: string): MappedStack;
  print(message: string, mapped: MappedStack): void;
  close(): Promise<void>;
}
