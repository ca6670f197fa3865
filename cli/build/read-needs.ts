import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import type { DatabaseKind } from '../../core/kvstore/databases.ts';
import { secretVariables } from '../../core/program/missing-secrets.ts';
import type { Program } from '../../core/program/program.ts';
import { type Needs, needsOf } from '../../infra/cloud/needs.ts';
import { readDeclared } from '../program/read-declared.ts';
import type { Runnable } from '../start/reload.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Reads the parts of the cloud that a program needs off its declarations (decisions/0061). Where its start-up code does
 * not run here, everything. `writesSecrets`: parameters are made of `[plugins.scale.secrets]`.
 *
 * @throws CommandFailure when what it declares cannot be served (docs/server/programs.md#start-validation)
 */
export async function readNeeds(
  compiled: Runnable,
  config: Config,
  terminal: Terminal,
  writesSecrets: boolean,
): Promise<{ readonly needs: Needs; readonly program: Program | undefined }> {
  const declared = await readDeclared(compiled, config, terminal);
  if (declared === undefined)
    terminal.err(
      'warning: what the program declares is not known without its start-up code: all functions are built\n',
    );
  else tellUnreachable(declared.databases, config, terminal);
  const { secrets, cloud } = config.scale;
  for (const name of declared === undefined ? [] : secretVariables(declared.program)) {
    if (writesSecrets && name in secrets) continue;
    terminal.err(`note: webhooks are verified with ${name}: put it into the parameter /${cloud.stackName}/${name}\n`);
  }
  const usesTopics = declared === undefined || (await namesTopics(compiled));
  const needs = needsOf(declared?.program, config, { usesTopics, hasPages: compiled.client !== undefined });
  if (!needs.hasLive && followsLive(compiled))
    terminal.err(
      'warning: pages use live() or subscribe(), which is not deployed: set live = true under [plugins.scale.cloud]\n',
    );
  return { needs, program: declared?.program };
}

/** Tells whether compiled code names the functions of topics, in either language. */
async function namesTopics({ directory }: Runnable): Promise<boolean> {
  const names = await readdir(directory, { recursive: true });
  const texts = names.filter((name) => name.endsWith('.mjs')).map((name) => readFile(join(directory, name), 'utf8'));
  return (await Promise.all(texts)).some((text) => /\b(?:publish|subscribe)\b/.test(text));
}

const liveImport = /^import \{[^}]*\b(?:useLive|subscribe)\b[^}]*\} from "@svc\/runtime/m;

/** Tells whether compiled code of pages subscribes to something. */
function followsLive({ client }: Runnable): boolean {
  return client !== undefined && [...client.modules().values()].some(({ code }) => liveImport.test(code));
}

/** Addresses may be among the secrets of the deployment, so this is no error. */
function tellUnreachable(asked: ReadonlySet<DatabaseKind>, { scale }: Config, terminal: Terminal): void {
  const { docdbUri, kvcacheUrl, databaseUrl } = scale.database;
  // PostgreSQL keeps both kinds beside the graph.
  const isBeside = databaseUrl !== '' || 'DATABASE_URL' in scale.secrets;
  for (const [kind, address, variable] of [
    ['docdb', docdbUri, 'DOCDB_URI'],
    ['kvcache', kvcacheUrl, 'KVCACHE_URL'],
  ] as const) {
    if (!asked.has(kind) || address !== '' || variable in scale.secrets || isBeside) continue;
    terminal.err(
      `warning: kvstore of kind ${kind} has no address: functions have no disk to keep its data on; set ${variable} for them\n`,
    );
  }
}
