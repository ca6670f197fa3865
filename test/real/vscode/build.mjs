/**
 * Installs a VS Code that runs without a screen, for tests of the packed extension, from npm: `node test/real/vscode/build.mjs`. It is the server in the package `code-server`
 * with the Node.js it asks for, and goes to `SVC_VSCODE`, else into the user's cache. A minute or two, 900 MB; nothing when it is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const target = process.env.SVC_VSCODE || join(homedir(), '.cache/svc-scale/vscode');
const node = `node-${process.platform}-${process.arch}`;

if (!existsSync(target)) {
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'package.json'), '{"private": true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  npm(work, ['install', ...options, 'code-server@4.139.1', `${node}@24`]);
  npm(join(work, 'node_modules/code-server/lib/vscode'), ['install', '--omit=dev', ...options]);
  renameSync(work, target);
}
console.log(`VS Code is in ${target}`);

function npm(cwd, args) {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit' });
  if (status === 0) return;
  rmSync(`${target}.new`, { recursive: true, force: true });
  process.exit(1);
}
