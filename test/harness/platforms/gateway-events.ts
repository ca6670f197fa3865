/** Requests as the gateways before functions write them down, and answers of functions as they send them. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Format = 'http-api' | 'aws-v1' | 'alb';

/** Event of a request whose body has come. */
export function eventOf(format: Format, request: IncomingMessage, body: Buffer): object {
  return { 'http-api': httpApiEvent, 'aws-v1': restEvent, alb: balancerEvent }[format](request, body);
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function httpApiEvent(request: IncomingMessage, body: Buffer): object {
  const { path, query } = targetOf(request);
  const { cookie, ...headers } = Object.fromEntries(
    Object.entries(listsOf(request)).map(([name, values]) => [name, values.join(',')]),
  );
  const sourceIp = request.socket.remoteAddress!;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/;\s*/) }),
    headers: { ...headers, 'x-forwarded-for': forwarded(request), 'x-forwarded-proto': 'https' },
    requestContext: {
      ...{ accountId: '123456789012', apiId: 'a1b2c3d4e5', domainPrefix: 'a1b2c3d4e5', stage: '$default' },
      ...{ domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com', requestId: 'JKJaXmPLvHcESHA=' },
      ...{ routeKey: '$default', time: '12/Mar/2020:19:03:58 +0000', timeEpoch: 1583348638390 },
      http: { method: request.method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
    },
    ...contentOf(body, isPlainText(headers['content-type'], body)),
  };
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html, with `binaryMediaTypes: ['*\/*']` */
function restEvent(request: IncomingMessage, body: Buffer): object {
  const { path, query } = targetOf(request);
  const lists = { ...listsOf(request), 'X-Forwarded-For': [forwarded(request)], 'X-Forwarded-Proto': ['https'] };
  const queries: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) (queries[name] ??= []).push(value);
  const hasQuery = query !== '';
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: request.method,
    headers: lastOf(lists),
    multiValueHeaders: lists,
    queryStringParameters: hasQuery ? lastOf(queries) : null,
    multiValueQueryStringParameters: hasQuery ? queries : null,
    pathParameters: path === '/' ? null : { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      ...{ resourceId: 'abc123', resourcePath: '/{proxy+}', httpMethod: request.method, path: `/prod${path}` },
      ...{ accountId: '123456789012', protocol: 'HTTP/1.1', stage: 'prod', domainPrefix: 'a1b2c3d4e5' },
      ...{ requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef', requestTime: '09/Apr/2015:12:34:56 +0000' },
      ...{ requestTimeEpoch: 1428582896000, domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com' },
      identity: {
        ...{ cognitoIdentityPoolId: null, accountId: null, cognitoIdentityId: null, caller: null, accessKey: null },
        ...{ sourceIp: request.socket.remoteAddress, cognitoAuthenticationType: null, user: null, userArn: null },
        ...{ cognitoAuthenticationProvider: null, userAgent: request.headers['user-agent'] ?? null },
      },
      apiId: 'a1b2c3d4e5',
    },
    ...(body.length === 0 ? { body: null, isBase64Encoded: false } : contentOf(body, false)),
  };
}

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html, with multi-value headers */
function balancerEvent(request: IncomingMessage, body: Buffer): object {
  const { path, query } = targetOf(request);
  const lists = listsOf(request);
  const queries: Record<string, string[]> = {};
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...rest] = pair.split('=');
    (queries[name] ??= []).push(rest.join('='));
  }
  const arn = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/svc/49e9d65c45c6791a';
  return {
    requestContext: { elb: { targetGroupArn: arn } },
    httpMethod: request.method,
    path,
    multiValueQueryStringParameters: queries,
    multiValueHeaders: {
      ...lists,
      'x-amzn-trace-id': ['Root=1-5c536348-3d683b8b04734faae651f476'],
      'x-forwarded-for': [forwarded(request)],
      'x-forwarded-port': ['443'],
      'x-forwarded-proto': ['https'],
    },
    ...contentOf(body, isPlainText(request.headers['content-type'], body)),
    ...(body.length === 0 ? { body: '' } : {}),
  };
}

/** The target as it was sent. */
function targetOf({ url = '/' }: IncomingMessage) {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function listsOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) (lists[rawHeaders[i]!.toLowerCase()] ??= []).push(rawHeaders[i + 1]!);
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete lists[name];
  return lists;
}

function lastOf(lists: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1)!]));
}

function forwarded({ headers, socket }: IncomingMessage): string {
  return [headers['x-forwarded-for'], socket.remoteAddress].filter((one) => one !== undefined).join(', ');
}

function contentOf(body: Buffer, isText: boolean): object {
  if (body.length === 0) return { isBase64Encoded: false };
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

function isPlainText(type: string | undefined, body: Buffer): boolean {
  return isUtf8(body) && /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded))/.test(type ?? '');
}

/** Sends a result as its gateway does; one that it would refuse is answered 502. */
export function sendResult(format: Format, result: any, response: ServerResponse): void {
  const { statusCode, headers = {}, multiValueHeaders = {}, cookies = [], body = '', isBase64Encoded = false } = result;
  const isRefused =
    typeof statusCode !== 'number' ||
    (format === 'alb' && (result.headers !== undefined || typeof result.isBase64Encoded !== 'boolean')) ||
    (format !== 'http-api' && result.cookies !== undefined);
  if (isRefused) return void response.writeHead(502).end();
  const lists = format === 'http-api' ? { 'set-cookie': cookies } : multiValueHeaders;
  for (const [name, values] of Object.entries<string[]>({ ...headers, ...lists })) response.setHeader(name, values);
  response.writeHead(statusCode);
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}
