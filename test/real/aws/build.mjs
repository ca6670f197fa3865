/**
 * Installs the counterpart of AWS for tests from PyPI, once: `node test/real/aws/build.mjs`. It goes to `SVC_MOTO`, else into the user's cache. Two
 * minutes, 320 MB; nothing when it is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const target = process.env.SVC_MOTO || join(homedir(), '.cache/svc-scale/moto');
const services = 'server,apigatewayv2,awslambda,cloudformation,dynamodb,events,iam,logs,s3,ssm,sts';
const wanted = [`moto[${services}]==5.2.5`, 'cfn-lint==1.58.0'];

if (!existsSync(join(target, 'bin/moto_server')) || !existsSync(join(target, 'bin/cfn-lint'))) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  // Scripts of an environment name its folder, so it is made where it stays.
  run('python3', ['-m', 'venv', target]);
  run(join(target, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...wanted]);
}
console.log(`moto and cfn-lint are in ${target}`);

function run(program, args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status === 0) return;
  rmSync(target, { recursive: true, force: true });
  process.exit(1);
}
