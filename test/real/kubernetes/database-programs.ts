/**
 * Programs of this machine under the names that the images of databases have them. Valkey is Debian's Redis, from which it comes. For MongoDB, whose
 * server is in no registry of packages, a listener stands that leads to the tests' own server of its protocol.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `mongoPort`: where the tests' server listens. `usersFile`: name and password of the user that the deployment made, as JSON. */
export function writeDatabasePrograms(folder: string, mongoPort: number, usersFile: string): void {
  const relay = `const net = require('node:net');
    net.createServer((socket) => {
      const to = net.connect(${mongoPort}, '127.0.0.1');
      for (const one of [socket, to]) one.on('error', () => { socket.destroy(); to.destroy(); });
      socket.pipe(to).pipe(socket);
    }).listen(27017, process.env.POD_IP);`;
  const programs = {
    'valkey-server': 'cat > $TMPDIR/valkey.conf\nexec redis-server $TMPDIR/valkey.conf --port 6379 --bind $POD_IP',
    'valkey-cli': 'exec redis-cli -h $POD_IP "$@"',
    mongod: `case "$*" in
  *--shutdown*) test -f $TMPDIR/mongod.pid && rm $TMPDIR/mongod.pid ;;
  *--fork*) echo 1 > $TMPDIR/mongod.pid ;;
  *--keyFile*) test -s "\${*##*--keyFile }" && exec '${process.execPath}' -e "$RELAY" ;;
  *) echo "mongod: $*" >&2; exit 2 ;;
esac`,
    mongosh: `case "$*" in
  *createUser*) test -f $TMPDIR/mongod.pid && printf '{"%s": "%s"}' "$DOCDB_USERNAME" "$DOCDB_PASSWORD" > '${usersFile}' ;;
  *ping*) exec '${process.execPath}' -e 'require("node:net").connect(27017, process.env.POD_IP, () => process.exit(0)).on("error", () => process.exit(1))' ;;
esac`,
  };
  writePrograms(folder, programs, `set -eu\nexport RELAY='${relay.replaceAll("'", '"')}'\n`);
}

/** A database that starts, and never is ready. */
export function writeSlowPrograms(folder: string): void {
  writePrograms(folder, {
    mongod: 'case "$*" in *--keyFile*) exec sleep 600 ;; esac',
    mongosh: '! echo "$*" | grep -q ping',
  });
}

function writePrograms(folder: string, programs: Readonly<Record<string, string>>, before = ''): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${before}${text}\n`);
    chmodSync(path, 0o755);
  }
}
