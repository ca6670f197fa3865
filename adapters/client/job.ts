/** Facts that building and developing the browser half of one program have in common. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import type { ClientProgram } from './client-program.ts';
import { importedPackages } from './imported-packages.ts';
import type { PackageNeeds } from './missing-packages.ts';
import { buildTools, type Ranges, readManifest } from './packages.ts';
import { pluginPackages } from './post-css-plugins.ts';

export interface ClientJob {
  readonly program: ClientProgram;
  readonly config: Pick<Config, 'client' | 'projectDir' | 'dependencies' | 'mode' | 'serve'>;
}

/** Building takes fewer packages than writing a program, whose tests and tools are listed too. */
export type ClientWork = 'build' | 'development';

export function needsOf({ program, config }: ClientJob, work: ClientWork): PackageNeeds {
  const { projectDir, dependencies, client } = config;
  const text = [...program.modules().values()].map(({ code }) => code);
  const { outline } = program;
  const ofTools = [JSON.stringify(client.configs), ...toolFiles.map((name) => textOf(join(projectDir, name)))];
  const texts = [...text, ...client.vite.libImports, ...ofTools];
  const imported = importedPackages(program, client.paths);
  const isOfBuild = (name: string) =>
    buildTool.test(name) ||
    imported.packages.includes(name) ||
    texts.some((one) => namesPackage(one, name)) ||
    isPostCssKey(name, projectDir);
  const ofBuild = (listed: Ranges, wanted: boolean): Ranges =>
    Object.fromEntries(Object.entries(listed).filter(([name]) => isOfBuild(name) === wanted));
  return {
    projectDir,
    listed: {
      ...ofBuild(readManifest(projectDir).devDependencies, true),
      ...ofBuild(dependencies.npmDev, true),
      ...dependencies.npm,
    },
    listedForWork: work === 'build' ? {} : ofBuild(dependencies.npmDev, false),
    unlisted: bringsUnlisted({ program, config }) ? imported.packages : [],
    ofSheets: [...imported.ofSheets, ...pluginPackages(client)],
    ofConfig: Object.keys(buildTools).filter((name) => configImports(name, projectDir)),
    usesRouter: outline.usesRouter || outline.pages.length > 0,
    usesForms: text.some((code) => code.includes('@svc/runtime/forms')),
    checksTypes: client.typescript,
  };
}

/** While a program is written an import is enough to bring a package; what is put into service says what it needs. */
function bringsUnlisted({ config }: ClientJob): boolean {
  return config.mode === 'development' && !isConfigured(config);
}

/** Has the project a configuration of Vite? It may give names of packages a meaning of its own. */
export function isConfigured({ projectDir }: Pick<ClientJob['config'], 'projectDir'>): boolean {
  return configNames.some((name) => textOf(join(projectDir, name)) !== '');
}

/** Packages that Vite looks for by itself. */
const buildTool =
  /^(vite|@vitejs\/plugin-react|tailwindcss|@tailwindcss\/.+|sass|sass-embedded|less|stylus|postcss|autoprefixer|lightningcss)$/;

/** Names of the project's own configuration, in the order in which Vite looks for them. */
export const configNames: readonly string[] = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map(
  (ending) => `vite.config.${ending}`,
);

const postCssNames = ['js', 'mjs', 'cjs'].map((ending) => `postcss.config.${ending}`);
const toolFiles = [...configNames, ...postCssNames];

/** Does the configuration of Vite import a package, for more than types? */
function configImports(name: string, projectDir: string): boolean {
  const loads = new RegExp(`(\\bimport (?!type\\b)[^;'"]*|\\brequire\\()['"]${name}['"]`);
  return configNames.some((file) => loads.test(textOf(join(projectDir, file))));
}

/** Does a configuration of PostCSS list the plug-in as a key, `autoprefixer: {}`? */
function isPostCssKey(name: string, projectDir: string): boolean {
  return /^\w+$/.test(name) && postCssNames.some((file) => textOf(join(projectDir, file)).includes(`${name}: `));
}

/** `'name'`, `"name/part"` */
function namesPackage(text: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => text.includes(quote + name + quote) || text.includes(`${quote + name}/`));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
