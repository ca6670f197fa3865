/** Names of packages in the imports of a program: of its compiled modules, and of the scripts and sheets beside them that these lead to. */
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

/** A variable that is exported with a text for its value names no package. */
const compiledImports = /^(?:import\s+|(?:import|export)\s[^"\n=]*\bfrom\s+)"(?<name>[^"\n]+)";?$/gm;

/** Specifiers that a script imports at once. */
export function importsOfScript(text: string): readonly string[] {
  return matches(text, scriptImports);
}

interface Imported {
  /** Packages that the program imports, as far as no alias of `[plugins.client.paths]` means something else. */
  readonly packages: readonly string[];
  /** Packages among them that sheets import: they are looked for in the project alone. */
  readonly ofSheets: readonly string[];
}

export function importedPackages(
  program: Pick<ClientProgram, 'modules'>,
  paths: Readonly<Record<string, unknown>>,
): Imported {
  const aliases = Object.keys(paths).map((name) => name.replace(/\*$/, ''));
  const found: Found = {
    specifiers: new Set(importedSpecifiers(program.modules())),
    ofSheets: new Set(),
    seen: new Set(),
  };
  for (const [path, { code }] of program.modules())
    for (const one of [...matches(code, compiledImports), ...matches(code, lateImports)]) add(one, path, found);
  const namesOf = (specifiers: Iterable<string>) => {
    const bare = [...specifiers].filter((one) => !aliases.some((alias) => one.startsWith(alias)) && !isBuiltin(one));
    return [...new Set(bare.map(packageOf))].filter((name) => packageName.test(name) && !name.startsWith('@svc'));
  };
  const ofSheets = namesOf(found.ofSheets);
  return { packages: [...new Set([...namesOf(found.specifiers), ...ofSheets])], ofSheets };
}

interface Found {
  readonly specifiers: Set<string>;
  readonly ofSheets: Set<string>;
  /** Files that were read. */
  readonly seen: Set<string>;
}

const packageName = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;
const mostFiles = 1000;

function add(specifier: string, from: string, found: Found): void {
  const [name = '', query = ''] = specifier.split('?');
  if (!name.startsWith('.')) found.specifiers.add(name);
  // Modules of the language are looked at by themselves; of other queries the page gets the text or the address.
  else if (!name.endsWith('.svc') && (query === '' || /\bworker\b/.test(query)))
    for (const ending of endings) addFile(resolve(dirname(from), name + ending), found);
}

/** Imports of a script or a sheet, and of the files it names by a path. */
function addFile(path: string, found: Found): void {
  const isSheet = path.endsWith('.css');
  const isRead = (isSheet || script.test(path)) && !found.seen.has(path) && found.seen.size < mostFiles;
  const text = isRead ? textOf(path) : undefined;
  found.seen.add(path);
  if (text === undefined) return;
  if (isSheet) for (const one of matches(text, sheetImports)) addOfSheet(one, path, found);
  else for (const one of [...matches(text, scriptImports), ...matches(text, lateImports)]) add(one, path, found);
}

/** In a sheet a bare name is that of a file first. */
function addOfSheet(specifier: string, from: string, found: Found): void {
  const file = resolve(dirname(from), specifier);
  if (textOf(file) !== undefined) addFile(file, found);
  else if (!/^([./#]|\w+:|[^/@]*\.css$)/.test(specifier)) found.ofSheets.add(specifier);
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(({ groups }) => groups!['name']!);
}

const script = /\.[mc]?[jt]sx?$/;
const endings = ['', '.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.tsx', '/index.js', '/index.jsx'];
const scriptImports =
  /^\s*(?:import\s*|(?:import|export)\s(?!\s*type\b)[\w\s{},*$]*\bfrom\s*)(['"])(?<name>[^'"\n]+)\1/gm;
/** `import('name')`, and `new URL('./name', import.meta.url)`, which workers are made of. */
const lateImports =
  /^(?:(?!\/\/|\/?\*).)*?\b(?:import\(\s*|new URL\(\s*(?=['"][^'"\n]+['"]\s*,\s*import\.meta\.url))(['"])(?<name>[^'"\n]+)\1/gm;
const sheetImports = /@(?:import|plugin)\s+(?:url\(\s*)?(['"])(?<name>[^'"\n]+)\1/g;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
