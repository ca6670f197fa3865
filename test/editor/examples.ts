/** The example programs as projects of an editor: read from disk, with texts of an editor in place of some. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFiles } from '../../adapters/modules/disk-files.ts';
import { clientFiles } from '../../cli/program/client-files.ts';
import { standardMembers } from '../../core/modules/standard-members.ts';
import { type Analysis, analyse } from '../../lang/analysis.ts';
import { annexKind } from '../../lang/project/annexes.ts';
import type { ProjectFiles } from '../../lang/project/files.ts';
import { createKeptFiles } from '../../lang/project/kept-files.ts';
import { readProject } from '../../lang/project.ts';
import { load } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';

export const examplesFolder = join(import.meta.dirname, '../../examples');

export interface Example {
  readonly name: string;
  readonly root: string;
  readonly entry: string;
  /** Absolute paths of its `.svc` files. */
  readonly files: readonly string[];
}

export function allExamples(): readonly Example[] {
  return readdirSync(examplesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const root = join(examplesFolder, name);
      const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
        // The folder `.svc`, which a start makes, is no source, nor is what it holds.
        (file) => /[^/\\]\.svc$/.test(file) && !/(^|[/\\])(\.svc|node_modules)[/\\]/.test(file),
      );
      const files = found.sort().map((file) => join(root, file));
      const entry = files.find((file) => file === join(root, 'main.svc'));
      return entry === undefined ? [] : [{ name, root, entry, files }];
    });
}

/** Programs of the benchmarks: one file each. */
export function appsOfBenchmarks(): readonly string[] {
  const folder = join(examplesFolder, '../bench/apps');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.svc'))
    .sort()
    .map((file) => join(folder, file));
}

/** Reads modules of the library that any example imports; to be called once before analyses. */
export async function loadModules(): Promise<void> {
  await load('http', 'datetime', 'math', 'random', 'json', 'time', 'svc_scale.lib', 'collections', 're', 'os');
}

/** Analyses with knowledge kept from one time to the next, as a server does. */
/** Analyses an example with texts in place of those on disk; `open`: the one file of which everything is wanted, as the server asks for open files. */
export type Analyst = (texts: ReadonlyMap<string, string>, entry?: string, open?: string) => Analysis;

export function exampleAnalyst(example: Example): Analyst {
  const kept = createKeptFiles();
  return (texts, entry = example.entry, open) => {
    const files: ProjectFiles = { ...diskFiles, readFile: (path) => texts.get(path) ?? diskFiles.readFile(path) };
    const browser = entry === example.entry ? clientFiles(entry, example.root, files) : [];
    const project = readProject(entry, files, { root: example.root, browser, tests: true, kept });
    const module = [...project.modules.values()].find(({ sources }) =>
      sources.some(({ path }) => open !== undefined && join(example.root, path) === open),
    );
    const only = module && new Set([module.id]);
    return analyse(project, { signatures, graph: 'sync', standardMembers, only });
  };
}

/** The entry whose project covers a file: the example's own, or the file itself. */
export function entryFor(example: Example, file: string, whole: Analysis): string {
  const isCovered = [...whole.project.modules.values()].some(
    ({ path, sources }) => path === file || sources.some((one) => join(example.root, one.path) === file),
  );
  return isCovered || annexKind(file) !== undefined ? example.entry : file;
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

export function shown(example: Example, file: string): string {
  return file.slice(example.root.length + 1);
}

export { dirname };
