/** Names of packages in the imports of a program: of its compiled modules, and of the scripts beside them that these lead to. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { ClientModules, ClientProgram } from './client-program.ts';
import { packageOf } from './packages.ts';

/** Specifiers of compiled modules, as they are written there. */
export function importedSpecifiers(modules: ClientModules): ReadonlySet<string> {
  const found = [...modules.values()].flatMap(({ code }) => [...code.matchAll(compiledImports)].map(([, one]) => one!));
  return new Set(found);
}

const compiledImports = /^(?:import|export)\b[^"\n]*"([^"\n]+)";?$/gm;

/** Packages that the program imports, as far as no alias of `[plugins.client.paths]` means something else. */
export function importedPackages(
  program: Pick<ClientProgram, 'modules'>,
  paths: Readonly<Record<string, unknown>>,
): readonly string[] {
  const aliases = Object.keys(paths).map((name) => name.replace(/\*$/, ''));
  const specifiers = new Set(importedSpecifiers(program.modules()));
  for (const [path, { code }] of program.modules())
    for (const [, one] of code.matchAll(compiledImports))
      if (one!.startsWith('.')) addScripts(resolve(dirname(path), one!), specifiers, new Set());
  const bare = [...specifiers].filter((one) => !aliases.some((alias) => one.startsWith(alias)) && !isBuiltin(one));
  return [...new Set(bare.map(packageOf))].filter((name) => packageName.test(name) && !name.startsWith('@svc'));
}

const packageName = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;
const mostScripts = 1000;

/** Imports of a script, and of the scripts it names by a path. */
function addScripts(path: string, specifiers: Set<string>, seen: Set<string>): void {
  const text = seen.has(path) || seen.size > mostScripts || !script.test(path) ? undefined : textOf(path);
  seen.add(path);
  for (const [, , one] of text?.matchAll(scriptImports) ?? []) {
    if (!one!.startsWith('.')) specifiers.add(one!);
    else for (const ending of endings) addScripts(resolve(dirname(path), one! + ending), specifiers, seen);
  }
}

const script = /\.[mc]?[jt]sx?$/;
const endings = ['', '.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.tsx', '/index.js', '/index.jsx'];
const scriptImports = /^\s*(?:import\s*|(?:import|export)\s(?!\s*type\b)[\w\s{},*$]*\bfrom\s*)(['"])([^'"\n]+)\1/gm;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
