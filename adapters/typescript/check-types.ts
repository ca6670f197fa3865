/** Type errors of TypeScript files, found by the compiler that is installed in the application. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface TypeProblem {
  /** Absolute. */
  readonly path: string;
  /** Line from 1; the column counts UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** `2322` */
  readonly number: string;
  readonly message: string;
}

export interface TypeCheck {
  readonly problems: readonly TypeProblem[];
  /** Reason why nothing was checked; undefined when it was. */
  readonly missing: string | undefined;
}

/**
 * Gives the folder of the declarations of `.svc` modules: at the same places as the modules in the project, which
 * `rootDirs` makes one folder.
 */
export function declarationsFolder(projectDir: string): string {
  return join(projectDir, '.svc', 'types');
}

/** Files of the browser half: components, with what a page has, and the bundler. */
export interface ClientTypes {
  /** `[plugins.client.paths]`: names of modules to where they are from the project. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Folder of Vite, which declares sheets, pictures and `import.meta.env`. */
  readonly vite: string | undefined;
}

/** Checks files, absolute, with the `tsconfig.json` of the project if it has one. Only what is wrong in the project is told. */
export async function checkTypes(
  files: readonly string[],
  projectDir: string,
  client?: ClientTypes,
): Promise<TypeCheck> {
  const fromProject = createRequire(join(projectDir, 'package.json'));
  const compiler = findCompiler(fromProject);
  if (compiler === undefined) return { problems: [], missing: 'typescript is not installed here' };
  const hasMarkup = client !== undefined && files.some((file) => file.endsWith('x'));
  if (hasMarkup && tryResolve(fromProject, '@types/react/package.json') === undefined)
    return { problems: [], missing: '@types/react is not installed here' };
  const folder = makeFolder(projectDir);
  try {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify(configOf(files, projectDir, fromProject, client)));
    const output = await run(compiler, ['-p', config, '--pretty', 'false'], projectDir);
    return { problems: readProblems(output, projectDir), missing: undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findCompiler(fromProject: NodeJS.Require): string | undefined {
  try {
    const file = fromProject.resolve('typescript/package.json');
    const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin?: { tsc?: string } };
    return bin?.tsc === undefined ? undefined : join(dirname(file), bin.tsc);
  } catch {
    return undefined;
  }
}

// In the project, so that `extends` and types of packages are found from there.
function makeFolder(projectDir: string): string {
  try {
    const parent = join(projectDir, '.svc');
    mkdirSync(parent, { recursive: true });
    return mkdtempSync(join(parent, 'types-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'svc-types-'));
  }
}

function configOf(
  files: readonly string[],
  projectDir: string,
  fromProject: NodeJS.Require,
  client: ClientTypes | undefined,
): object {
  const own = join(projectDir, 'tsconfig.json');
  const { front, runtime, modules, browser } = declarations(fromProject);
  const paths = {
    ...(front === undefined ? {} : { 'svc-scale': [front], 'svc-scale/runtime': [runtime] }),
    ...Object.fromEntries(
      Object.entries(client?.aliases ?? {}).map(([name, place]) => [name, [resolve(projectDir, place)]]),
    ),
  };
  return {
    ...(existsSync(own) ? { extends: own } : {}),
    compilerOptions: {
      ...(existsSync(own) ? {} : client === undefined ? defaults(fromProject) : clientDefaults),
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      rootDirs: [projectDir, declarationsFolder(projectDir)],
      ...(client === undefined ? {} : { jsx: 'react-jsx' }),
      ...(Object.keys(paths).length === 0 ? {} : { paths }),
    },
    include: [],
    files: [
      ...files,
      ...(modules === undefined ? [] : [modules]),
      ...(client === undefined || browser === undefined ? [] : [browser]),
      ...(client?.vite === undefined ? [] : [join(client.vite, 'client.d.ts')]),
    ],
  };
}

// Gives the compiler's options, as the files are compiled. Without Node's own types, those of the browser know
// `console`, `fetch` and timers.
function defaults(fromProject: NodeJS.Require): object {
  const hasNode = tryResolve(fromProject, '@types/node/package.json') !== undefined;
  return {
    strict: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    ...(hasNode ? { lib: ['es2023'], types: ['node'] } : { lib: ['es2023', 'dom'] }),
  };
}

const clientDefaults = {
  strict: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
};

interface Declarations {
  /** Set when the application does not have `svc-scale` itself: that of this command stands in. */
  readonly front: string | undefined;
  readonly runtime: string | undefined;
  /** Path of the file that declares `.svc` modules. */
  readonly modules: string | undefined;
  /** Path of the file that declares the browser runtime. */
  readonly browser: string | undefined;
}

function declarations(fromProject: NodeJS.Require): Declarations {
  const installed = tryResolve(fromProject, 'svc-scale/package.json');
  const found = installed === undefined ? undefined : placesIn(dirname(installed));
  // A program inside of a checkout finds that by the package's name, but no declarations in it.
  if (found?.front?.endsWith('.d.ts') && existsSync(found.front))
    return { ...found, front: undefined, runtime: undefined };
  const root = ownRoot();
  return root === undefined
    ? { front: undefined, runtime: undefined, modules: undefined, browser: undefined }
    : placesIn(root);
}

// The package carries declarations; a checkout has the sources.
function placesIn(root: string): Declarations {
  const isBuilt = existsSync(join(root, 'dist', 'types')) && !existsSync(join(root, 'core', 'typescript.ts'));
  const folder = isBuilt ? join(root, 'dist', 'types', 'core') : join(root, 'core');
  const ending = isBuilt ? '.d.ts' : '.ts';
  return {
    front: join(folder, `typescript${ending}`),
    runtime: join(folder, `runtime${ending}`),
    modules: join(folder, 'svc-modules.d.ts'),
    browser: join(folder, '..', 'client', 'svc-runtime.d.ts'),
  };
}

function ownRoot(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'svc-scale') return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function tryResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function run(script: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { cwd, maxBuffer: 1 << 26 }, (_error, stdout) => done(stdout));
  });
}

function readProblems(output: string, projectDir: string): TypeProblem[] {
  const problems: { path: string; line: number; column: number; number: string; message: string }[] = [];
  for (const text of output.split(/\r?\n/)) {
    const found = /^(.*?)\((\d+),(\d+)\): error TS(\d+): (.*)$/.exec(text);
    const general = /^error TS(\d+): (.*)$/.exec(text);
    if (found !== null) {
      const path = resolve(projectDir, found[1]!);
      problems.push({ path, line: Number(found[2]), column: Number(found[3]), number: found[4]!, message: found[5]! });
    } else if (general !== null) {
      const path = join(projectDir, 'tsconfig.json');
      problems.push({ path, line: 1, column: 1, number: general[1]!, message: general[2]! });
    } else if (/^\s+\S/.test(text) && problems.length > 0) problems.at(-1)!.message += ` ${text.trim()}`;
  }
  const inProject = (path: string) =>
    path.startsWith(`${projectDir}/`) && !path.includes('/node_modules/') && !path.includes('/.svc/');
  return problems.filter(({ path }) => inProject(path));
}
