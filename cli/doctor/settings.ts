/**
 * Checks of `svc.toml`, `.env` and the environment (docs/server/configuration.md#default-secrets,
 * docs/server/configuration.md#validation).
 */
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import { type Finding as ConfigFinding, formatFinding } from '../../core/config/finding.ts';
import { secretWarnings } from '../../core/config/secret-warnings.ts';
import { exitCodes } from '../exit-codes.ts';
import { warnTrackedSecrets } from '../start/tracked-secrets.ts';
import type { Finding, Patient } from './finding.ts';

const check = 'configuration';
const plain = (text: string) => text.replace(/^(warning|note): /, '');

export async function checkSettings({ read }: Patient): Promise<Finding[]> {
  const { file, config, problems, warnings, notes, literalSecrets } = read;
  const tracked = await warnTrackedSecrets(file, literalSecrets);
  return [
    {
      check,
      state: 'ok',
      text: `configuration: ${file === undefined ? 'no svc.toml, defaults' : file} (${config.mode})`,
    },
    ...problems.map((one): Finding => ({ check, state: 'bad', text: formatFinding(one), exitCode: exitCodes.invalid })),
    ...[...warnings, ...notes].map((one): Finding => ({ check, state: 'note', text: plain(formatFinding(one)) })),
    ...(hasSecretProblem(read) ? [] : secretWarnings(config)).map(
      (text): Finding => ({ check: 'secrets', state: 'note', text: plain(text) }),
    ),
    ...(tracked === undefined ? [] : [{ check: 'secrets', state: 'note', text: plain(tracked) } as const]),
  ];
}

/** True when the token secret is a fault of the configuration, which is told as one: nothing more is said about its value then. */
export function hasSecretProblem(read: ReadConfig): boolean {
  return read.problems.some(isAboutSecret);
}

function isAboutSecret({ key }: ConfigFinding): boolean {
  return key === 'jwt.secret' || key === 'JWT_SECRET';
}

/** Lists the findings that would keep the same project from starting in production. */
export function checkForProduction({ read, terminal }: Patient): Finding[] {
  if (read.config.mode === 'production') return [];
  const env = { ...read.env, SVC_ENV: 'production' };
  const found = readConfig({
    startDir: terminal.cwd,
    cwd: terminal.cwd,
    env,
    configFile: read.file,
    isTerminal: terminal.isErrTerminal,
  });
  const known = new Set(read.problems.map(formatFinding));
  return found.problems
    .filter((one) => !(isAboutSecret(one) && hasSecretProblem(read)))
    .map(formatFinding)
    .filter((text) => !known.has(text))
    .map((text): Finding => ({ check: 'production', state: 'note', text: `production would refuse: ${text}` }));
}

export function checkDotEnv({ read }: Patient): Finding[] {
  const path = join(read.config.projectDir, '.env');
  if (!existsSync(path)) return [];
  const findings: Finding[] = [];
  if (read.config.mode === 'production') {
    findings.push({ check: 'env', state: 'note', text: `${basename(path)} is there and not read in production` });
  }
  if (isOpen(path)) {
    findings.push({ check: 'env', state: 'note', text: '.env can be read by other users', hint: `chmod 600 ${path}` });
  }
  return findings;
}

/** Tells whether group or others may read a file or enter a folder. Windows has no such bits. */
export function isOpen(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}
