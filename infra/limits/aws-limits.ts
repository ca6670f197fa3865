/**
 * Limits of AWS, as they were documented in November 2025. `svc start --emulate` holds calls and sockets to those of the gateways and of functions, what
 * runs in functions stays below those of the services it uses, and a deployment is checked against the others (docs/server/cloud.md#limits).
 */
import {
  idleMs,
  lifeMs,
  maxFrameBytes,
  maxGatewayBodyBytes,
  maxGatewayHeadBytes,
  maxItems,
  maxMessageBytes,
  maxMetricValues,
  maxPayloadBytes,
  maxStreamedBytes,
} from '../../core/platforms/aws-limits.ts';
import type { PlatformLimit } from '../../core/platforms/platform-limit.ts';

const megabyte = 1024 * 1024;

/** Pages, below the site of the documentation. */
const lambda = 'lambda/latest/dg/gettingstarted-limits.html';
const streams = 'lambda/latest/dg/services-ddb-params.html';
const filters = 'lambda/latest/dg/invocation-eventfiltering.html';
const gateway = 'apigateway/latest/developerguide/http-api-quotas.html';
const sockets = 'apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html';
const stages = 'apigatewayv2/latest/api-reference/apis-apiid-stages.html';
const dynamo = 'amazondynamodb/latest/developerguide/Constraints.html';
const parameters = 'systems-manager/latest/APIReference/API_PutParameter.html';
const formation = 'AWSCloudFormation/latest/UserGuide/cloudformation-limits.html';
const stackNames = 'AWSCloudFormation/latest/APIReference/API_CreateStack.html';
const identities = 'IAM/latest/UserGuide/reference_iam-quotas.html';
const buckets = 'AmazonS3/latest/userguide/bucketnamingrules.html';
const rules = 'eventbridge/latest/userguide/eb-quota.html';
const metrics = 'AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html';

/** In the order of a row: what, at most, its unit, the page, what holds it. */
type Row = readonly [
  about: string,
  value: number,
  unit: PlatformLimit['unit'],
  source: string,
  holds: PlatformLimit['holds'],
];

