/** Checks of the cloud's limits, made before anything is written (docs/server/cloud.md#archives, docs/server/cloud.md#environment). */
import type { Config } from '../../core/config/config.ts';
import { bytesOf, ownVariables, type Variables } from '../../infra/cloud/environment.ts';
import { type Needs, neededFunctions } from '../../infra/cloud/needs.ts';
import { findTooLarge, findTooLargeImage } from '../../infra/cloud/sizes.ts';
import type { Files } from '../../infra/files.ts';
import { awsLimits } from '../../infra/limits/aws-limits.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { FunctionBundle } from './bundle-functions.ts';

/** One image holds all functions. @throws CommandFailure 5 */
export function checkSizes(functions: readonly FunctionBundle[], isImage: boolean): void {
  const sizes = functions.map(({ name, files, packages }) => ({ name, unpackedBytes: sizeOf(files), packages }));
  const found = isImage ? findTooLargeImage(sizes) : findTooLarge(sizes);
  if (found !== undefined) throw new CommandFailure(exitCodes.deployFailed, found.problem, '', found.largest);
}

/** @throws CommandFailure 5 */
export function checkEnvironment(common: Variables, config: Config, needs: Needs): void {
  for (const name of neededFunctions(needs)) {
    const bytes = bytesOf({ ...common, ...ownVariables(name, config, needs) });
    if (bytes <= awsLimits.environmentBytes.value) continue;
    throw new CommandFailure(
      exitCodes.deployFailed,
      `the environment of handler ${name} is ${bytes} bytes, limit ${awsLimits.environmentBytes.value}`,
      '',
      ['long values can be parameters: name them under [plugins.scale.secrets] instead of [plugins.scale.cloud.env]'],
    );
  }
}

function sizeOf(files: Files): number {
  return Object.values(files).reduce((sum, { length }) => sum + length, 0);
}
