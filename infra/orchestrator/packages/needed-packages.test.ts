import { expect, test } from 'vitest';
import { defaultConfig } from '../../../core/config/resolve.ts';
import { neededPackages } from './needed-packages.ts';

const base = defaultConfig();
const files = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, Buffer.from('')]));

test('an ordinary application needs no further package', () => {
  expect(neededPackages(base, files('main.svc', 'types.d.ts'))).toEqual([]);
});

test('TypeScript files, stored files in S3 and DynamoDB need theirs', () => {
  const config = {
    ...base,
    storage: { ...base.storage, storageType: 's3' },
    scale: { ...base.scale, database: { ...base.scale.database, store: 'dynamodb' as const } },
  };
  const names = ['esbuild', '@aws-sdk/client-s3', '@aws-sdk/client-dynamodb'];
  expect(neededPackages(config, files('main.svc', 'src/tax.ts'))).toEqual(names);
});
