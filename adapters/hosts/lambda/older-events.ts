/**
 * Events of REST APIs of API Gateway (payload format 1.0) and of load balancers become events of format 2.0, and results go back in the form that
 * these read (docs/guide/deploy/other-functions.md, decisions/0635).
 */
import type {
  ALBEvent,
  ALBResult,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import { Failure } from '../../../core/errors.ts';
import type { App } from '../../../handlers/app.ts';
import { lastForwarded } from '../web/last-forwarded.ts';
import { maxBalancerBytes } from './limits.ts';
import { toResult } from './to-result.ts';

export type OlderEvent = APIGatewayProxyEvent | ALBEvent;
export type OlderResult = APIGatewayProxyResult | ALBResult;

export function toHttpEvent(event: OlderEvent): APIGatewayProxyEventV2 {
  const { httpMethod: method, path, body } = event;
  const { cookie, ...headers } = joinedHeaders(event);
  const sourceIp = isBalancer(event)
    ? lastForwarded(headers['x-forwarded-for'])
    : event.requestContext.identity.sourceIp;
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: queryOf(event),
    headers,
    ...(cookie === undefined ? {} : { cookies: [cookie] }),
    requestContext: { ...unusedContext, http },
    ...(body === null || body === '' ? {} : { body }),
    isBase64Encoded: event.isBase64Encoded,
  };
}

function isBalancer(event: OlderEvent): event is ALBEvent {
  return 'elb' in event.requestContext;
}

/** In lower case, repeated ones joined. An event has all values of a header, or the last one alone when it holds no others. */
function joinedHeaders({ headers, multiValueHeaders }: OlderEvent): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [given, one] of Object.entries(multiValueHeaders ?? headers ?? {})) {
    if (one === undefined) continue;
    const name = given.toLowerCase();
    joined[name] = typeof one === 'string' ? one : one.join(name === 'cookie' ? '; ' : ', ');
  }
  return joined;
}

/** The query as it may have been sent. A REST API decodes names and values, a load balancer leaves them as they are. */
function queryOf(event: OlderEvent): string {
  const { queryStringParameters, multiValueQueryStringParameters } = event;
  const encode = isBalancer(event) ? (text: string) => text : encodeURIComponent;
  return Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {})
    .flatMap(([name, values = '']) => [values].flat().map((value) => `${encode(name)}=${encode(value)}`))
    .join('&');
}

/** Parts of the context that no application is told of. */
const unusedContext = {
  ...{ accountId: '', apiId: '', domainName: '', domainPrefix: '', requestId: '', routeKey: '$default' },
  ...{ stage: '$default', time: '', timeEpoch: 0 },
};

/** The result in the form that the front of the function reads; one that a load balancer would drop is replaced by one that says so. */
export function olderAnswer(app: App, event: OlderEvent, result: APIGatewayProxyStructuredResultV2): OlderResult {
  const made = olderResult(event, result);
  if (!isBalancer(event) || Buffer.byteLength(JSON.stringify(made)) <= maxBalancerBytes) return made;
  const failure = new Failure('EXECUTION_ERROR', `The answer is larger than ${maxBalancerBytes} bytes.`);
  const { status, headers, body } = app.refuse(failure);
  return olderResult(event, toResult({ status, headers }, body as string));
}

/** Cookies need a list of values. A load balancer reads either lists or single values, as it wrote the headers of its event. */
function olderResult(event: OlderEvent, result: APIGatewayProxyStructuredResultV2): OlderResult {
  const { statusCode = 200, headers: all = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const headers = all as Record<string, string>;
  const lists = cookies.length > 0 ? { 'Set-Cookie': cookies } : {};
  const answered = { statusCode, body, isBase64Encoded };
  if (!isBalancer(event)) return { ...answered, headers, multiValueHeaders: lists };
  if (event.multiValueHeaders !== undefined) {
    const each = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    return { ...answered, multiValueHeaders: { ...each, ...lists } };
  }
  return { ...answered, headers: { ...headers, ...(cookies.length > 0 ? { 'Set-Cookie': cookies.at(-1)! } : {}) } };
}
