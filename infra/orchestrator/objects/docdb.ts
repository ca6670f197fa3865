import type { Database } from './database.ts';

/**
 * Runs before the database, each time: the database on the loopback address only, without passwords, until it is a replica set of one member and
 * its user has the password of the Secret.
 */
export const docdbInitScript = `set -eu
cp /auth/keyfile /keys/keyfile
chmod 400 /keys/keyfile
mongod --replSet rs0 --bind_ip 127.0.0.1 --dbpath /data/db --logpath /tmp/mongod.log --pidfilepath /tmp/mongod.pid --fork
mongosh --quiet --norc --eval '
  try { rs.status() } catch { rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "127.0.0.1:27017" }] }) }
  while (!db.hello().isWritablePrimary) sleep(200);
  const admin = db.getSiblingDB("admin");
  const { DOCDB_USERNAME: user, DOCDB_PASSWORD: pwd } = process.env;
  if (admin.getUser(user) === null) admin.createUser({ user, pwd, roles: ["root"] });
  else admin.updateUser(user, { pwd });
'
mongod --dbpath /data/db --shutdown
`;

const keys = { name: 'keys', mountPath: '/keys' };

/**
 * One member of a replica set, because transactions need one (docs/server/orchestrator.md#databases). Clients are told
 * not to ask it for others.
 */
export const docdbDatabase: Database = {
  component: 'docdb',
  port: 27_017,
  user: 999,
  variable: 'DOCDB_URI',
  dataPath: '/data/db',
  values: (host) => ({
    username: { text: 'svc' },
    password: { generated: 'letters and digits', characters: 32 },
    keyfile: { generated: 'base64', characters: 756 },
    DOCDB_URI: {
      composed: ['mongodb://svc:', { value: 'password' }, `@${host}/?authSource=admin&directConnection=true`],
    },
  }),
  init: {
    command: ['sh', '-c', docdbInitScript],
    secretEnv: { DOCDB_USERNAME: 'username', DOCDB_PASSWORD: 'password' },
    mounts: [keys, { name: 'auth', mountPath: '/auth', readOnly: true }],
  },
  main: {
    command: [
      ...['mongod', '--replSet', 'rs0', '--bind_ip_all', '--dbpath', '/data/db'],
      ...['--auth', '--keyFile', '/keys/keyfile'],
    ],
    secretEnv: {},
    mounts: [{ ...keys, readOnly: true }],
  },
  check: ['mongosh', '--quiet', '--norc', '--eval', 'quit(db.adminCommand({ ping: 1 }).ok ? 0 : 1)'],
  // The database wants a key file that nobody else may read; files of Secrets are readable for the group.
  volumes: (secretName) => [
    { name: 'keys', emptyDir: {} },
    { name: 'auth', secret: { secretName, items: [{ key: 'keyfile', path: 'keyfile' }] } },
  ],
};
