import { readDocs } from './read-docs.ts';
import { scriptOutput } from './script-files.ts';

/** Symbol under which the host puts `core/typescript.ts` for compiled TypeScript to find. */
const apiSymbol = Symbol.for('svc.typescript');

/** Makes `api` what `svc-scale` means in this process. */
export function provideApi(api: object): void {
  (globalThis as Record<symbol, unknown>)[apiSymbol] = api;
}

export interface ScriptInfo {
  readonly id: string;
  /** Path from the project root. */
  readonly file: string;
  readonly isMain: boolean;
  readonly text: string;
}

/** Path of the module that is `svc-scale` for one file. */
export function apiOutput(path: string, root: string): string {
  return scriptOutput(path, root).replace(/\.mjs$/, '.api.mjs');
}

/** `svc-scale` for one file: its declarations are registered as belonging to that module. */
export function apiModule({ id, file, isMain, text }: ScriptInfo, names: readonly string[]): string {
  const own = new Set(['node', 'edge', 'obj', 'walker', 'def', 'enumeration', 'main', 'test']);
  const shared = names.filter((name) => !own.has(name) && name !== 'declarationsOf');
  const info = JSON.stringify({ id, file, docs: readDocs(text), isMain });
  return `const api = globalThis[Symbol.for('svc.typescript')];
export const $tests = [];
const { ${[...own].join(', ')} } = api.declarationsOf(${info}, $tests);
${shared.map((name) => `const $${name} = api.${name};`).join('\n')}
export { ${[...own, ...shared.map((name) => `$${name} as ${name}`)].join(', ')} };
`;
}
