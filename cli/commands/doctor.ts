import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import process from 'node:process';
import { type ReadConfig, readConfig } from '../../adapters/config/read-config.ts';
import type { Config } from '../../core/config/config.ts';
import { formatFinding } from '../../core/config/finding.ts';
import { secretWarnings } from '../../core/config/secret-warnings.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { version } from '../version.ts';

interface Result {
  readonly state: 'ok' | 'note' | 'bad';
  readonly text: string;
}

export const command: Command = {
  name: 'doctor',
  operands: '',
  arity: [0, 0],
  about: 'Looks at the surroundings svc works in and says what is missing.',
  options: [],
  async run({ terminal }) {
    const read = readConfig({
      startDir: terminal.cwd,
      cwd: terminal.cwd,
      env: terminal.env,
      isTerminal: terminal.isErrTerminal,
    });
    const results = [
      nodeVersion(),
      await sqliteDriver(),
      await passwordDriver(),
      ...configuration(read),
      await dataDirectory(read.config),
      await configuredPort(read.config),
    ];
    terminal.out(`svc ${version}\n`);
    for (const { state, text } of results)
      terminal.out(`  ${state === 'ok' ? 'ok  ' : state === 'note' ? 'note' : 'BAD '}  ${text}\n`);
    return results.some(({ state }) => state === 'bad') ? exitCodes.failure : exitCodes.success;
  },
};

function nodeVersion(): Result {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  return {
    state: isNew ? 'ok' : 'bad',
    text: `Node ${process.versions.node}${isNew ? '' : ', 20.19 or newer is needed'}`,
  };
}

async function sqliteDriver(): Promise<Result> {
  if (await canImport('node:sqlite')) return { state: 'ok', text: 'SQLite: node:sqlite' };
  if (await canImport('libsql')) return { state: 'ok', text: 'SQLite: libsql' };
  return { state: 'bad', text: 'SQLite: no driver; npm install libsql, or use Node 22.13 or newer' };
}

async function passwordDriver(): Promise<Result> {
  if (await canImport('@node-rs/argon2')) return { state: 'ok', text: 'password hash: argon2id' };
  return { state: 'note', text: 'password hash: scrypt (npm install @node-rs/argon2 for argon2id)' };
}

async function canImport(name: string): Promise<boolean> {
  try {
    await import(name);
    return true;
  } catch {
    return false;
  }
}

function configuration({ file, config, problems, warnings }: ReadConfig): Result[] {
  return [
    { state: 'ok', text: `configuration: ${file ?? 'no svc.toml, defaults'} (${config.mode})` },
    ...problems.map((finding): Result => ({ state: 'bad', text: formatFinding(finding) })),
    ...warnings.map((finding): Result => ({ state: 'note', text: formatFinding(finding) })),
    ...secretWarnings(config).map((text): Result => ({ state: 'note', text })),
  ];
}

async function dataDirectory({ dataDir }: Config): Promise<Result> {
  let nearest = dataDir;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const isWritable = await access(nearest, constants.W_OK).then(
    () => true,
    () => false,
  );
  return {
    state: isWritable ? 'ok' : 'bad',
    text: `data directory ${dataDir}${isWritable ? '' : ' cannot be written to'}`,
  };
}

async function configuredPort({ serve }: Config): Promise<Result> {
  const isFree = await portIsFree(serve.host, serve.port);
  return { state: isFree ? 'ok' : 'note', text: `port ${serve.port} is ${isFree ? 'free' : 'in use'}` };
}

function portIsFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
