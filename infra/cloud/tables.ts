/**
 * The tables of a stack, which stay when it goes (docs/server/stores.md#dynamodb, docs/server/cloud.md#resources,
 * docs/server/cloud.md#sockets).
 */
import type { Config } from '../../core/config/config.ts';
import type { Part } from './roles.ts';

export const graphTable = tableOf('graph', {
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  AttributeDefinitions: texts('pk', 'sk'),
  KeySchema: keys('pk', 'sk'),
});

/** The same where its changes are told. */
export const toldGraphTable = {
  ...graphTable,
  Properties: { ...graphTable.Properties, ...stream('NEW_AND_OLD_IMAGES') },
};

/** Subscriptions and topics; who follows it needs new messages only. */
export const liveTable = tableOf('live', {
  AttributeDefinitions: texts('pk', 'sk'),
  KeySchema: keys('pk', 'sk'),
  ...stream('NEW_IMAGE'),
});

export const connectionsTable = tableOf('connections', {
  AttributeDefinitions: texts('cid', 'target', 'user_id'),
  KeySchema: keys('cid'),
  GlobalSecondaryIndexes: [indexOf('by_target', 'target'), indexOf('by_user', 'user_id')],
});

/** Gives what comes before the names of tables: without a prefix of its own, a stack's tables are named after the stack. */
export function tablePrefix({ scale: { database, cloud, orchestrator } }: Config): string {
  return database.dynamodbTablePrefix === `${orchestrator.appName}-`
    ? `${cloud.stackName}-`
    : database.dynamodbTablePrefix;
}

/** Names of the tables that deployments of a configuration may have made, whatever their programs need today. */
export function tableNames(config: Config): string[] {
  return ['graph', 'connections', 'live'].map((name) => `${tablePrefix(config)}${name}`);
}

function stream(StreamViewType: string): Part {
  return { StreamSpecification: { StreamViewType } };
}

function tableOf(name: string, shape: Part): Part & { readonly Properties: Part } {
  return {
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      TableName: `\${self:custom.tables}${name}`,
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      ...shape,
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    },
  };
}

function indexOf(name: string, attribute: string): Part {
  return { IndexName: name, KeySchema: keys(attribute, 'cid'), Projection: { ProjectionType: 'ALL' } };
}

function texts(...names: readonly string[]): Part[] {
  return names.map((name) => ({ AttributeName: name, AttributeType: 'S' }));
}

function keys(hash: string, range?: string): Part[] {
  const key = { AttributeName: hash, KeyType: 'HASH' };
  return range === undefined ? [key] : [key, { AttributeName: range, KeyType: 'RANGE' }];
}
