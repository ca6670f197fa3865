/** The event an HTTP API, or a function's own address, makes of a request (payload format 2.0), with every field that format has. */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isText } from '../lambda/to-result.ts';
import type { LocalCall } from '../local/local-call.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export function httpEvent(call: LocalCall, body: Uint8Array | undefined, routeKey: string): APIGatewayProxyEventV2 {
  const { method, path, query, peer } = call;
  const { headers, cookies } = readHeaders(call);
  const { apiId, domainName } = routeKey === functionRoute ? functionNames : gatewayNames;
  headers['x-forwarded-for'] = 'x-forwarded-for' in headers ? `${headers['x-forwarded-for']}, ${peer}` : peer;
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: 'anonymous',
      apiId,
      domainName,
      domainPrefix: apiId,
      http: {
        method,
        path,
        protocol: `HTTP/${call.request.httpVersion}`,
        sourceIp: peer,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: requestId(),
      routeKey,
      stage: '$default',
      time: clockText(),
      timeEpoch: Date.now(),
    },
    isBase64Encoded: false,
  };
  if (cookies !== undefined) event.cookies = cookies;
  if (query !== '') event.queryStringParameters = joinedQuery(query);
  if (routeKey === webhookRoute) event.pathParameters = { name: path.slice(path.indexOf('/', 1) + 1) };
  else if (routeKey === defaultRoute && path !== '/') event.pathParameters = { proxy: path.slice(1) };
  if (body !== undefined && body.length > 0) putBody(event, body);
  return event;
}

export const webhookRoute = 'POST /webhook/{name}';
export const defaultRoute = 'ANY /{proxy+}';

/** Route of an address that a function has without a gateway, whose events have the same format. */
export const functionRoute = '$default';

export const functionNames = { apiId: 'emulated', domainName: 'emulated.lambda-url.localhost' } as const;
export const gatewayNames = { apiId: 'emulated', domainName: 'emulated.execute-api.localhost' } as const;

/** Headers that belong to one connection are not passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
]);

function readHeaders({ request }: LocalCall) {
  const { rawHeaders } = request;
  const headers: Record<string, string> = {};
  let cookies: string[] | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = rawHeaders[i + 1]!;
    if (hopByHop.has(name)) continue;
    if (name === 'cookie') (cookies ??= []).push(...value.split(/;\s*/));
    else headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  return { headers, cookies };
}

/** Decoded, with repeated names joined by commas. */
function joinedQuery(query: string): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    joined[name] = name in joined ? `${joined[name]},${value}` : value;
  }
  return joined;
}

/** Text as text; what is compressed, of another type or no UTF-8 in base64. */
function putBody(event: APIGatewayProxyEventV2, body: Uint8Array): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isPlain = event.headers['content-encoding'] === undefined && isText(event.headers['content-type']);
  event.isBase64Encoded = !(isPlain && isUtf8(bytes));
  event.body = bytes.toString(event.isBase64Encoded ? 'base64' : 'utf8');
}

const idPrefix = randomBytes(6).toString('base64url');
let requests = 0;

/** Looks like the gateway's, and is different for each request. */
export function requestId(): string {
  return `${idPrefix}${(++requests).toString(36).padStart(7, '0')}=`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let known = { second: 0, text: '' };

/** `12/Mar/2020:19:03:58 +0000`; the same text for a whole second. */
export function clockText(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== known.second) {
    const date = new Date(now);
    const time = date.toISOString().slice(11, 19);
    const day = String(date.getUTCDate()).padStart(2, '0');
    known = { second, text: `${day}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}:${time} +0000` };
  }
  return known.text;
}
