/** Node, what is installed beside it, limits of the system. */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { storeKind } from '../../adapters/stores/stores.ts';
import { openFilesLimit } from '../start/open-files.ts';
import type { Finding, Patient } from './finding.ts';

export function checkNode(_patient: unknown, version = process.versions.node): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return [{ check: 'node', state: 'ok', text: `Node ${version}` }];
  return [{ check: 'node', state: 'bad', text: `Node ${version}, 20.19 or newer is needed` }];
}

export async function checkDrivers({ read }: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (storeKind(read.config) === 'sqlite') findings.push(await sqliteDriver());
  findings.push(await passwordDriver(read.config.scale.auth.passwordHash));
  return findings;
}

async function sqliteDriver(): Promise<Finding> {
  const check = 'sqlite';
  if (await canImport('node:sqlite')) return { check, state: 'ok', text: 'SQLite: node:sqlite' };
  if (await canImport('libsql')) return { check, state: 'ok', text: 'SQLite: libsql' };
  return { check, state: 'bad', text: 'SQLite: no driver', hint: 'npm install libsql, or use Node 22.13 or newer' };
}

async function passwordDriver(preferred: 'argon2id' | 'scrypt'): Promise<Finding> {
  const check = 'passwords';
  if (preferred === 'scrypt') return { check, state: 'ok', text: 'password hash: scrypt' };
  if (await canImport('@node-rs/argon2')) return { check, state: 'ok', text: 'password hash: argon2id' };
  return { check, state: 'note', text: 'password hash: scrypt', hint: 'npm install @node-rs/argon2 for argon2id' };
}

async function canImport(name: string): Promise<boolean> {
  try {
    await import(name);
    return true;
  } catch {
    return false;
  }
}

/** Each connection takes a file descriptor. */
export function checkLimits({ read }: Patient, limits?: string): Finding[] {
  const findings: Finding[] = [];
  const soft = openFilesLimit(limits);
  if (soft !== undefined && soft < 4096) {
    findings.push({
      check: 'limits',
      state: 'note',
      text: `at most ${soft} files and connections may be open`,
      hint: 'ulimit -n 65536',
    });
  }
  const cores = availableParallelism();
  const { workers } = read.config.serve;
  if (workers > cores) {
    const text = `${workers} workers share ${cores === 1 ? 'one processor' : `${cores} processors`}`;
    findings.push({ check: 'limits', state: 'note', text });
  }
  return findings;
}

/** Tokens expire by this clock: one that stands years back, or runs ahead of the files' own, signs people out or never does. */
export function checkClock(_patient: unknown, nowMs = Date.now()): Finding[] {
  const builtMs = statSync(new URL(import.meta.url)).mtimeMs;
  const dayMs = 86_400_000;
  if (nowMs >= Math.min(builtMs, Date.now()) - dayMs)
    return [{ check: 'clock', state: 'ok', text: 'the clock is set' }];
  const text = `the clock says ${new Date(nowMs).toISOString()}, which is before this program was installed`;
  return [{ check: 'clock', state: 'bad', text, hint: 'synchronise it: tokens expire by it' }];
}
