import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Reply } from '../../../handlers/call.ts';

/** A header that can be written as it is. */
const plainHeader = /^[\w-]+: [\t\x20-\x7e]*\r\n$/;

/** A function's result as the gateway sends it. */
export function toReply(result: APIGatewayProxyStructuredResultV2): Reply {
  const { statusCode = 200, headers = {}, cookies, body, isBase64Encoded } = result;
  const flat: string[] = [];
  let head: string | undefined = '';
  for (const name in headers) {
    const value = String(headers[name]);
    flat.push(name, value);
    const line = `${name}: ${value}\r\n`;
    if (head !== undefined) head = plainHeader.test(line) ? head + line : undefined;
  }
  if (cookies !== undefined) {
    head = undefined;
    for (const cookie of cookies) flat.push('Set-Cookie', cookie);
  }
  const declared = headers['Content-Length'];
  const content = body === undefined || isBase64Encoded !== true ? body : Buffer.from(body, 'base64');
  if (declared === undefined && content !== undefined) {
    head = undefined;
    flat.push('Content-Length', String(Buffer.byteLength(content)));
  }
  // The text is plain ASCII when it has as many bytes as characters.
  const isAscii = typeof content === 'string' && Number(declared) === content.length;
  return { status: statusCode, headers: flat, body: content, isAscii, head };
}
