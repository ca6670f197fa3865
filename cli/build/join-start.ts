/** Start of functions: the files they read before their first call, joined into one. */
import { posix } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { loadBundler } from './load-bundler.ts';
import { type Import, type Output, type Outputs, reachable, readOutputs } from './outputs.ts';

const startPath = 'chunks/start.mjs';

/**
 * Joins the files that several `entries` import statically, or the only one does; gives what is reachable from them then. What `others` import is
 * reachable too, and joins nothing: nobody waits for them.
 */
export async function joinStart(
  outputs: Outputs,
  entries: readonly string[],
  shared: BuildOptions,
  others: readonly string[] = [],
): Promise<Outputs> {
  const read = entries.map((entry) => reachable(outputs, entry, true));
  const least = Math.min(2, entries.length);
  const joined = [...new Set(read.flatMap((paths) => [...paths]))].filter(
    (path) =>
      !entries.includes(path) && !others.includes(path) && read.filter((paths) => paths.has(path)).length >= least,
  );
  const parts = createParts(joined);
  const all = new Set([...entries, ...others].flatMap((entry) => [...reachable(outputs, entry)]));
  const rest = [...all].filter((path) => !parts.has(path)).map((path) => [path, redirect(path, outputs[path]!, parts)]);
  const stubs = [...all].filter((path) => parts.has(path) && isLazilyImported(path, outputs));
  const made = stubs.map((path) => [path, stub(path, outputs[path]!, parts.get(path)!)]);
  return { ...Object.fromEntries([...rest, ...made]), [startPath]: await buildStart(outputs, parts, shared) };
}

/** A joined file. */
interface Part {
  /** Exports that others import, with their names in the joint file. */
  readonly used: ReadonlyMap<string, string>;
  /** Gives the name that an export has in the joint file. */
  use(name: string): string;
}

type Parts = ReadonlyMap<string, Part>;

/** Names count through all parts, `_0`, `_1` … `_10`, because a thousand of them are read at each start. */
function createParts(paths: readonly string[]): Parts {
  let count = 0;
  const part = (): Part => {
    const used = new Map<string, string>();
    return {
      used,
      use(name) {
        const known = used.get(name) ?? `_${(count++).toString(36)}`;
        used.set(name, known);
        return known;
      },
    };
  };
  return new Map(paths.map((path) => [path, part()]));
}

const toStart: Import = { path: startPath, isLazy: false };

/** `import{a,b as c}from"./x.mjs";` or `import"./x.mjs";`, as esbuild puts them before everything else. */
const statement = /import(?:\{([^}]*)\}from)?"(\.\.?\/[^"]*)";/y;

/**
 * Imports from the joint file what it imported from its parts. The statement stands where the old ones were, before blanks that keep the source
 * map right; where it is longer than they, in the first line, which is empty or has the banner.
 */
function redirect(path: string, output: Output, parts: Parts): Output {
  const { text, imports } = output;
  const folder = posix.dirname(path);
  const names: string[] = [];
  const kept: string[] = [];
  let count = 0;
  const from = text.indexOf('\n') + 1;
  statement.lastIndex = from;
  let to = from;
  for (let found = statement.exec(text); found !== null; found = statement.exec(text)) {
    const [whole, list, other] = found as unknown as [string, string | undefined, string];
    const part = parts.get(posix.join(folder, other));
    count++;
    to = statement.lastIndex;
    if (part === undefined) {
      kept.push(whole);
      continue;
    }
    for (const item of list?.split(',') ?? []) {
      const [name, local = name] = item.split(' as ') as [string, string?];
      names.push(`${part.use(name)} as ${local}`);
    }
  }
  if (count !== imports.filter(({ isLazy }) => !isLazy).length)
    throw new Error(`imports of ${path} are not understood`);
  if (kept.length === count) return output;
  const start = posix.relative(folder, startPath);
  const line = `import{${names.join(',')}}from"${start.startsWith('.') ? start : `./${start}`}";`;
  const inPlace = line + kept.join('');
  const room = to - from;
  const head =
    inPlace.length <= room
      ? text.slice(0, from) + inPlace.padEnd(room)
      : line + text.slice(0, from) + kept.join('').padEnd(room);
  const others = imports.filter((one) => one.isLazy || !parts.has(one.path));
  return { ...output, text: head + text.slice(to), imports: [...others, toStart] };
}

/** Makes the file in place of one that was joined and that others also import when they need it. */
function stub(path: string, { exports }: Output, part: Part): Output {
  const names = exports.map((name) => `${part.use(name)} as ${name}`);
  const start = posix.relative(posix.dirname(path), startPath);
  return { text: `export{${names.join(',')}}from"./${start}";\n`, map: undefined, imports: [toStart], exports };
}

function isLazilyImported(path: string, outputs: Outputs): boolean {
  return Object.values(outputs).some(({ imports }) => imports.some((one) => one.isLazy && one.path === path));
}

async function buildStart(outputs: Outputs, parts: Parts, shared: BuildOptions): Promise<Output> {
  const { build } = await loadBundler();
  const lines = [...parts].map(([path, { used }]) => {
    const names = [...used].map(([name, known]) => `${name} as ${known}`);
    return names.length === 0 ? `import"/${path}";` : `export{${names.join(',')}}from"/${path}";`;
  });
  const result = await build({
    ...shared,
    splitting: false,
    write: false,
    metafile: true,
    packages: 'external',
    entryPoints: { [startPath.replace('.mjs', '')]: startPath },
    plugins: [partsOf(outputs, lines.join('\n'))],
  });
  const imports = [...parts.keys()].flatMap((path) => outputs[path]!.imports.filter(({ isLazy }) => isLazy));
  return { ...readOutputs(result)[startPath]!, imports };
}

/** Reads the parts where esbuild left them, with the maps it made for them. */
function partsOf(outputs: Outputs, start: string): Plugin {
  return {
    name: 'parts',
    setup(build) {
      build.onResolve({ filter: /^\.{0,2}\// }, ({ path, kind, importer }) =>
        kind === 'dynamic-import'
          ? { path, external: true }
          : { path: posix.resolve('/', posix.dirname(importer), path), namespace: 'parts' },
      );
      build.onResolve({ filter: /./ }, ({ path, kind }) =>
        kind === 'entry-point' ? { path: `/${path}`, namespace: 'parts' } : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => {
        if (path === `/${startPath}`) return { contents: start, loader: 'js' };
        const { text, map } = outputs[path.slice(1)]!;
        const inline =
          map === undefined
            ? ''
            : `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
        return { contents: text + inline, loader: 'js' };
      });
    },
  };
}
