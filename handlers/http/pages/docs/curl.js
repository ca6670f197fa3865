/** Calls as command lines. */
/** @import { CallRequest } from './types.d.ts' */

/**
 * Quotes a text for a POSIX shell.
 *
 * @param {string} text
 */
function shellText(text) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${String(text).replace(/'/g, "'\\''")}'`;
}

/**
 * A curl command line. Bodies: undefined, a text, or a list of form fields.
 *
 * @param {CallRequest} request
 */
export function curlText(request) {
  const url = request.url.replace(/%7B/g, '{').replace(/%7D/g, '}'); // parameters that are not filled in yet
  const parts = [`curl${request.method === 'GET' ? '' : ` -X ${request.method}`} ${shellText(url)}`];
  for (const [name, value] of Object.entries(request.headers)) parts.push(`-H ${shellText(`${name}: ${value}`)}`);
  if (typeof request.body === 'string') parts.push(`-d ${shellText(request.body)}`);
  if (Array.isArray(request.body)) {
    for (const [name, value] of request.body) {
      const isFile = typeof value !== 'string';
      parts.push(`-F ${shellText(`${name}=${isFile ? `@${value.name}` : value}`)}`);
    }
  }
  return parts.join(' \\\n  ');
}
