/**
 * Builds the control plane of the tests from Go modules, once: `node test/real/kubernetes/build.mjs`. The binaries go to `SVC_CONTROL_PLANE`, else
 * into the user's cache. About twenty minutes on two cores; nothing when they are there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const target = process.env.SVC_CONTROL_PLANE || join(homedir(), '.cache/svc-scale/control-plane/bin');
const version = '1.34.4';
const stamp = 'k8s.io/component-base/version';
const programs = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
};

mkdirSync(target, { recursive: true });
for (const [name, path] of Object.entries(programs)) {
  if (existsSync(join(target, name))) continue;
  console.log(`building ${name}`);
  const flags = `-s -w -X ${stamp}.gitVersion=v${version} -X ${stamp}.gitMajor=1 -X ${stamp}.gitMinor=34`;
  const built = spawnSync(
    'go',
    ['build', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', join(target, `${name}.new`), path],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: 'inherit',
    },
  );
  if (built.status !== 0) process.exit(1);
  renameSync(join(target, `${name}.new`), join(target, name));
}
console.log(`the control plane is in ${target}`);
