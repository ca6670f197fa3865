import type { Config } from '../../core/config/config.ts';
import type { SharedRepository } from '../../infra/targets/cloud/images.ts';
import { repositoryName } from '../../infra/targets/cloud/place.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * Repository of ECR that `registry.repository` names, by its address, or by its name where `registry.kind` or `--registry` says `ecr`. That of another
 * registry is one for `--target orchestrator`, which is told. @throws CommandFailure
 */
export function findSharedRepository(
  { scale }: Pick<Config, 'scale'>,
  isEcr: boolean,
  tell: (text: string) => void,
): SharedRepository | undefined {
  const { kind, repository: text } = scale.registry;
  if (text === '') return undefined;
  const [, region, name] = /^\d{12}\.dkr\.ecr\.([\w-]+)\.amazonaws\.com(?:\.cn)?\/(.+)$/.exec(text) ?? [];
  const isOfEcr = isEcr || kind === 'ecr';
  if (region !== undefined && region !== scale.cloud.region)
    throw invalid(`${text} is in ${region}; functions load images from their own region, ${scale.cloud.region}`);
  if (region !== undefined) return { name: name!, address: text };
  if (isOfEcr && /^[a-z0-9]+([._/-][a-z0-9]+)*$/.test(text) && !/^[^/]*\.[^/]*\//.test(text)) return { name: text };
  if (isOfEcr) throw invalid(`${text} is no repository of ECR`);
  tell(
    `note: registry.repository is one of ${kind}; images of functions go to ${repositoryName(scale.cloud.stackName)} in ECR\n`,
  );
  return undefined;
}

function invalid(why: string): CommandFailure {
  return new CommandFailure(exitCodes.invalid, 'registry.repository', why);
}
