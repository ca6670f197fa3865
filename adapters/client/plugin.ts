/** Plug-in that lets Vite read modules of the language: they are compiled before, and known by the paths of their `.svc` files. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

export interface ClientCode {
  readonly code: string;
  /** Source map as JSON. */
  readonly map: string;
}

export interface PluginOptions {
  /** Compiled modules by the absolute path of their `.svc` file. Asked at each load, so that a reload gives the new ones. */
  readonly modules: () => ReadonlyMap<string, ClientCode>;
  /** Text of the module that puts the application into the page. */
  readonly entry: () => string;
  /** Folder of the browser runtime: `runtime`, `wire`, `lang` … with `extension`. */
  readonly runtimeDir: string;
  /** Ending of its files: `.ts` in a checkout, `.mjs` as published. */
  readonly extension: '.ts' | '.mjs';
}

/** Specifier of the entry. */
export const entryId = 'virtual:svc-entry';
const resolvedEntry = `\0${entryId}`;

export function svcPlugin({ modules, entry, runtimeDir, extension }: PluginOptions): Plugin {
  return {
    name: 'svc',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === entryId || id === `/@id/${entryId}`) return resolvedEntry;
      if (id === '@svc/runtime') return resolve(runtimeDir, `runtime${extension}`);
      if (id.startsWith('@svc/runtime/')) return resolve(runtimeDir, id.slice('@svc/runtime/'.length) + extension);
      if (!id.endsWith('.svc')) return undefined;
      const path = id.startsWith('.') && importer !== undefined ? resolve(dirname(importer), id) : id;
      return modules().has(path) ? path : undefined;
    },
    load(id) {
      if (id === resolvedEntry) return entry();
      const found = modules().get(id);
      return found === undefined ? undefined : { code: found.code, map: found.map, moduleType: 'js' };
    },
  };
}

/** Does the runtime stand in a folder as source text? */
export function runtimeExtension(runtimeDir: string): '.ts' | '.mjs' {
  return existsSync(resolve(runtimeDir, 'runtime.ts')) ? '.ts' : '.mjs';
}
