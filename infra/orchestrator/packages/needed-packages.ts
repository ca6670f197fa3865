import type { Config } from '../../../core/config/config.ts';
import type { Files } from '../../files.ts';

/**
 * Names of packages that a deployment needs beside ours, which does not bring them along because few programs need them (`peerDependencies` of our
 * package.json): the compiler of TypeScript files, and clients of Amazon's services.
 */
export function neededPackages({ storage, scale }: Config, files: Files): string[] {
  const hasTypeScript = Object.keys(files).some((path) => /(?<!\.d)\.[mc]?tsx?$/.test(path));
  return [
    ...(hasTypeScript ? ['esbuild'] : []),
    ...(storage.storageType === 's3' ? ['@aws-sdk/client-s3'] : []),
    ...(scale.database.store === 'dynamodb' ? ['@aws-sdk/client-dynamodb'] : []),
  ];
}
