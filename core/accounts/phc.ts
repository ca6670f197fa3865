/** A password hash in PHC string form: `$id[$v=n]$k=v,k=v$salt$key`, base64 without padding. */
export interface PhcHash {
  readonly id: string;
  readonly version: number | undefined;
  readonly params: Readonly<Record<string, number>>;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const pattern =
  /^\$([a-z0-9-]{1,32})(?:\$v=(\d{1,9}))?\$([a-z]+=\d{1,10}(?:,[a-z]+=\d{1,10})*)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Undefined when the text is not a PHC string with numeric parameters. */
export function parsePhc(text: string): PhcHash | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, id, version, params, salt, key] = match as unknown as [
    string,
    string,
    string | undefined,
    string,
    string,
    string,
  ];
  const pairs = params.split(',').map((pair) => pair.split('=') as [string, string]);
  return {
    id,
    version: version === undefined ? undefined : Number(version),
    params: Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)])),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

/** The inverse of `parsePhc`; parameters are written in the order given. */
export function formatPhc(hash: PhcHash): string {
  const version = hash.version === undefined ? '' : `$v=${hash.version}`;
  const params = Object.entries(hash.params)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  return `$${hash.id}${version}$${params}$${unpadded(hash.salt)}$${unpadded(hash.key)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
