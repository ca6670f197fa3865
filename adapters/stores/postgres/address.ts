/** Addresses of PostgreSQL as its own programs read them: several hosts, `sslmode`, sockets (docs/server/stores.md#postgresql). */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

export interface Place {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

export interface Address {
  readonly places: readonly Place[];
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly sslmode: SslMode;
  readonly parameters: ReadonlyMap<string, string>;
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

// Lists of hosts are not what URL reads.
const form = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/i;

/** @throws Error that repeats nothing of the address */
export function readAddress(url: string): Address {
  const parts = form.exec(url);
  if (parts === null) throw new Error('the address of the database cannot be read');
  const [, user, password, hosts = '', database, query = ''] = parts;
  const parameters = new Map(new URLSearchParams(query));
  const named = parameters.get('host');
  const list = hosts === '' ? (named ?? 'localhost') : hosts;
  const places = list.split(',').map((text) => placeOf(text, parameters.get('port')));
  const sslmode = (parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'require' : 'prefer')) as SslMode;
  if (!sslModes.includes(sslmode)) throw new Error(`sslmode is one of ${sslModes.join(', ')}`);
  if (places.some(({ port }) => !Number.isInteger(port) || port < 1 || port > 65_535))
    throw new Error('the address of the database cannot be read: a port is no number');
  const shared = { places, sslmode, parameters, database: decode(database) || decode(user) || 'postgres' };
  return { ...shared, user: decode(user), password: decode(password) };
}

function placeOf(text: string, port: string | undefined): Place {
  const host = decode(text)!;
  if (host.startsWith('/')) return { host, port: Number(port ?? 5432) };
  const [, name = '', own] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host) ?? [];
  return { host: name.replace(/^\[|\]$/g, ''), port: Number(own ?? port ?? 5432) };
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Gives the address for banners and messages: `shop at db1:5432,db2:5432`, without user and password. */
export function shownAddress(url: string): string {
  try {
    const { places, database } = readAddress(url);
    return `${database} at ${places.map(({ host, port }) => `${host}:${port}`).join(',')}`;
  } catch {
    return 'an address that cannot be read';
  }
}

/** Gives the options of `node:tls` for a mode; false for a connection without TLS. */
export function tlsOf({ sslmode, parameters }: Address, host: string): object | false {
  if (sslmode === 'disable' || sslmode === 'allow' || host.startsWith('/')) return false;
  const file = (name: string) => {
    const path = parameters.get(name);
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  };
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  const own = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (sslmode === 'verify-full')
    return {
      ...own,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      checkServerIdentity: (_: string, found: PeerCertificate) => checkServerIdentity(host, found),
    };
  if (sslmode === 'verify-ca') return { ...own, checkServerIdentity: () => undefined };
  return { ...own, rejectUnauthorized: false };
}
