/** Tables outlive their stack: whose those of a name are, how a later stack takes them over, and their end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamViewType } from '@aws-sdk/client-dynamodb';
import type { Template } from '../../cloud/template.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { AwsError } from './failures.ts';
import { isOwn, type Place } from './place.ts';
import { type LiveStack, requireUnchanged } from './stack.ts';

export const tableType = 'AWS::DynamoDB::Table';

/**
 * Logical names of tables that an earlier stack left behind. `found`, `before`: the stack as it was read, and its template.
 * @throws DeployFailure for tables of others, and for a stack that changes meanwhile: a table that it makes just now has no tags yet
 */
export async function tablesOfBefore(
  place: Place,
  wanted: Template,
  found: LiveStack | undefined,
  before: Template | undefined,
): Promise<string[]> {
  const there: string[] = [];
  for (const [id, { Type, Properties }] of Object.entries(wanted.Resources)) {
    if (Type !== tableType || before?.Resources[id] !== undefined) continue;
    const name = String(Properties['TableName']);
    const owner = await ownerOfTable(place, name);
    if (owner === 'others') {
      await requireUnchanged(place, found);
      throw new DeployFailure('failed', `table ${name} exists and is not managed by svc`, {
        hints: ['dynamodb_table_prefix of [plugins.scale.database] leads around it; svc never touches it'],
      });
    }
    if (owner === 'own') there.push(id);
  }
  return there;
}

export async function ownerOfTable(place: Place, name: string): Promise<'own' | 'others' | undefined> {
  const { dynamo } = place.clients;
  try {
    const { Table } = await dynamo.describeTable({ TableName: name });
    const { Tags } = await dynamo.listTagsOfResource({ ResourceArn: Table!.TableArn });
    return isOwn(Tags, place.app) ? 'own' : 'others';
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/**
 * Opens the streams that a template follows on tables that it takes over: a stack takes a table as it is, and the stream of one that has none
 * has no name (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources.html).
 */
export async function openStreams(place: Place, { Resources }: Template, takesOver: readonly string[]): Promise<void> {
  const { dynamo } = place.clients;
  for (const id of takesOver) {
    const { TableName, StreamSpecification: wanted } = Resources[id]!.Properties as {
      readonly TableName: string;
      readonly StreamSpecification?: { readonly StreamViewType: StreamViewType };
    };
    if (wanted === undefined) continue;
    const { Table } = await dynamo.describeTable({ TableName });
    if (Table?.StreamSpecification?.StreamEnabled === true) continue;
    await dynamo.updateTable({ TableName, StreamSpecification: { StreamEnabled: true, ...wanted } });
    await until(place, async () => (await dynamo.describeTable({ TableName })).Table?.TableStatus === 'ACTIVE');
  }
}

/** Deletes tables and waits until they are gone, so that another deployment can make them anew. */
export async function deleteTables(place: Place, names: readonly string[]): Promise<void> {
  const { clients } = place;
  for (const TableName of names) await clients.dynamo.deleteTable({ TableName }).catch(ifGone);
  for (const TableName of names)
    await until(place, async () => (await clients.dynamo.describeTable({ TableName }).catch(ifGone)) === undefined);
}

/** Asks every second, for five minutes. */
async function until({ signal }: Place, isSo: () => Promise<boolean>): Promise<void> {
  for (let asked = 0; asked < 300; asked++) {
    if (await isSo()) return;
    await sleep(1000, undefined, { signal });
  }
}

function ifGone(error: unknown): undefined {
  if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
  throw error;
}
