import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Reply } from '../../../handlers/call.ts';

/**
 * A reply, its body at hand, as the result of a function (payload format 2.0): text as text, everything else in base64. Repeated headers
 * are joined by commas, but cookies, which have a list of their own.
 */
export function toResult(
  { status, headers: flat }: Pick<Reply, 'status' | 'headers'>,
  body: string | Uint8Array | undefined,
): APIGatewayProxyStructuredResultV2 {
  const headers: Record<string, string> = {};
  let cookies: string[] | undefined;
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i]!;
    const value = flat[i + 1]!;
    if (name === 'Set-Cookie') {
      cookies ??= [];
      cookies.push(value);
    } else headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const result: APIGatewayProxyStructuredResultV2 = { statusCode: status, headers };
  if (cookies !== undefined) result.cookies = cookies;
  if (typeof body === 'string') result.body = body;
  else if (body !== undefined && isText(headers['Content-Type']) && isUtf8(body)) result.body = asText(body);
  else if (body !== undefined) {
    result.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
    result.isBase64Encoded = true;
  }
  return result;
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Media types whose content goes as text. */
export function isText(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  return /^(text\/|application\/([a-z.+-]+\+)?(json|xml|javascript)\b|application\/x-www-form-urlencoded\b)/i.test(
    contentType,
  );
}
