import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface EventSource {
  readonly apiId: string;
  /** Part of the host name: `execute-api`, `lambda-url`. */
  readonly host: string;
  readonly routeKey: string;
}

/** Events of payload format 2.0 with every member they have, for a request to a path with or without a query. */
export function eventsOf({ apiId, host, routeKey }: EventSource) {
  const domainName = `${apiId}.${host}.eu-west-1.amazonaws.com`;
  return (method: string, target: string, given: Partial<APIGatewayProxyEventV2> = {}): APIGatewayProxyEventV2 => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    return {
      version: '2.0',
      routeKey,
      rawPath,
      rawQueryString,
      headers: { host: domainName, 'content-type': 'application/json' },
      requestContext: {
        accountId: '123456789012',
        apiId,
        domainName,
        domainPrefix: apiId,
        http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent' },
        requestId: 'id',
        routeKey,
        stage: '$default',
        time: '12/Mar/2020:19:03:58 +0000',
        timeEpoch: 1583348638390,
      },
      isBase64Encoded: false,
      ...given,
    };
  };
}
