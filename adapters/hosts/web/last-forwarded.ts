/**
 * Gives the address that the nearest proxy saw: the last of `X-Forwarded-For`, without a port, '' when there is none. For hosts behind a gateway that
 * always writes it; whatever stands before the last one may be a caller's invention.
 */
export function lastForwarded(header: string | undefined | null): string {
  const last = header?.split(',').at(-1)?.trim() ?? '';
  const [, v4, v6] = /^(?:(\d+(?:\.\d+){3})|\[([^\]]*)\]):\d+$/.exec(last) ?? [];
  return v4 ?? v6 ?? last;
}
