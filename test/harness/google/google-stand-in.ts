/**
 * A stand-in for Google Cloud on this machine: the services that a deployment asks, with everything in memory. Each request is held to the facts of the
 * discovery documents (`methods.ts`, `schemas.ts`); operations take as many looks as a test says; revisions become ready or do not; policies and
 * services have an `etag`; permissions are given or not; tokens end.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloudRun } from './cloud-run.ts';
import { methodOf } from './methods.ts';
import { others } from './other-services.ts';
import { problemOf } from './schemas.ts';
import { newState, project, Refused, type State } from './state.ts';

export interface GoogleStandIn extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly state: State;
  /** `run services.create` of every request that changes something, when it was carried out. */
  readonly changes: string[];
  /** The same of all requests, with what they said. */
  readonly requests: { readonly line: string; readonly text: string }[];
  /** `services.create` and the body, before anything is done: an answer instead, or what becomes of the connection. */
  intercept: (line: string, body: any) => Fault | undefined | Promise<undefined>;
}

/** `lost`: it is carried out, and its answer gets lost; `gone`: the connection ends before. */
export type Fault =
  | 'lost'
  | 'gone'
  | { readonly status: number; readonly message?: string; readonly retryAfter?: number };

export async function startGoogleStandIn(): Promise<GoogleStandIn> {
  const state = newState();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => response.destroy(error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, 'http://google');
    const text = await textOf(request);
    const reply = (status: number, body: object, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (url.pathname === '/token') return reply(...tokenFor(state, text));
    try {
      const [, service = '', path = ''] = /^\/([a-z]+)\/(.*)$/.exec(url.pathname) ?? [];
      const found = methodOf(service, request.method!, decodeURIComponent(path));
      if (found === undefined) throw new Refused(404, '', `no method for ${request.method} ${url.pathname}`);
      const { method, names } = found;
      const line = method.id;
      stand.requests.push({ line: `${service} ${line}`, text: `${request.url} ${text}` });
      const token = String(request.headers.authorization).replace('Bearer ', '');
      if (!state.tokens.has(token))
        throw new Refused(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
      const body = text === '' ? undefined : JSON.parse(text);
      checkRequest(method, url, body);
      const fault = await stand.intercept(line, body);
      if (fault === 'gone') return response.destroy();
      if (typeof fault === 'object')
        return reply(
          fault.status,
          { error: { code: fault.status, message: fault.message ?? `injected ${fault.status}`, status: 'INJECTED' } },
          fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
        );
      if (service !== 'serviceusage' && state.apisOff.has(service))
        throw new Refused(403, 'PERMISSION_DENIED', `API [${service}.googleapis.com] not enabled`, 'SERVICE_DISABLED');
      if (method.permission !== undefined && state.denied.has(method.permission))
        throw new Refused(
          403,
          'PERMISSION_DENIED',
          `Permission '${method.permission}' denied on resource '//${service}.googleapis.com/${path}' (or it may not exist).`,
        );
      const isChange = request.method !== 'GET' && !/^test$|entries|policy\.get/.test(line);
      const handler = { ...cloudRun, ...others }[`${service} ${line}`];
      if (handler === undefined) throw new Refused(501, '', `the stand-in lacks ${service} ${line}`);
      const result = handler({ state, names, query: url.searchParams, body });
      if (isChange) stand.changes.push(`${service} ${line}`);
      if (fault === 'lost') return response.destroy();
      return reply(200, result);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, code, message, reason } = error;
      const details =
        reason === undefined ? {} : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] };
      return reply(status, { error: { code: status, message, status: code, ...details } });
    }
  };
  // A connection must not end just when it is taken again.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'svc-google-'));
  const credentials = join(folder, 'credentials.json');
  writeFileSync(join(folder, 'subject'), 'canary-subject');
  writeFileSync(credentials, JSON.stringify(workloadCredentials(base, join(folder, 'subject'))));
  const stand: GoogleStandIn = {
    env: environmentOf(base, credentials),
    state,
    changes: [],
    requests: [],
    intercept: () => undefined,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return stand;
}

/** Credentials of a workload: the identity of another service, which is exchanged for a token. */
function workloadCredentials(base: string, subjectFile: string): object {
  return {
    type: 'external_account',
    audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/ci',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${base}/token`,
    credential_source: { file: subjectFile },
  };
}

function environmentOf(base: string, credentials: string) {
  const services = [
    'run',
    'artifactregistry',
    'secretmanager',
    'iam',
    'logging',
    'serviceusage',
    'cloudresourcemanager',
  ];
  return {
    GOOGLE_APPLICATION_CREDENTIALS: credentials,
    GOOGLE_CLOUD_PROJECT: project,
    ...Object.fromEntries(
      services.map((service) => [`CLOUDSDK_API_ENDPOINT_OVERRIDES_${service.toUpperCase()}`, `${base}/${service}/`]),
    ),
  };
}

/** https://datatracker.ietf.org/doc/html/rfc8693 */
function tokenFor(state: State, text: string): [number, object] {
  const asked = new URLSearchParams(text);
  if (asked.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:token-exchange')
    return [400, { error: 'unsupported_grant_type' }];
  if (!state.signsIn) return [400, { error: 'invalid_grant', error_description: 'the subject token has expired' }];
  const token = `canary-token-${++state.tick}`;
  state.tokens.add(token);
  return [
    200,
    {
      access_token: token,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
    },
  ];
}

function checkRequest(
  { query = [], body: type }: { readonly query?: readonly string[]; readonly body?: string },
  url: URL,
  body: unknown,
): void {
  const known = query.map((name) => name.replace('!', ''));
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Refused(
      400,
      'INVALID_ARGUMENT',
      `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter.`,
    );
  const missing = query.find((name) => name.endsWith('!') && !url.searchParams.has(name.replace('!', '')));
  if (missing !== undefined) throw new Refused(400, 'INVALID_ARGUMENT', `${missing} is required`);
  if (type === undefined && body !== undefined) throw new Refused(400, 'INVALID_ARGUMENT', 'this method has no body');
  const problem = type === undefined ? undefined : problemOf(body, type);
  if (problem !== undefined) throw new Refused(400, 'INVALID_ARGUMENT', problem);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
