import { expect, test } from 'vitest';
import { findSharedRepository } from './shared-repository.ts';

const found = (kind: string, repository: string, isEcr = false) => {
  const told: string[] = [];
  const cloud = { region: 'eu-west-1', stackName: 'demo-prod' };
  const scale = { cloud, registry: { kind, repository } } as never;
  return { repository: findSharedRepository({ scale }, isEcr, (text) => told.push(text)), told: told.join('') };
};

test('images of functions go to the repository of ECR that the configuration names', () => {
  const address = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/shared';
  for (const kind of ['dockerhub', 'ecr', 'gcr'])
    expect(found(kind, address)).toEqual({ repository: { name: 'team/shared', address }, told: '' });
  expect(found('ecr', 'team/shared')).toEqual({ repository: { name: 'team/shared' }, told: '' });
  expect(found('dockerhub', 'team/shared', true).repository).toEqual({ name: 'team/shared' });
  expect(found('ecr', '')).toEqual({ repository: undefined, told: '' });
});

test('one of another registry is for another target, and one that functions cannot load from is refused', () => {
  expect(found('dockerhub', 'ada/notes')).toEqual({
    repository: undefined,
    told: 'note: registry.repository is one of dockerhub; images of functions go to demo-prod in ECR\n',
  });
  const refused = (repository: string) => expect(() => found('ecr', repository));
  const elsewhere = '123456789012.dkr.ecr.us-east-1.amazonaws.com/shared';
  refused(elsewhere).toThrow(
    `registry.repository: ${elsewhere} is in us-east-1; functions load images from their own region, eu-west-1`,
  );
  for (const text of ['ghcr.io/ada/notes', 'Ada/Notes', 'shared:latest'])
    refused(text).toThrow(`registry.repository: ${text} is no repository of ECR`);
});
