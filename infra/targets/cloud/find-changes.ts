/** Comparison of what is wanted with what is there, by the template that the stack was last given and the values of its parameters. Reads only. */
import { createHash } from 'node:crypto';
import type { Config } from '../../../core/config/config.ts';
import { tableNames } from '../../cloud/tables.ts';
import { bucketParameter, imageOf, type Resource, type Template } from '../../cloud/template.ts';
import { differences } from '../differences.ts';
import type { Change, DeployPlan } from '../target.ts';
import { type Archive, bucketState, type PageFile } from './artifacts.ts';
import { requireLimits } from './check-cloud.ts';
import { type FunctionImage, findAddress, type SharedRepository } from './images.ts';
import {
  type ParameterChange,
  parameterChanges,
  readParameters,
  shownParameter,
  type WantedSecrets,
} from './parameters.ts';
import { type Place, repositoryName, shownPlace } from './place.ts';
import { deployPolicy, type Policy, shownPolicy } from './rights.ts';
import { isStillborn, type LiveStack, liveTemplate, readStack, requireFree, shortType } from './stack.ts';
import { tablesOfBefore, tableType } from './tables.ts';

/** An application as it is deployed. */
export interface CloudApp {
  readonly name: string;
  readonly version: string;
  readonly sourceDigest: string;
  readonly stack: string;
  readonly template: Template;
  readonly archives: readonly Archive[];
  /** Files that later versions serve to pages of this one; none for an application without pages. */
  readonly pageFiles: readonly PageFile[];
  /** The functions in one image instead of archives; absent also where only the plan is wanted. */
  readonly image?: FunctionImage | undefined;
  /** Absent: images go to a repository of the stack's own. */
  readonly sharedRepository?: SharedRepository | undefined;
  readonly secrets: WantedSecrets;
}

export interface CloudPlan extends DeployPlan {
  readonly app: CloudApp;
  readonly live: LiveStack | undefined;
  readonly parameters: readonly ParameterChange[];
  /** Logical names of the tables of an earlier stack that are taken over. */
  readonly takesOver: readonly string[];
  readonly policy: Policy;
}

/** Without an account to compare with, everything is created. */
export function planAlone(app: CloudApp, config: Config): CloudPlan {
  const { region, checkRights } = config.scale.cloud;
  requireLimits(app);
  const parameters = parameterChanges([], app.secrets, app);
  const here = { account: '*', partition: '*', region, bucket: 'svc-*', ownsBucket: true, checksRights: checkRights };
  const repository = repositoryName(app.stack);
  const policy = deployPolicy({ ...app, ...here, repository, tables: tableNames(config), before: undefined });
  return {
    ...{ app, live: undefined, parameters, takesOver: [], policy },
    place: `a new stack ${app.stack} in ${region}`,
    changes: [
      ...Object.entries(app.template.Resources).map(([id, one]) => changeOf('create', id, one)),
      ...parameters.map((one) => shownParameter(one, app)),
    ],
    digest: digestOf(app.template),
    rights: shownPolicy(policy),
  };
}

/** @throws DeployFailure for what belongs to others, and for a stack that is busy */
export async function findChanges(place: Place, app: CloudApp): Promise<CloudPlan> {
  requireLimits(app);
  const found = await readStack(place);
  if (found !== undefined) requireFree(found, place);
  const live = found !== undefined && isStillborn(found.state) ? undefined : found;
  const before = live === undefined ? undefined : await liveTemplate(place, live);
  const there = await tablesOfBefore(place, app.template, found, before);
  const parameters = parameterChanges(await readParameters(place), app.secrets, place);
  const bucket = await bucketState(place);
  const needsRepository =
    imageOf(app.template) !== undefined && (await findAddress(place, app.sharedRepository)) === undefined;
  const policy = policyOf(place, app, before);
  return {
    ...{ app, live: found, parameters, takesOver: there, policy },
    place: shownPlace(place),
    changes: [
      ...(bucket === 'absent' ? [{ ...kept(`Bucket ${place.bucket}`), kind: 'create' as const }] : []),
      ...(needsRepository ? [{ ...kept(`Repository ${place.repository}`), kind: 'create' as const }] : []),
      ...resourceChanges(before?.Resources ?? {}, app.template.Resources, there),
      ...parameters.map((one) => shownParameter(one, place)),
    ],
    digest: digestOf(app.template),
    rights: shownPolicy(policy),
  };
}

/** `before`: the template that the stack has now. */
export function policyOf(place: Place, { template }: CloudApp, before: Template | undefined): Policy {
  return deployPolicy({ ...place, region: place.clients.region, template, before });
}

/** Hexadecimal SHA-256 of a template. Secrets are not in it: their digests would tell short ones. */
export function digestOf(template: Template): string {
  return createHash('sha256').update(JSON.stringify(template)).digest('hex');
}

function resourceChanges(
  before: Template['Resources'],
  after: Template['Resources'],
  there: readonly string[],
): Change[] {
  const wanted = Object.entries(after).map(([id, one]) => {
    const old = before[id];
    if (old === undefined) return there.includes(id) ? kept(shownResource(id, one)) : changeOf('create', id, one);
    const fields = differences(old, one);
    if (fields.length === 0) return kept(shownResource(id, one));
    const losesData = fields.some(({ path }) => isNewTable(one, path));
    const isReplaced = losesData || fields.some(({ path }) => path === 'Properties.FunctionName');
    return {
      ...{ fields, object: shownResource(id, one), losesData },
      kind: isReplaced ? ('replace' as const) : ('change' as const),
    };
  });
  const gone = Object.entries(before).filter(([id]) => !(id in after));
  return [
    ...wanted,
    // Connections are nothing that anybody would miss.
    ...gone.map(([id, one]) => ({ ...changeOf('delete', id, one), losesData: id === 'GraphTable' })),
  ];
}

/** Fields of a table that no table can change (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-dynamodb-table.html). */
function isNewTable({ Type }: Resource, path: string): boolean {
  return Type === tableType && /^(Type|Properties\.(TableName|KeySchema))/.test(path);
}

function changeOf(kind: Change['kind'], id: string, resource: Resource): Change {
  return { kind, object: shownResource(id, resource), fields: [], losesData: false };
}

function kept(object: string): Change {
  return { kind: 'keep', object, fields: [], losesData: false };
}

function shownResource(id: string, { Type }: Resource): string {
  return `${shortType(Type)} ${id}`;
}

/** Parameters of a template. */
export function stackParameters({ bucket }: Pick<Place, 'bucket'>, { Parameters }: Template) {
  return Parameters !== undefined ? [{ ParameterKey: bucketParameter, ParameterValue: bucket }] : [];
}
