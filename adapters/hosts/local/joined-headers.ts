import type { IncomingHttpHeaders } from 'node:http';

/** Header fields as calls give them: those that node:http keeps as lists (`set-cookie`) joined by `, `. */
export function joinedHeaders(headers: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
  );
}
