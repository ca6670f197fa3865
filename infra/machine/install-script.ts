import { dataFolder, type MachineApp, releasesFolder, secretsFile } from './machine-app.ts';

export interface Installer {
  readonly app: MachineApp;
  /** Hexadecimal SHA-256 of the archive beside the script. */
  readonly sha256: string;
}

/**
 * Script for a shell of POSIX that installs a release beside the earlier ones, starts it, and goes back to the one before when it does not
 * become ready. It can be interrupted and run again at any point.
 */
export function installScript({ app, sha256 }: Installer): string {
  const { name, port, processor, storage, secrets } = app;
  return `#!/bin/sh
# Written by svc build --target machine. As root: ./install.sh, ./install.sh rollback, ./install.sh remove [--purge]
set -eu

NAME=${shell(name)}
APP=${shell(releasesFolder(app))}
DATA=${shell(dataFolder(app))}
SECRETS=${shell(secretsFile(app))}
STORAGE=${shell(storage)}
SHA256=${sha256}
READY="http://127.0.0.1:${port}"${shell(app.readinessPath)}
NEEDED=${shell(secrets.join(' '))}
MAKES_JWT_SECRET=${app.makesJwtSecret ? 'yes' : 'no'}
UNIT=/etc/systemd/system/$NAME.service
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

fail() { echo "install: $1" >&2; exit "\${2:-1}"; }
has_systemd() { [ -d /run/systemd/system ]; }

check_machine() {
  [ "$(id -u)" = 0 ] || fail "run it as root: sudo ./install.sh" 7
  command -v systemctl >/dev/null || fail "this machine has no systemd" 7
  [ "$(uname -m)" = ${processor} ] || fail "this release is for ${processor}, the machine is $(uname -m): svc build --platform" 7
  NODE=$(command -v node) || fail "Node.js 20.19 or newer is missing: https://nodejs.org/en/download" 7
  NODE=$(readlink -f "$NODE")
  case $NODE in /root/*|/home/*) fail "$NODE is in a home folder, which a service cannot read: install Node.js for all users" 7 ;; esac
  "$NODE" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "$NODE is older than 20.19" 7
}

make_user() {
  id "$NAME" >/dev/null 2>&1 || useradd --system --user-group --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin "$NAME"
  install -d -m 0750 -o "$NAME" -g "$NAME" "$DATA" "$DATA/svc" "$DATA/storage"
}

# What is in the file stays; what is missing is asked for.
make_secrets() {
  install -d -m 0700 "$(dirname "$SECRETS")"
  if [ ! -f "$SECRETS" ]; then (umask 077; cp "$HERE/env.example" "$SECRETS"); fi
  chmod 0600 "$SECRETS"
  if [ "$MAKES_JWT_SECRET" = yes ] && ! grep -q '^JWT_SECRET=.' "$SECRETS"; then
    sed -i '/^JWT_SECRET=/d' "$SECRETS"
    printf 'JWT_SECRET=%s\\n' "$(head -c 48 /dev/urandom | base64 | tr -d '\\n')" >> "$SECRETS"
  fi
  missing=
  for one in $NEEDED; do grep -q "^$one=." "$SECRETS" || missing="$missing $one"; done
  [ -z "$missing" ] || fail "write these into $SECRETS and run this again:$missing" 3
}

unpack() {
  echo "$SHA256  $HERE/$NAME.tar.gz" | sha256sum -c - >/dev/null || fail "$NAME.tar.gz is not the one this script was made with" 5
  RELEASE=$APP/releases/$(echo "$SHA256" | cut -c1-12)
  install -d -m 0755 "$APP" "$APP/releases"
  if [ ! -d "$RELEASE" ]; then
    rm -rf "$RELEASE.new"
    mkdir "$RELEASE.new"
    tar -xzf "$HERE/$NAME.tar.gz" -C "$RELEASE.new" --no-same-owner --strip-components=1 || fail "the release cannot be unpacked" 5
    ln -s "$DATA/svc" "$RELEASE.new/.svc"
    if [ -n "$STORAGE" ]; then
      mkdir -p "$(dirname "$RELEASE.new/$STORAGE")"
      ln -s "$DATA/storage" "$RELEASE.new/$STORAGE"
    fi
    mv "$RELEASE.new" "$RELEASE"
  fi
  touch "$RELEASE"
}

switch_to() {
  ln -sfn "$1" "$APP/current.new"
  mv -T "$APP/current.new" "$APP/current"
}

write_unit() {
  sed "s|^ExecStart=/usr/bin/node|ExecStart=$NODE|" "$HERE/$NAME.service" > "$UNIT.new"
  chmod 0644 "$UNIT.new"
  mv "$UNIT.new" "$UNIT"
  systemctl enable "$NAME.service" >/dev/null 2>&1 || fail "the unit cannot be enabled" 5
}

# Asks for at most a minute.
is_ready() {
  "$NODE" -e 'const until = Date.now() + 60000;
    const ask = () => fetch(process.argv[1]).then(({ ok }) => ok, () => false).then((ok) => ok ? process.exit(0) : Date.now() < until ? setTimeout(ask, 500) : process.exit(1));
    ask();' "$READY"
}

start() {
  if ! has_systemd; then echo "systemd is not running here: $NAME starts with the machine"; return 0; fi
  systemctl daemon-reload
  systemctl restart "$NAME.service"
  is_ready
}

# The version before, for rollback.
remember() { [ -z "$1" ] || [ "$1" = "$RELEASE" ] || ln -sfn "$1" "$APP/previous"; }

# Three releases stay besides the two in use.
clear_old() {
  # shellcheck disable=SC2012 # names are hexadecimal digits
  ls -1t "$APP/releases" | tail -n +4 | while read -r one; do
    case "$(readlink "$APP/current") $(readlink "$APP/previous" || true)" in *"$one"*) ;; *) rm -rf "$APP/releases/\${one:?}" ;; esac
  done
}

do_install() {
  check_machine
  make_user
  make_secrets
  unpack
  before=$(readlink "$APP/current" || true)
  switch_to "$RELEASE"
  write_unit
  if ! start; then
    journalctl -u "$NAME.service" -n 30 --no-pager >&2 || true
    if [ -n "$before" ]; then
      switch_to "$before"
      systemctl restart "$NAME.service" || true
      fail "the new release did not become ready; the one before runs again" 6
    fi
    fail "$NAME did not become ready: journalctl -u $NAME" 6
  fi
  remember "$before"
  clear_old
  echo "$NAME: $(basename "$RELEASE") at $READY"
  echo "For TLS: Caddyfile or nginx.conf beside this script"
}

do_rollback() {
  check_machine
  [ -L "$APP/previous" ] || fail "there is no release before this one"
  before=$(readlink "$APP/current")
  RELEASE=$(readlink "$APP/previous")
  switch_to "$RELEASE"
  start || fail "the release before does not become ready: journalctl -u $NAME" 6
  remember "$before"
  echo "$NAME: back to $(basename "$RELEASE"); data is as it was"
}

do_remove() {
  check_machine
  if has_systemd; then systemctl disable --now "$NAME.service" 2>/dev/null || true; else systemctl disable "$NAME.service" 2>/dev/null || true; fi
  rm -f "$UNIT"
  if has_systemd; then systemctl daemon-reload; fi
  rm -rf "\${APP:?}"
  if [ "\${1:-}" = --purge ]; then
    rm -rf "\${DATA:?}" "$(dirname "\${SECRETS:?}")"
    userdel "$NAME" 2>/dev/null || true
    echo "$NAME is gone with its data"
  else
    echo "$NAME is gone; $DATA and $SECRETS stay (remove --purge)"
  fi
}

case \${1:-install} in
  install) do_install ;;
  rollback) do_rollback ;;
  remove) do_remove "\${2:-}" ;;
  *) fail "unknown: $1 (install, rollback, remove [--purge])" 2 ;;
esac
`;
}

/** The file with secrets as somebody fills it in. */
export function secretsExample({ secrets, makesJwtSecret }: MachineApp): string {
  const lines = secrets.map((name) => `${name}=\n`);
  const jwt = makesJwtSecret ? '# JWT_SECRET is made when it is missing.\n' : '';
  return `# Secrets of the application, one NAME=value a line; read by systemd, by nobody else.\n${jwt}${lines.join('')}`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
