/** Secrets that are kept in files: the automatic one (docs/server/configuration.md#default-secrets), keys of asymmetric algorithms. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { autoSecret, keyFilePath, readJwtSecret } from '../../core/accounts/jwt-secret.ts';
import { loadTokenKeys } from '../../core/accounts/token-keys.ts';
import type { Config } from '../../core/config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Finding, Patient } from './finding.ts';
import { hasSecretProblem, isOpen } from './settings.ts';
import { canWrite } from './storage.ts';

const check = 'secrets';

export async function checkSecrets({ read }: Patient): Promise<Finding[]> {
  const { config } = read;
  const { jwt } = config.scale;
  if (!jwt.algorithm.startsWith('HS')) return keyFiles(config);
  return hasSecretProblem(read) ? [] : await sharedSecret(config);
}

async function sharedSecret(config: Config): Promise<Finding[]> {
  const { secret } = config.scale.jwt;
  const findings: Finding[] = [];
  if (new Set(secret).size < 8 && secret !== autoSecret && secret !== '') {
    findings.push({ check, state: 'note', text: 'JWT_SECRET repeats a few characters', hint: 'openssl rand -hex 32' });
  }
  return secret === autoSecret ? [...findings, ...(await keptSecret(config))] : findings;
}

async function keptSecret(config: Config): Promise<Finding[]> {
  const folder = join(config.projectDir, '.svc', 'secrets');
  const file = join(folder, 'jwt');
  if (!existsSync(file)) {
    if (await canWrite(folder)) return [{ check, state: 'ok', text: `the token secret will be made in ${file}` }];
    return [{ check, state: 'bad', text: `${folder} cannot be written to, so no token secret can be made` }];
  }
  try {
    readJwtSecret(config);
  } catch (error) {
    return [{ check, state: 'bad', text: (error as Error).message, exitCode: exitCodes.invalid }];
  }
  const open = [folder, file].filter(isOpen);
  if (open.length === 0) return [{ check, state: 'ok', text: `token secret: ${file}` }];
  return open.map((path) => ({
    check,
    state: 'bad',
    text: `${path} is open to other users of this machine, who can forge tokens`,
    hint: `chmod ${path === folder ? 700 : 600} ${path}`,
    exitCode: exitCodes.failure,
  }));
}

function keyFiles(config: Config): Finding[] {
  const { privateKeyFile, algorithm } = config.scale.jwt;
  if (privateKeyFile === '') return []; // told as a problem of the configuration
  try {
    loadTokenKeys(config);
  } catch (error) {
    const text = `the token key cannot be used: ${(error as Error).message}`;
    return [{ check, state: 'bad', text, exitCode: exitCodes.invalid }];
  }
  const path = keyFilePath(config, privateKeyFile);
  if (privateKeyFile.includes('-----BEGIN') || !isOpen(path))
    return [{ check, state: 'ok', text: `token key: ${algorithm}` }];
  const text = `${path} is open to other users of this machine, who can forge tokens`;
  return [{ check, state: 'bad', text, hint: `chmod 600 ${path}`, exitCode: exitCodes.failure }];
}
