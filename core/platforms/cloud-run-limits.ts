/**
 * Limits of Cloud Run and of what stands beside it, as they were documented in November 2025. `--emulate cloud_b` holds calls to those of the running
 * service, and a deployment is checked against the others (docs/server/google-cloud.md#limits).
 */
import type { PlatformLimit } from './platform-limit.ts';

const quotas = 'https://cloud.google.com/run/quotas';
const contract = 'https://cloud.google.com/run/docs/container-contract';
const variables = 'https://cloud.google.com/run/docs/configuring/services/environment-variables';
const mebibyte = 1024 * 1024;

export const cloudRunLimits = {
  requestBytes: {
    about: 'Request over HTTP/1, with its head',
    ...{ value: 32 * mebibyte, unit: 'bytes', source: quotas, holds: 'call' },
  },
  responseBytes: {
    about: 'Answer over HTTP/1 that is not streamed',
    ...{ value: 32 * mebibyte, unit: 'bytes', source: quotas, holds: 'server' },
  },
  headerBytes: {
    about: 'All header fields of a request',
    ...{ value: 64 * 1024, unit: 'bytes', holds: 'server' },
    source: 'https://cloud.google.com/load-balancing/docs/quotas#headers',
  },
  targetBytes: {
    about: 'Address of a request: path and query',
    ...{ value: 16 * 1024, unit: 'bytes', holds: 'server' },
    source: 'https://cloud.google.com/load-balancing/docs/quotas#headers',
  },
  concurrency: {
    about: 'Calls and sockets at once in an instance',
    ...{ value: 1000, unit: 'number', holds: 'call' },
    source: 'https://cloud.google.com/run/docs/about-concurrency',
  },
  requestSeconds: {
    about: 'Longest call',
    ...{ value: 3600, unit: 'seconds', holds: 'call' },
    source: 'https://cloud.google.com/run/docs/configuring/request-timeout',
  },
  socketSeconds: {
    about: 'Longest life of a WebSocket: it is a request',
    ...{ value: 3600, unit: 'seconds', holds: 'call' },
    source: 'https://cloud.google.com/run/docs/triggering/websockets',
  },
  startSeconds: {
    about: 'Start until the startup probe answers',
    ...{ value: 240, unit: 'seconds', holds: 'deployment' },
    source: 'https://cloud.google.com/run/docs/configuring/healthchecks',
  },
  stopSeconds: {
    about: 'From SIGTERM to SIGKILL',
    ...{ value: 10, unit: 'seconds', source: contract, holds: 'call' },
  },
  variables: {
    about: 'Variables of a service',
    ...{ value: 1000, unit: 'number', source: variables, holds: 'deployment' },
  },
  variableBytes: {
    about: 'Value of a variable',
    ...{ value: 32 * 1024, unit: 'bytes', source: variables, holds: 'deployment' },
  },
  secretBytes: {
    about: 'Value of a secret',
    ...{ value: 64 * 1024, unit: 'bytes', holds: 'deployment' },
    source: 'https://cloud.google.com/secret-manager/quotas',
  },
  secretName: {
    about: 'Name of a secret',
    ...{ value: 255, unit: 'characters', holds: 'deployment' },
    source: 'https://cloud.google.com/secret-manager/docs/reference/rest/v1/projects.secrets/create',
  },
  serviceName: {
    about: 'Name of a service',
    ...{ value: 49, unit: 'characters', holds: 'deployment' },
    source: 'https://cloud.google.com/run/docs/deploying#images',
  },
  cpu: {
    about: 'Processors of an instance',
    ...{ value: 8, unit: 'number', holds: 'deployment' },
    source: 'https://cloud.google.com/run/docs/configuring/services/cpu',
  },
  memoryBytes: {
    about: 'Memory of an instance',
    ...{ value: 32 * 1024 * mebibyte, unit: 'bytes', holds: 'deployment' },
    source: 'https://cloud.google.com/run/docs/configuring/services/memory-limits',
  },
  minMemoryBytes: {
    about: 'Least memory of an instance',
    ...{ value: 128 * mebibyte, unit: 'bytes', holds: 'deployment' },
    source: 'https://cloud.google.com/run/docs/configuring/services/memory-limits',
  },
} as const satisfies Readonly<Record<string, PlatformLimit>>;
