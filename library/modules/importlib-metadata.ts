/**
 * Module `importlib.metadata`: no package of a program has metadata, and programs that ask for it handle that
 * (docs/language/standard-modules.md#differences).
 */

import { functions, type Members } from '../builtins/module.ts';
import { Dict } from '../values/containers/dict.ts';
import { tuple } from '../values/containers/tuple.ts';
import { ModuleNotFoundError, nameException } from '../values/objects/exceptions.ts';
import { $str } from '../values/objects/protocol.ts';
import { strOf } from '../values/objects/repr.ts';

class PackageNotFoundError extends ModuleNotFoundError {
  override [$str](): string {
    return `No package metadata was found for ${strOf(this.args.items[0])}`;
  }
}
nameException(PackageNotFoundError, 'PackageNotFoundError', 'importlib.metadata');

function notFound(name: unknown): never {
  throw new PackageNotFoundError(name);
}

export function makeImportlibMetadata(): Members {
  return {
    PackageNotFoundError,
    ...functions('importlib.metadata', {
      distribution: ['distribution_name', notFound],
      distributions: ['**kwargs', () => []],
      entry_points: ['**params', () => tuple()],
      files: ['distribution_name', notFound],
      metadata: ['distribution_name', notFound],
      packages_distributions: ['', () => new Dict()],
      requires: ['distribution_name', notFound],
      version: ['distribution_name', notFound],
    }),
  };
}
