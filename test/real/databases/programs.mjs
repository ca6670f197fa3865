/** Where the counterparts of databases are (build.mjs). */
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.getuid?.() === 0 ? '/var/cache' : join(homedir(), '.cache');
export const databases = process.env.SVC_DATABASES || join(cache, 'svc-scale/databases');

export const programs = {
  'postgres-13': join(databases, 'postgres-13/bin/postgres'),
  'postgres-18': join(databases, 'postgres-18/bin/postgres'),
  valkey: join(databases, 'valkey/valkey-server'),
  secantus: join(databases, 'secantus/bin/secantusd-py'),
};
