/**
 * The part of the table that runs with programs. A build gives this file the text of `builtins.ts` without results and marks (bin/build.mjs),
 * so that a served function reads no line that only the compiler needs.
 */
export { builtins } from './builtins.ts';
