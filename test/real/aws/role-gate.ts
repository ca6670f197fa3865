/** The way of a function to its tables, connections and parameters, which lets through what the function's role in the deployed template allows and nothing else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Template } from '../../../infra/cloud/template.ts';

/** The right for want of which a request is refused; undefined when it is allowed. */
export function missingRight(needed: readonly string[], allowed: ReadonlySet<string>, without?: string) {
  return needed.find((one) => one === without || !allowed.has(one));
}

export interface RoleGate {
  readonly endpoint: string;
  /** `PutItem on GraphTable`: what the role allows. */
  readonly allowed: ReadonlySet<string>;
  /** Requests of the function by the rights that each needs, every kind once. */
  readonly asked: ReadonlyMap<string, readonly string[]>;
  /** One right that is taken out of the role. */
  without: string | undefined;
  /** Kinds of requests that were refused. */
  readonly refused: ReadonlySet<string>;
  /** Requests wait until it is over. */
  held: Promise<void> | undefined;
  /** Hears of a request before it is let through; true: nobody answers it. */
  meets: ((operation: string, asked: any) => boolean) | undefined;
  close(): void;
}

export interface GateTo {
  /** Address of the tables. */
  readonly dynamo: string;
  /** Address of the interface of connections. */
  readonly management?: string;
  /** Values of parameters by their names. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** `role`: logical name, `HttpRole`. */
export async function openRoleGate(
  { Resources }: Template,
  role: string,
  { dynamo, management = '', parameters = {} }: GateTo,
): Promise<RoleGate> {
  const [policy] = Resources[role]!.Properties['Policies'] as [{ PolicyDocument: { Statement: Statement[] } }];
  const tables = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
  const idOf = new Map(tables.map(([id, { Properties }]) => [String(Properties['TableName']), id]));
  const allowed = new Set(
    policy.PolicyDocument.Statement.flatMap(({ Action, Resource }) => {
      const text = JSON.stringify(Resource);
      if (text.includes(':execute-api:')) return [manages];
      if (text.includes('/index/')) return ['Query on an index of ConnectionsTable'];
      // Streams are read by the service, in the function's name.
      if (text.includes('StreamArn')) return [];
      const of = text.includes(':ssm:') ? pathsIn(text) : tables.map(([id]) => id).filter((id) => text.includes(id));
      return of.flatMap((id) => [Action].flat().map((action) => `${action.split(':')[1]} on ${id}`));
    }),
  );
  const asked = new Map<string, readonly string[]>();
  const refused = new Set<string>();
  const gate: RoleGate = {
    endpoint: '',
    ...{ allowed, asked, refused, without: undefined, held: undefined, meets: undefined },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  /** Decides about a request, and keeps it. */
  const denied = (needed: readonly string[]) => {
    const kind = needed.toSorted().join(', ');
    asked.set(kind, needed);
    const missing = missingRight(needed, allowed, gate.without);
    if (missing !== undefined) refused.add(kind);
    return missing;
  };
  const manage = async ({ method, url }: IncomingMessage, body: Buffer, response: ServerResponse) => {
    if (denied([manages]) !== undefined) {
      return void response
        .writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' })
        .end('{"message":"not authorized"}');
    }
    const answer = await fetch(`${management}${url!.slice(url!.indexOf('/@connections/'))}`, {
      method: method!,
      ...(body.length > 0 ? { body } : {}),
    }).catch(() => undefined);
    // Whoever took it gives no answer.
    if (answer === undefined) return void response.destroy();
    const type = answer.headers.get('x-amzn-errortype');
    response.writeHead(answer.status, type === null ? {} : { 'x-amzn-errortype': type }).end(await answer.text());
  };
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = await buffer(request);
    await gate.held;
    // Of a process that was killed meanwhile.
    if (request.socket.destroyed) return;
    if (request.url!.includes('/@connections/')) return await manage(request, body, response);
    const [service, operation] = String(request.headers['x-amz-target']).split('.') as [string, string];
    const input = JSON.parse(body.toString() || '{}');
    const refuse = (missing: string, type: string) => {
      const error = {
        __type: `${type}#AccessDeniedException`,
        message: `${role} is not authorized to perform: ${missing}`,
      };
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
    };
    if (service === 'AmazonSSM') {
      // Only the path decides, whatever is below it: https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-access.html
      if (denied([`${operation} on ${input.Path}`]) !== undefined)
        return refuse(`ssm:${operation}`, 'com.amazonaws.ssm');
      const below = Object.entries(parameters).filter(([name]) => name.startsWith(`${input.Path}/`));
      return void response.end(JSON.stringify({ Parameters: below.map(([Name, Value]) => ({ Name, Value })) }));
    }
    const where = input.IndexName === undefined ? 'on' : 'on an index of';
    const needed = needs(operation, input).map(([action, table]) => `${action} ${where} ${idOf.get(table) ?? table}`);
    if (gate.meets?.(operation, input) === true) return void response.destroy();
    const missing = denied([...new Set(needed)]);
    if (missing !== undefined) return refuse(`dynamodb:${missing}`, 'com.amazon.coral.service');
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(dynamo, { method: 'POST', headers: headers as Record<string, string>, body });
    const type = answer.headers.get('content-type') ?? 'application/x-amz-json-1.0';
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()));
  });
  // Functions keep their connections, and one that ends while it is taken again would fail their request.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(gate, { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const manages = 'ManageConnections on the API';

/** Paths and patterns of the parameters in a resource, `/demo-prod`. */
function pathsIn(resource: string): string[] {
  return [...resource.matchAll(/:parameter(\/[^"]+)"/g)].map(([, path]) => path!);
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/**
 * Rights of a request, each with its table. Parts of a transaction need the rights of single requests:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
function needs(operation: string, asked: any): [action: string, table: string][] {
  const single: Readonly<Record<string, string>> = {
    ...{ Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem' },
    ...{ ConditionCheck: 'ConditionCheckItem', Get: 'GetItem' },
  };
  if (asked.TransactItems !== undefined)
    return asked.TransactItems.flatMap((item: object) =>
      Object.entries(item).map(([kind, one]) => [single[kind], one.TableName]),
    );
  if (asked.RequestItems !== undefined) return Object.keys(asked.RequestItems).map((table) => [operation, table]);
  return [[operation, asked.TableName]];
}
