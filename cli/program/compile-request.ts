/** Compilations of whole programs: what is asked for, and what is kept of them besides the modules. */
import type { ClientModules } from '../../adapters/client/client-program.ts';
import type { Config } from '../../core/config/config.ts';
import type { Diagnostic } from '../../lang/diagnostics.ts';
import type { KeptFiles } from '../../lang/project/kept-files.ts';
import type { RememberedClient } from './remember-client.ts';

export type GraphForm = 'sync' | 'async';

export interface CompileRequest {
  /** Absolute path of the entry file. */
  readonly file: string;
  readonly config: Pick<Config, 'projectDir' | 'placement' | 'dependencies'> & {
    readonly client: Pick<Config['client'], 'paths' | 'router' | 'vite'>;
  };
  /** `test` takes test annexes and `test` blocks along. */
  readonly purpose: 'run' | 'serve' | 'test';
  /** Labelled entry blocks that run: `__main__` unless another is asked for. */
  readonly entryLabel?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `async` for a store that cannot answer at once (decisions/0001); `sync` when absent. */
  readonly graph?: GraphForm;
  readonly runtimeNames: readonly string[];
  /** Compile for a debugger: modules tell of their statements. */
  readonly debug?: boolean | undefined;
  /** Compile for stories: modules say which statement runs. */
  readonly marks?: boolean | undefined;
  /** Entry blocks of the entry module do not run: a walker runs instead. */
  readonly withoutEntries?: boolean | undefined;
  /** Compile the browser half too, `app`: name of its first component. Absent: the server's alone. */
  readonly client?: { readonly mode: 'development' | 'production'; readonly app: string } | undefined;
  /** Mistakes that keep nothing from running are looked for too, by what `[check]` says; their diagnostics are remembered like others. */
  readonly checks?: Config['check'] | undefined;
  /** They are looked for when `check` of the result is called: what waits for the program need not wait for them. */
  readonly checksLater?: boolean | undefined;
  /** A reload of a process that has loaded other versions: what was compiled before is not used. Different each time. */
  readonly reload?: string;
  /** Digest of the code that a server runs: when only the browser half has changed, nothing is placed on disk. */
  readonly running?: string | undefined;
  /** Files of the version before. */
  readonly kept?: KeptFiles | undefined;
  /** Pages that are open and wait for what was saved. */
  readonly glance?: Glance | undefined;
}

/** Takes the modules of the browser half that were saved before the rest is compiled. */
export interface Glance {
  /** Tells whether a file is wanted: it was saved, or the pages have never had it. */
  wants(path: string): boolean;
  /** Tells whether the server that runs is the one that the pages would ask. Else they wait for the next version of it. */
  suits(asked: AskedServer): boolean;
  /** Resolves when the pages have what they need: the rest of the compilation would keep them waiting. */
  show(modules: ClientModules): Promise<void>;
}

/** Server code as the modules of the browser half that were saved want it. */
export interface AskedServer {
  /** Names of walkers and functions that they ask for. */
  readonly asks: ReadonlySet<string>;
  readonly texts: ServerTexts;
}

/** Text of the server's elements, by the path of their module. */
export type ServerTexts = ReadonlyMap<string, string>;

/** A module as `svc test` looks at it. */
export interface TestedModule {
  /** Path of the generated module in the folder. */
  readonly path: string;
  /** Absolute paths of the files it was written in, annexes too. */
  readonly files: readonly string[];
  readonly hasTests: boolean;
}

/** Facts about a compilation that are remembered besides its modules. */
export interface Notes {
  readonly entryId: string;
  readonly labels: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly modules: readonly TestedModule[];
  /** Parts of the program are TypeScript. */
  readonly hasScripts: boolean;
  readonly client?: RememberedClient | undefined;
  /** See `CompiledApp`. */
  readonly digest?: string;
}
