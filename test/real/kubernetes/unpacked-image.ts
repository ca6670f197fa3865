/**
 * Images as a node has them: pulled from their registry by digest as the account of the pod's pull secret, unpacked by other tools (skopeo, umoci), and
 * started from that root as the user of the image, which may write to the volumes of its pod only.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface UnpackedImage {
  readonly root: string;
  readonly entry: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: number;
}

/** @param login contents of a pull secret, `.dockerconfigjson` @throws what skopeo or umoci say */
export async function pullImage(name: string, login: string | undefined, folder: string): Promise<UnpackedImage> {
  const [digest] = /[0-9a-f]{64}$/.exec(name) ?? [];
  if (digest === undefined) throw new Error(`${name} is not named by its digest`);
  const bundle = join(folder, digest);
  if (!existsSync(bundle)) await unpack(name, login, bundle);
  const { process: started } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
  const env = started.env.map((line: string) => line.split(/=(.*)/s).slice(0, 2));
  return {
    root: join(bundle, 'rootfs'),
    // Arguments follow the entry point; pods always give their own.
    entry: started.args.slice(0, 2),
    env: Object.fromEntries(env),
    cwd: started.cwd,
    user: started.user.uid,
  };
}

async function unpack(name: string, login: string | undefined, bundle: string): Promise<void> {
  mkdirSync(dirname(bundle), { recursive: true });
  const temporary = mkdtempSync(`${bundle}.`);
  const account = join(temporary, 'login.json');
  writeFileSync(account, login ?? '{}', { mode: 0o600 });
  const layout = join(temporary, 'layout');
  const from = ['--src-tls-verify=false', '--authfile', account, `docker://${name}`];
  await promisify(execFile)('skopeo', ['--insecure-policy', 'copy', ...from, `oci:${layout}:pulled`]);
  const made = join(temporary, 'bundle');
  await promisify(execFile)('umoci', ['unpack', '--image', `${layout}:pulled`, made]);
  for (const mountPoint of ['proc', 'dev']) mkdirSync(join(made, 'rootfs', mountPoint), { recursive: true });
  if (!existsSync(bundle)) renameSync(made, bundle);
  rmSync(temporary, { recursive: true, force: true });
}

export interface ContainerRun {
  readonly image: UnpackedImage;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders of this machine by their paths in the container. */
  readonly volumes: Readonly<Record<string, string>>;
}

const script = `set -e
root="$1"; cwd="$2"; user="$3"; shift 3
mount --bind "$root" "$root"
while [ "$1" != -- ]; do mount --bind "$2" "$root$1"; shift 2; done
shift
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd="$cwd" -S "$user" -G "$user" -- "$@"`;

/** Starts the process of a container; signals reach the program itself. */
export function startContainer({ image, command, env, volumes }: ContainerRun): ChildProcess {
  const mounts = Object.entries(volumes).flat();
  for (const folder of Object.values(volumes)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
  }
  const given = [image.root, image.cwd, String(image.user), ...mounts, '--', ...command];
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...given], {
    env: { ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
