/**
 * Modules `importlib` and `importlib.util`. Programs are compiled with the modules they import, so a name finds a standard module or one of the
 * program that the importing module imports somewhere (docs/language/imports.md#modules-by-name).
 */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { hasModule, std } from '../registry.ts';
import { native } from '../values/calls/signature.ts';
import type { Dict } from '../values/containers/dict.ts';
import { asModule, lookup } from '../values/objects/attributes.ts';
import { ImportError, ModuleNotFoundError, NotImplementedError, TypeError } from '../values/objects/exceptions.ts';
import { $repr } from '../values/objects/protocol.ts';
import { reprOf } from '../values/objects/repr.ts';
import { requireText } from '../values/text/text-arguments.ts';

/** `..sub` seen from the package that is named as well. */
function absolute(given: unknown, from: unknown): string {
  const name = requireText(given, 'import_module() argument 1');
  if (!name.startsWith('.')) return name;
  if ((from ?? null) === null)
    throw new TypeError(`the 'package' argument is required to perform a relative import for ${reprOf(name)}`);
  const level = /^\.+/.exec(name)![0].length;
  const parts = requireText(from, 'import_module() argument 2').split('.');
  if (level > parts.length) throw new ImportError('attempted relative import beyond top-level package');
  return [...parts.slice(0, parts.length - level + 1), name.slice(level)].filter((part) => part !== '').join('.');
}

const advice =
  'Modules of a program are known when it is compiled: import the module somewhere in the file that asks for it by its name.';

/** The module of the name: a standard one, or one of `known`, which the importing module has. @throws ModuleNotFoundError */
function find(name: string, known: Dict | undefined): unknown {
  if (hasModule(name)) return std(name);
  const own = known?.get(name) ?? below(name, known);
  if (own !== undefined) return asModule(own as object, name);
  const error: any = new ModuleNotFoundError(`No module named ${reprOf(name)}`);
  throw Object.assign(error, { name, __notes__: [advice] });
}

// `import a.b` binds `a`, which has `b`.
function below(name: string, known: Dict | undefined): unknown {
  const [first, ...rest] = name.split('.');
  return rest.reduce<any>((at, part) => (at === undefined ? at : lookup(at, part)), known?.get(first));
}

const importer = (known: Dict | undefined) =>
  native('import_module', 'name, package=None', (name: unknown, from: unknown) => find(absolute(name, from), known));

class ModuleSpec {
  readonly name: string;
  readonly origin = null;
  readonly submodule_search_locations = null;

  constructor(name: string) {
    this.name = name;
  }

  [$repr](): string {
    return `ModuleSpec(name=${reprOf(this.name)}, loader=None)`;
  }
}
nativeClass(ModuleSpec, { name: 'ModuleSpec', module: 'importlib.machinery' });

function findSpec(given: unknown, from: unknown): unknown {
  const name = absolute(given, from);
  return hasModule(name) ? new ModuleSpec(name) : null;
}

function reload(): never {
  throw new NotImplementedError('modules are not loaded again: start the program anew, or use `svc start --dev`');
}

function fromFile(): never {
  throw new NotImplementedError('modules are compiled with the program: import the file by its name');
}

export function makeImportlib(): Members {
  return {
    import_module: importer(undefined),
    $importer: importer,
    get util() {
      return std('importlib.util');
    },
    ...functions('importlib', {
      invalidate_caches: ['', () => null],
      reload: ['module', reload],
    }),
  };
}

export function makeImportlibUtil(): Members {
  return functions('importlib.util', {
    find_spec: ['name, package=None', findSpec],
    module_from_spec: ['spec', fromFile],
    spec_from_file_location: ['name, location=None', fromFile],
  });
}
