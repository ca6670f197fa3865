/** Runs program text for tests of the emitter: compiles it, runs it on the real runtime, gives its output. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import { createRuntime } from '../../core/memory/runtime.ts';
import type { GraphStore } from '../../core/memory/store.ts';
import { runUnit } from '../../core/memory/unit.ts';
import { openVolatileStore } from '../../core/memory/volatile-store.ts';
import * as runtime from '../../core/runtime.ts';
import { setOutput } from '../../library/builtins/output.ts';
import { b } from '../../library/builtins/table.ts';
import { std } from '../../library/registry.ts';
import { signatures } from '../../library/signatures/signatures.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { compileProject } from '../compile.ts';
import type { CompileOptions } from '../phases.ts';
import { filesInMemory } from '../project/files.ts';
import { readProject } from '../project.ts';

export interface Ran {
  readonly output: string;
  /** `Name: message` of an uncaught exception. */
  readonly error: string | undefined;
  readonly stack: string | undefined;
  /** Generated code of the entry module. */
  readonly code: string;
  readonly diagnostics: readonly string[];
  /** The entry module's namespace. */
  readonly module: any;
  /** Runs something in a session of its own on the same store, where nothing is in memory. */
  readonly fresh: <T>(work: () => T | Promise<T>) => Promise<T>;
}

/** Options besides the defaults: synchronous graph, `__main__` blocks run. `slowStore`: every read gives a promise. */
export type RunOptions = Partial<Omit<CompileOptions, 'runtime' | 'signatures' | 'target'>> & {
  readonly slowStore?: boolean;
};

const shared = Symbol.for('svc.runtime');

/** Compiles without running: code and map per module, diagnostics as `CODE text`. */
export function compileFiles(files: string | Readonly<Record<string, string>>, options: RunOptions = {}) {
  const texts = typeof files === 'string' ? { 'main.svc': files } : files;
  const project = readProject(Object.keys(texts)[0]!, filesInMemory(texts), { tests: true });
  return compileProject(project, {
    target: 'server',
    signatures,
    graph: 'sync',
    runtime: '#runtime',
    entryLabel: '__main__',
    ...options,
  });
}

/** Runs a program given as text of its entry, or as files with the entry first. */
export async function run(files: string | Readonly<Record<string, string>>, options: RunOptions = {}): Promise<Ran> {
  const compiled = compileFiles(files, options);
  if (compiled.modules.length === 0)
    throw new Error(compiled.diagnostics.map((one) => `${one.code} ${one.message}`).join('\n'));
  const folder = mkdtempSync(join(tmpdir(), 'svc-emit-'));
  let output = '';
  const before = setOutput({ out: (text) => void (output += text), err: () => {} });
  const made = createRuntime({
    store: options.slowStore === true ? slow(openVolatileStore()) : openVolatileStore(),
    sharedIsOwn: true,
    echo: (value) => void (output += `${strOf(value)}\n`),
  });
  const caller = { rootId: SYSTEM_ROOT_ID, userId: null, kind: 'system' } as const;
  const fresh = async <T>(work: () => T | Promise<T>): Promise<T> => runUnit(made, caller, work);
  let module: any;
  let error: string | undefined;
  let stack: string | undefined;
  try {
    writeShim(folder);
    for (const one of compiled.modules) {
      const path = join(folder, one.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, one.output.code);
    }
    const entry = pathToFileURL(join(folder, compiled.modules[0]!.path)).href;
    module = await fresh(() => import(/* @vite-ignore */ entry));
  } catch (e) {
    const caught = runtime.caught(e);
    error = `${caught.name}: ${caught.message}`;
    stack = caught.stack;
  } finally {
    setOutput(before);
    rmSync(folder, { recursive: true, force: true });
  }
  const diagnostics = compiled.diagnostics.map((one) => `${one.code} ${one.message}`);
  return { output, error, stack, code: compiled.modules[0]?.output.code ?? '', diagnostics, module, fresh };
}

/** The lines a program prints; an uncaught exception fails. */
export async function lines(
  files: string | Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<string[]> {
  const ran = await run(files, options);
  if (ran.error !== undefined) throw new Error(`${ran.error}\n${ran.output}\n${ran.code}`);
  return ran.output.split('\n').slice(0, -1);
}

const reads = new Set<PropertyKey>([
  'nodes',
  'nodesByUid',
  'edges',
  'edgeByUid',
  'neighbours',
  'roots',
  'ownedBy',
  'validate',
]);

function slow(store: GraphStore): GraphStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'isSync') return false;
      const member = (target as any)[name];
      return reads.has(name) ? async (...args: unknown[]) => member.apply(target, args) : member;
    },
  });
}

// Generated modules are loaded by Node itself; they meet the runtime of the test through a global.
function writeShim(folder: string): void {
  const members: Record<string, unknown> = { ...runtime, b, std };
  (globalThis as any)[shared] = members;
  const names = Object.keys(members).filter((name) => name !== 'default');
  const exports = names.map((name) =>
    `export const ${name} = R[${JSON.stringify(name)}];`.replace(/const (\w+) = /, (_, word) => `const $${word} = `),
  );
  const list = names.map((name) => `$${name} as ${name}`).join(', ');
  const text = `const R = globalThis[Symbol.for('svc.runtime')];\n${exports.map((line) => line.replace('export ', '')).join('\n')}\nexport { ${list} };\n`;
  writeFileSync(join(folder, 'runtime.mjs'), text);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', imports: { '#runtime': './runtime.mjs' } }),
  );
}
