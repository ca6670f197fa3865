/** One role per function, each with what its function uses and nothing else (docs/server/cloud.md#rights). */
import type { FunctionName, Needs } from './needs.ts';

/** A part of a CloudFormation template. */
export type Part = Readonly<Record<string, unknown>>;

interface Statement extends Part {
  readonly Effect: 'Allow';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Names of functions in the stack: of roles `WsRole`, of functions `<stack>-ws`. */
export const stackNames: Readonly<Record<FunctionName, string>> = {
  http: 'http',
  stream: 'stream',
  webhook: 'webhook',
  websocket: 'ws',
  live: 'live',
  sweeper: 'sweeper',
};

export function roleName(name: FunctionName): string {
  const short = stackNames[name];
  return `${short[0]!.toUpperCase()}${short.slice(1)}Role`;
}

export function makeRole(name: FunctionName, needs: Needs): Part {
  const statements = [
    ...(needs.hasGraphTable ? [graph(name)] : []),
    ...(name === 'sweeper' ? [] : [parameters]),
    ...(needs.hasSockets ? connections(name) : []),
    ...(needs.hasLive ? live(name, needs) : []),
    ...(readsStatic(name, needs) ? [staticFiles] : []),
    logs(name),
  ];
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      },
      Policies: [{ PolicyName: stackNames[name], PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
    },
  };
}

const allow = (Action: string | readonly string[], Resource: unknown): Statement => ({
  Effect: 'Allow',
  Action,
  Resource,
});

/** Tells whether a function answers calls for files of pages. */
export function readsStatic(name: FunctionName, { hasPages }: Needs): boolean {
  return hasPages && (name === 'http' || name === 'stream');
}

const items = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'DescribeTable', 'GetItem', 'PutItem', 'Query'];

/** `reset_graph` looks for what a root owns. The sweeper settles large commits of processes that died, which depends on nothing else. */
function graph(name: FunctionName): Statement {
  const actions = name === 'sweeper' ? items.filter((one) => one !== 'ConditionCheckItem') : [...items, 'Scan'];
  return allow(ofDynamo(...actions, 'UpdateItem'), { 'Fn::GetAtt': ['GraphTable', 'Arn'] });
}

function connections(name: FunctionName): Statement[] {
  const table = { 'Fn::GetAtt': ['ConnectionsTable', 'Arn'] };
  if (name === 'sweeper') return [allow(ofDynamo('DeleteItem', 'DescribeTable', 'Scan'), table), management];
  if (name !== 'websocket' && name !== 'live') return [];
  // Only handshakes make rows and only messages change them, and both come to one function.
  const rows = name === 'websocket' ? ['PutItem', 'UpdateItem'] : [];
  return [
    allow(ofDynamo('DeleteItem', 'DescribeTable', 'GetItem', ...rows), table),
    allow('dynamodb:Query', { 'Fn::Sub': '${ConnectionsTable.Arn}/index/*' }),
    management,
  ];
}

/** Whoever may publish counts and keeps messages; who has connections also keeps what they asked for. */
function live(name: FunctionName, { hasGraphTable }: Needs): Statement[] {
  const table = { 'Fn::GetAtt': ['LiveTable', 'Arn'] };
  if (name === 'sweeper') return [];
  if (name !== 'websocket' && name !== 'live')
    return [allow(ofDynamo('BatchGetItem', 'DescribeTable', 'PutItem'), table)];
  const all = allow(ofDynamo(...items, 'UpdateItem'), table);
  if (name === 'websocket') return [all];
  const streams = [...(hasGraphTable ? ['GraphTable'] : []), 'LiveTable'].map((of) => ({
    'Fn::GetAtt': [of, 'StreamArn'],
  }));
  return [all, allow(ofDynamo('DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'), streams)];
}

/** Folder of the bucket, below the stack's name, with the files of pages. */
export const staticFolder = 'static';

// Nothing may be listed: asking for a file that is not there is refused.
const staticFiles = allow('s3:GetObject', {
  'Fn::Sub': `arn:\${AWS::Partition}:s3:::\${self:custom.bucket}/\${self:custom.stack}/${staticFolder}/*`,
});

// Whoever may ask for a path is given all that is below it: https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-access.html
const parameters = allow('ssm:GetParametersByPath', {
  'Fn::Sub': 'arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/${self:custom.stack}',
});

const management = allow('execute-api:ManageConnections', {
  'Fn::Sub':
    'arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${WebsocketsApi}/${self:provider.stage}/*',
});

function logs(name: FunctionName): Statement {
  const group = `/aws/lambda/\${self:custom.stack}-${stackNames[name]}`;
  return allow(['logs:CreateLogStream', 'logs:PutLogEvents'], {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:${group}:*`,
  });
}

function ofDynamo(...actions: readonly string[]): string[] {
  return actions.map((action) => `dynamodb:${action}`);
}
