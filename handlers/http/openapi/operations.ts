import type { ServedTarget } from '../../served-targets.ts';
import { socketPaths } from '../../socket/socket-paths.ts';
import { answerParts } from './answers.ts';
import { senderScheme } from './common.ts';
import { type Claim, fieldsOf, type Method, nodeInPath, requestBody, requestParts } from './request.ts';
import type { Schema } from './schema-forms.ts';
import type { SchemaBook } from './schemas.ts';
import { mentions } from './types.ts';

/** An operation with the place it belongs to. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Readonly<Record<string, unknown>>;
}

/** Operations of one served target (docs/server/api-docs.md#document); none for sockets. */
export function targetOperations(
  target: ServedTarget,
  book: SchemaBook,
  claim: Claim,
  isLive: boolean,
): PlacedOperation[] {
  if (target.rest.protocol === 'WEBSOCKET') return [];
  const body = once(() => requestBody(target, book, claim));
  return target.methods.flatMap((method) => methodOperations(target, method, book, body, isLive));
}

function methodOperations(
  target: ServedTarget,
  method: Method,
  book: SchemaBook,
  body: () => Schema | undefined,
  isLive: boolean,
): PlacedOperation[] {
  const id = operationId(target, method);
  const request = requestParts(target, method, book, body);
  const live = isLive ? followedAs(target) : {};
  const shared = { ...commonParts(target), ...live, ...request, ...answerParts(target, book, false) };
  const place = { path: target.path, method: method.toLowerCase() };
  const first = { ...place, operation: { operationId: id, ...shared } };
  if (target.kind !== 'walker' || target.path !== `/walker/${target.name}`) return [first];
  const parameters = [nodeInPath, ...((request['parameters'] as unknown[] | undefined) ?? [])];
  const onNode = { ...shared, parameters, ...answerParts(target, book, true) };
  return [first, { ...place, path: `${target.path}/{nd}`, operation: { operationId: `${id}_node`, ...onNode } }];
}

/** The message a socket takes, for `x-svc-websockets`. */
export function socketDescription(target: ServedTarget, book: SchemaBook, claim: Claim): Schema {
  const { summary, description } = textsOf(target);
  return {
    target: target.name,
    kind: target.kind,
    path: socketPaths(target)[0],
    summary,
    ...(description !== undefined && { description }),
    access: target.access,
    broadcast: target.rest.broadcast,
    message: book.add(claim(`${target.name}Message`), book.members(fieldsOf(target))),
  };
}

function operationId(target: ServedTarget, method: Method): string {
  return target.rest.protocol === 'WEBHOOK'
    ? `webhook_${target.name}`
    : `${target.kind}_${target.name}_${method.toLowerCase()}`;
}

function commonParts(target: ServedTarget): Record<string, unknown> {
  const tag = target.rest.protocol === 'WEBHOOK' ? 'Webhooks' : target.kind === 'walker' ? 'Walkers' : 'Functions';
  return {
    tags: [tag],
    ...textsOf(target),
    ...(/^\s*Deprecated:/m.test(target.doc) && { deprecated: true }),
    security: securityOf(target),
    ...(target.rest.protocol === 'HTTP' && { 'x-svc-api-key': true }),
    ...(target.rest.verify !== '' && { 'x-svc-verify': target.rest.verify }),
  };
}

/** The member of a frame `subscribe` that names it; empty for what takes files, which no frame can carry. */
function followedAs({ kind, name, rest, fields }: ServedTarget): Schema {
  const takesFiles = fields.some(({ type }) => mentions(type, ({ t }) => t === 'UploadFile'));
  return rest.protocol !== 'HTTP' || takesFiles ? {} : { 'x-svc-live': { [kind]: name } };
}

function textsOf(target: ServedTarget): { readonly summary: string; readonly description?: string } {
  const doc = target.doc.trim();
  return { summary: doc.split('\n')[0]?.trim() || target.name, ...(doc !== '' && { description: doc }) };
}

function securityOf({ rest, isPublic }: ServedTarget): unknown[] {
  if (rest.verify === 'none') return [];
  if (rest.verify !== '') return [{ [senderScheme(rest.verify)]: [] }];
  if (rest.protocol === 'WEBHOOK') return [{ ApiKeyAuth: [], WebhookSignature: [] }];
  return isPublic ? [] : [{ BearerAuth: [] }];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
