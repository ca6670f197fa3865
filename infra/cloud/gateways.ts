/** Gateways before the http function, as osls describes them (docs/guide/deploy/other-functions.md, decisions/0635). */
import type { Needs } from './needs.ts';
import type { Part } from './roles.ts';

export interface Gateway {
  /** Events of the http function. */
  readonly events: readonly Part[];
  /** Settings of the gateway itself, beside those of the provider. */
  readonly provider: Part;
}

/** The gateway that `svc start --scale --target cloud` deploys. */
export const httpApi: Gateway = { events: [{ httpApi: 'ANY /{proxy+}' }, { httpApi: 'ANY /' }], provider: {} };

/** Gateways that `--platform` names. */
export const otherGateways = {
  'aws-v1': {
    events: [{ http: { method: 'any', path: '/{proxy+}' } }, { http: { method: 'any', path: '/' } }],
    // Without this a REST API hands on bodies that are no text with their bytes replaced.
    provider: { endpointType: 'REGIONAL', apiGateway: { binaryMediaTypes: ['*/*'] } },
  },
  alb: {
    events: [
      {
        alb: {
          listenerArn: '${env:ALB_LISTENER_ARN}',
          priority: 1,
          conditions: { path: ['/*'] },
          multiValueHeaders: true,
        },
      },
    ],
    provider: {},
  },
} as const satisfies Readonly<Record<string, Gateway>>;

export type OtherGateway = keyof typeof otherGateways;

/** Behind these the http function takes every call, there is nothing that carries sockets or streams, and nobody puts files into a bucket. */
export function callsOnly(needs: Needs): Needs {
  return { ...needs, hasWebhooks: false, hasSockets: false, hasLive: false, streams: false, hasPages: false };
}
