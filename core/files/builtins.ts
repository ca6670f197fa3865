/** The ambient names `store` and `StorageFactory` (server.md 16.1). */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { builtin } from '../../library/values/calls/builtin.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { TypeError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { requireText } from '../../library/values/text/text-arguments.ts';
import { currentContext } from '../memory/context.ts';
import { registerStorage } from './file-desk.ts';

/** The configured storage; with a directory of its own when one is given (interface.md 2.6). */
export const store = builtin('store', (basePath?: unknown, createDirs?: unknown) => {
  const { files } = currentContext().runtime;
  const given = Object.entries({ base_path: basePath, create_dirs: createDirs }).filter(([, value]) => value != null);
  return given.length === 0 ? files.shared() : files.elsewhere(Dict.from(given));
});

export class StorageFactory {}
nativeClass(StorageFactory, {
  name: 'StorageFactory',
  make: () => {
    throw new TypeError('StorageFactory has no instances: use StorageFactory.create(type, config)');
  },
  statics: {
    create: [
      'type, config=None',
      (type, config) => currentContext().runtime.files.create(requireText(type), dictOf(config)),
    ],
    get_default: ['', () => currentContext().runtime.files.shared()],
    register: [
      'type, factory',
      (type, factory) => {
        registerStorage(requireText(type), factory);
        return null;
      },
    ],
  },
});

function dictOf(config: unknown): Dict {
  if (config === undefined || config === null) return new Dict();
  if (config instanceof Dict) return config;
  throw new TypeError(`config must be a dict, not '${typeName(config)}'`);
}

export const fileBuiltins = { store, StorageFactory };
