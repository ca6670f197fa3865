/** Default imports in compiled modules, for development. */
import { folderOfPackage, isEsPackage, packageOf } from './packages.ts';

/**
 * Text of a module in which the default import of a package in CommonJS is what a build takes it for: its `default`, where it says that it was an
 * ES module. In a project whose `package.json` has `"type": "module"`, Vite's development server gives the whole package.
 */
export function withDefaults(code: string, projectDir: string): string {
  return code.replace(defaultImport, (line, before: string, name: string, after: string, specifier: string) => {
    const folder = folderOfPackage(packageOf(specifier), projectDir);
    if (folder === undefined || isEsPackage(folder)) return line;
    const whole = `${name}$whole`;
    // The line stays one: maps of the module count lines.
    return `${before}${whole}${after} const ${name} = ${whole}?.__esModule ? ${whole}.default : ${whole};`;
  });
}

const defaultImport = /^(import \{ (?:[^}"\n]*, )?default as )([\w$]+)([^"\n]* from "([@\w][^"\n:]*)";)$/gm;
