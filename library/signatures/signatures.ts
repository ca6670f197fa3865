/** The whole table of signatures, for the compiler, documentation and editors. */
import { builtins } from './builtins.ts';
import { modules } from './modules.ts';

export const signatures = { builtins, modules } as const;
