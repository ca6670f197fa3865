/** Secrets of a deployment: encrypted parameters below the stack's name. CloudFormation cannot write these, so the deploying machine does. */
import { randomBytes } from 'node:crypto';
import type { Parameter } from '@aws-sdk/client-ssm';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import type { Change } from '../target.ts';
import { isOwn, type Place, tagsOf } from './place.ts';

export interface WantedSecrets {
  readonly texts: Readonly<Record<string, string>>;
  /** True when `JWT_SECRET` is made unless there is one. */
  readonly makesJwtSecret: boolean;
}

export interface LiveParameter {
  readonly name: string;
  readonly value: string;
  /** False for one that somebody put there by hand. */
  readonly isOwn: boolean;
}

export interface ParameterChange {
  readonly name: string;
  /** Undefined: the parameter goes. */
  readonly to: string | undefined;
  readonly from: string | undefined;
}

export async function readParameters(place: Place): Promise<LiveParameter[]> {
  const { ssm } = place.clients;
  const found: Parameter[] = [];
  let next: string | undefined;
  for (let page = 0; page < 100; page++) {
    const Path = pathOf(place);
    const answer = await ssm.getParametersByPath({ Path, Recursive: false, WithDecryption: true, NextToken: next });
    found.push(...(answer.Parameters ?? []));
    next = answer.NextToken;
    if (next === undefined) break;
  }
  const live: LiveParameter[] = [];
  for (const { Name = '', Value = '' } of found) {
    const { TagList } = await ssm.listTagsForResource({ ResourceType: 'Parameter', ResourceId: Name });
    const name = Name.slice(pathOf(place).length + 1);
    live.push({ name, value: Value, isOwn: isOwn(TagList, place.app) });
  }
  return live;
}

/** @throws DeployFailure for a parameter of others that has another value */
export function parameterChanges(
  live: readonly LiveParameter[],
  { texts, makesJwtSecret }: WantedSecrets,
  place: Pick<Place, 'stack'>,
): ParameterChange[] {
  const present = new Map(live.map((one) => [one.name, one]));
  const wanted = new Map(Object.entries(texts).filter(([, text]) => text !== ''));
  const made = present.get('JWT_SECRET')?.value ?? randomBytes(48).toString('base64url');
  if (makesJwtSecret && !wanted.has('JWT_SECRET')) wanted.set('JWT_SECRET', made);
  const set = [...wanted].flatMap(([name, to]) => {
    const there = present.get(name);
    if (there?.value === to) return [];
    if (there?.isOwn === false)
      throw new DeployFailure(
        'failed',
        `parameter /${place.stack}/${name} has another value and is not managed by svc`,
        {
          hints: ['delete the parameter, or take the secret out of the configuration'],
        },
      );
    return [{ name, to, from: there?.value }];
  });
  const gone = live.filter(({ name, isOwn }) => isOwn && !wanted.has(name));
  return [...set, ...gone.map(({ name, value }) => ({ name, to: undefined, from: value }))];
}

export function shownParameter({ name, to, from }: ParameterChange, { stack }: Pick<Place, 'stack'>): Change {
  const size = (text: string | undefined) => (text === undefined ? undefined : `(${Buffer.byteLength(text)} bytes)`);
  const kind = to === undefined ? 'delete' : from === undefined ? 'create' : 'change';
  const fields = kind === 'change' ? [{ path: 'Value', from: size(from), to: `${size(to)}, another` }] : [];
  return { kind, object: `Parameter /${stack}/${name}`, fields, losesData: false };
}

export async function writeParameters(place: Place, changes: readonly ParameterChange[]): Promise<void> {
  for (const { name, to, from } of changes) if (to !== undefined) await put(place, name, to, from === undefined);
}

/** Puts back what was there before. */
export async function undoParameters(place: Place, changes: readonly ParameterChange[]): Promise<void> {
  for (const { name, to, from } of changes) {
    if (to === undefined) continue;
    if (from === undefined) await place.clients.ssm.deleteParameters({ Names: [fullName(place, name)] });
    else await put(place, name, from, false);
  }
}

export async function deleteParameters(place: Place, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += 10)
    await place.clients.ssm.deleteParameters({
      Names: names.slice(at, at + 10).map((name) => fullName(place, name)),
    });
}

/** The service takes tags with new parameters only. */
async function put(place: Place, name: string, value: string, isNew: boolean): Promise<void> {
  const request = { Name: fullName(place, name), Value: value, Type: 'SecureString' } as const;
  await place.clients.ssm.putParameter({ ...request, ...(isNew ? { Tags: tagsOf(place) } : { Overwrite: true }) });
}

function pathOf({ stack }: Pick<Place, 'stack'>): string {
  return `/${stack}`;
}

function fullName(place: Pick<Place, 'stack'>, name: string): string {
  return `${pathOf(place)}/${name}`;
}