export const awsLimits = tableOf({
  // Functions
  payloadBytes: ['Event of a call, as JSON', maxPayloadBytes, 'bytes', lambda, 'call'],
  resultBytes: ['Result of a call, as JSON', maxPayloadBytes, 'bytes', lambda, 'server'],
  streamedBytes: ['Answer of the address that streams', maxStreamedBytes, 'bytes', lambda, 'call'],
  functionSeconds: ['One run of a function', 900, 'seconds', lambda, 'deployment'],
  startSeconds: [
    'Start of an instance until it takes its first event',
    10,
    'seconds',
    'lambda/latest/dg/lambda-runtime-environment.html',
    'server',
  ],
  memoryBytes: ['Memory of a function', 10_240 * megabyte, 'bytes', lambda, 'deployment'],
  minMemoryBytes: ['Least memory of a function', 128 * megabyte, 'bytes', lambda, 'deployment'],
  environmentBytes: ['Variables of a function, names and values', 4096, 'bytes', lambda, 'deployment'],
  unpackedBytes: ['Files of a function in an archive', 250 * megabyte, 'bytes', lambda, 'deployment'],
  directBytes: ['Archive that is uploaded without a bucket', 50 * megabyte, 'bytes', lambda, 'deployment'],
  imageBytes: ['Files of an image', 10_240 * megabyte, 'bytes', lambda, 'deployment'],
  functionName: ['Name of a function', 64, 'characters', 'lambda/latest/api/API_CreateFunction.html', 'deployment'],
  streamRecords: ['Changes of a table in one event', 10_000, 'number', streams, 'deployment'],
  streamAgeSeconds: [
    'Time that a stream keeps changes',
    86_400,
    'seconds',
    'amazondynamodb/latest/developerguide/Streams.html',
    'deployment',
  ],
  streamFilters: ['Filters of a stream', 5, 'number', filters, 'deployment'],
  filterCharacters: ['One such filter', 4096, 'characters', filters, 'deployment'],
  // Gateways
  gatewayBodyBytes: ['Body of a request to an HTTP API', maxGatewayBodyBytes, 'bytes', gateway, 'call'],
  gatewayHeadBytes: ['Line and headers of such a request', maxGatewayHeadBytes, 'bytes', gateway, 'call'],
  gatewaySeconds: ['Wait of an HTTP API for its function', 30, 'seconds', gateway, 'deployment'],
  routes: ['Routes of an API', 300, 'number', gateway, 'deployment'],
  integrations: ['Integrations of an API', 300, 'number', gateway, 'deployment'],
  messageBytes: ['Message of a socket', maxMessageBytes, 'bytes', sockets, 'call'],
  frameBytes: ['Frame of a socket', maxFrameBytes, 'bytes', sockets, 'call'],
  idleSeconds: ['Socket without a frame', idleMs / 1000, 'seconds', sockets, 'call'],
  lifeSeconds: ['Life of a socket', lifeMs / 1000, 'seconds', sockets, 'call'],
  messageSeconds: ['Wait of a WebSocket API for its function', 29, 'seconds', sockets, 'server'],
  stageName: ['Name of a stage', 128, 'characters', stages, 'deployment'],
  // Tables
  itemBytes: ['Item of a table', 400 * 1024, 'bytes', dynamo, 'server'],
  partitionKeyBytes: ['Key of a partition', 2048, 'bytes', dynamo, 'server'],
  transactionItems: ['Items of a transaction', maxItems, 'number', dynamo, 'server'],
  transactionBytes: ['Size of a transaction', 4 * megabyte, 'bytes', dynamo, 'server'],
  batchItems: ['Items of a batch that is read', maxItems, 'number', dynamo, 'server'],
  pageBytes: ['Page of a query', megabyte, 'bytes', dynamo, 'server'],
  tableName: ['Name of a table', 255, 'characters', dynamo, 'deployment'],
  // Secrets
  parameterBytes: ['Parameter of the standard tier', 4096, 'bytes', parameters, 'deployment'],
  parameterName: ['Name of a parameter, with what stands before it', 1011, 'characters', parameters, 'deployment'],
  parameterPage: [
    'Parameters in one answer',
    10,
    'number',
    'systems-manager/latest/APIReference/API_GetParametersByPath.html',
    'server',
  ],
  // Stack and rights
  templateBytes: ['Template in a request', 51_200, 'bytes', formation, 'deployment'],
  resources: ['Resources of a stack', 500, 'number', formation, 'deployment'],
  stackParameters: ['Parameters of a stack', 200, 'number', formation, 'deployment'],
  stackOutputs: ['Outputs of a stack', 200, 'number', formation, 'deployment'],
  stackName: ['Name of a stack', 128, 'characters', stackNames, 'deployment'],
  roleCharacters: ['Policies in a role, without spaces', 10_240, 'characters', identities, 'deployment'],
  policyCharacters: [
    'Policy of who deploys, as one of IAM by itself, without spaces',
    6144,
    'characters',
    identities,
    'deployment',
  ],
  scheduleSeconds: ['Shortest schedule of a function', 60, 'seconds', rules, 'deployment'],
  // Buckets and metrics
  bucketName: ['Name of a bucket', 63, 'characters', buckets, 'deployment'],
  metricValues: ['Values of a metric in one record of the log', maxMetricValues, 'number', metrics, 'server'],
});

function tableOf<Name extends string>(rows: Readonly<Record<Name, Row>>): Readonly<Record<Name, PlatformLimit>> {
  const limits = Object.entries<Row>(rows).map(([name, [about, value, unit, source, holds]]) => [
    name,
    { about, value, unit, source: `https://docs.aws.amazon.com/${source}`, holds },
  ]);
  return Object.fromEntries(limits);
}
