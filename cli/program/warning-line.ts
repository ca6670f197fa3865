/** A warning of the runtime as one line of a terminal: `svc: … (type main.Room, kind node)`. */
export function warningLine(message: string, fields: Readonly<Record<string, unknown>>): string {
  const details = Object.entries(fields).map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`);
  return `svc: ${message}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}
