import { fileTypes } from '../../adapters/files/types.ts';
import { provideRuntime } from '../../adapters/modules/runtime-shim.ts';
import { provideApi } from '../../adapters/typescript/api-module.ts';
import type { Config } from '../../core/config/config.ts';
import { createFileDesk, type FileSettings } from '../../core/files/file-desk.ts';
import { createRuntime, type Runtime, type RuntimeOptions, type RuntimeSettings } from '../../core/memory/runtime.ts';
import type { Turns } from '../../core/memory/turns.ts';
import { setSourceRoot } from '../../core/program/source-path.ts';
import * as members from '../../core/runtime.ts';

/** Names under which generated code finds the runtime. */
export const runtimeNames: readonly string[] = Object.keys(members)
  .filter((name) => name !== 'default')
  .sort();

/** Makes the runtime known to generated modules of this process. */
export function installRuntime(): void {
  provideRuntime(members);
}

/** Makes `svc-scale` known to compiled TypeScript modules of this process; loaded only for programs that have such modules. */
export async function installApi(): Promise<void> {
  provideApi(await import('../../core/typescript.ts'));
}

/** The disk that local file storage is on. */
export interface LocalDisk {
  /** Base of relative paths, where it is not the folder of the project. */
  readonly directory?: string | undefined;
  readonly onUse?: (() => void) | undefined;
}

/** A runtime as the configuration wants it. `config` is asked anew for each unit, so that a reload applies. */
export function openRuntime(
  config: () => Config,
  {
    disk,
    ...options
  }: Omit<RuntimeOptions, 'settings' | 'models' | 'files' | 'aliases' | 'renamedFields'> & {
    readonly disk?: LocalDisk | undefined;
  },
): Runtime {
  const { run, schema, projectDir } = config();
  setSourceRoot(projectDir);
  return createRuntime({
    ...options,
    settings: onceEach(config, settingsOf),
    models: () => config().byllm,
    files: createFileDesk({
      directory: disk?.directory ?? projectDir,
      onLocal: disk?.onUse,
      settings: onceEach(config, fileSettings),
      types: fileTypes,
    }),
    compatibility: {
      compatWarnings: run.compatWarnings,
      connectReturnsList: run.connectReturnsList,
      exitOrder: run.exitOrder,
      forwardNestedReports: run.forwardNestedReports,
      ...options.compatibility,
    },
    aliases: schema.aliases,
    renamedFields: schema.fields,
  });
}

/**
 * The runtimes of two versions of a program over one store, for the time until the old one's calls have ended: each remembers rows of its
 * own, so a row that turns out to have changed is read anew.
 */
export function shareTurns(runtime: Runtime, turns: Turns): Runtime {
  return {
    ...runtime,
    turns: {
      follow: turns.follow,
      take(keys) {
        for (const key of keys) runtime.rows.drop(key);
        return turns.take(keys);
      },
    },
  };
}

/** Works `make` out again only when `ask` gives another object than the last time. */
function onceEach<A extends object, B>(ask: () => A, make: (given: A) => B): () => B {
  let [from, made]: [A | undefined, B | undefined] = [undefined, undefined];
  return () => {
    const now = ask();
    if (now !== from) [from, made] = [now, make(now)];
    return made as B;
  };
}

function settingsOf({ serve, scale }: Config): RuntimeSettings {
  return {
    isolation: serve.isolation,
    onConflict: serve.onConflict,
    conflictMaxAttempts: serve.conflictMaxAttempts,
    conflictBackoffMs: serve.conflictBackoffMs,
    conflictLeaseMs: serve.conflictLeaseMs,
    onDenied: scale.permissions.onDenied,
    traverseRequires: scale.permissions.traverseRequires,
    maxCommitOperations: scale.database.maxCommitOperations,
    nodeMaxBytes: scale.database.nodeMaxBytes,
  };
}

function fileSettings({ storage }: Config): FileSettings {
  const { storageType, basePath, createDirs, s3 } = storage;
  const options = {
    bucket: s3.bucket,
    prefix: s3.prefix,
    region: s3.region,
    endpoint: s3.endpoint,
    access_key_id: s3.accessKeyId,
    secret_access_key: s3.secretAccessKey,
    timeout_ms: s3.timeoutMs,
  };
  return { type: storageType, basePath, createDirs, options };
}
