import type { Database } from './database.ts';

/** Settings come through standard input, so the password is on no command line. */
export const kvcacheScript = `exec valkey-server - <<END
dir /data
appendonly yes
maxmemory-policy volatile-lru
requirepass $KVCACHE_PASSWORD
END
`;

/** One instance with an append-only file; only keys that expire may be evicted (docs/server/orchestrator.md#databases). */
export const kvcacheDatabase: Database = {
  component: 'kvcache',
  port: 6379,
  user: 999,
  variable: 'KVCACHE_URL',
  dataPath: '/data',
  values: (host) => ({
    password: { generated: 'letters and digits', characters: 32 },
    KVCACHE_URL: { composed: ['redis://:', { value: 'password' }, `@${host}/0`] },
  }),
  main: {
    command: ['sh', '-c', kvcacheScript],
    secretEnv: { KVCACHE_PASSWORD: 'password' },
    mounts: [],
  },
  check: ['sh', '-c', 'REDISCLI_AUTH="$KVCACHE_PASSWORD" valkey-cli ping | grep -q PONG'],
  volumes: () => [],
};
