/** `store()` and `StorageFactory` (docs/server/files.md#storages): which storages there are, and the one that is configured. */
import { basename, resolve } from 'node:path';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { textPath } from '../../library/modules/pathlib/paths.ts';
import { call } from '../../library/values/calls/calls.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { truth } from '../../library/values/objects/truth.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { Storage } from './file-storage.ts';
import { openLocalStorage } from './local/local-storage.ts';
import type { FileStorage } from './storage.ts';

export interface FileSettings {
  readonly type: string;
  readonly basePath: string;
  readonly createDirs: boolean;
  /** Options of the type, by the names a program gives them in. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Opens a storage of a type that is not in this machine. `options`: configured ones, overridden by what the program gave. */
export type OpenFiles = (options: Readonly<Record<string, unknown>>) => MaybePromise<FileStorage>;

export interface FileDesk {
  /** The configured storage, the same object each time. */
  shared(): unknown;
  /** @throws ValueError for a type nobody knows */
  create(type: string, config: Dict): unknown;
  /** The configured type with another directory. */
  elsewhere(config: Dict): unknown;
  /**
   * Lists the types of storage that can be created: those of the system, then those the program has registered so far.
   */
  types(): readonly string[];
}

export interface FileDeskOptions {
  /** Base of relative directories: the application's directory. */
  readonly directory: string;
  readonly settings: () => FileSettings;
  /** Called each time a storage of this machine is made. */
  readonly onLocal?: (() => void) | undefined;
  /** Types besides `local`. */
  readonly types?: Readonly<Record<string, OpenFiles>>;
}

/** Types that programs have added, for the process: they register while their modules are loaded. */
const registered = new Map<string, unknown>();

export function registerStorage(type: string, factory: unknown): void {
  if (typeof factory !== 'function') throw new TypeError(`factory must be callable, not '${typeName(factory)}'`);
  registered.set(type, factory);
}

export function createFileDesk({ directory, settings, onLocal, types = {} }: FileDeskOptions): FileDesk {
  let made: { readonly by: unknown; readonly storage: unknown } | undefined;
  const desk: FileDesk = {
    shared() {
      const { type } = settings();
      const by = registered.get(type);
      // A program that is loaded anew registers anew.
      if (made === undefined || made.by !== by) made = { by, storage: desk.create(type, new Dict()) };
      return made.storage;
    },
    create(type, config) {
      const given = settings();
      const basePath = config.has('base_path') ? textPath(config.get('base_path')) : given.basePath;
      const createDirs = config.has('create_dirs') ? truth(config.get('create_dirs')) : given.createDirs;
      const factory = registered.get(type);
      if (factory !== undefined) {
        const whole = Dict.from([['base_path', basePath], ['create_dirs', createDirs], ...config.entries()] as const);
        return call(factory, whole);
      }
      if (type === 'local') {
        onLocal?.();
        const path = resolve(directory, basePath);
        return new Storage(basename(path), () => openLocalStorage({ directory: path, shown: basePath, createDirs }));
      }
      const open = Object.hasOwn(types, type) ? types[type] : undefined;
      if (open === undefined) throw new ValueError(`Unknown storage type: ${type}`);
      const options = { ...given.options, ...Object.fromEntries(config.entries()) };
      return new Storage(type, () => open(options));
    },
    elsewhere: (config) => desk.create(settings().type, config),
    types: () => [...new Set(['local', ...Object.keys(types), ...registered.keys()])],
  };
  return desk;
}

/** Makes the desk that the environment configures: for programs that run outside `svc`. */
export function environmentFiles(env: Readonly<Record<string, string | undefined>>, directory: string): FileDesk {
  return createFileDesk({
    directory,
    settings: () => ({
      type: env['SVC_STORAGE_TYPE'] || 'local',
      basePath: env['SVC_STORAGE_PATH'] || './storage',
      createDirs: env['SVC_STORAGE_CREATE_DIRS'] !== 'false',
      options: {},
    }),
  });
}
