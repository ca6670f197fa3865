/** `svc generate client`: compiles and loads the program, and writes what its clients need to know of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { shownPathFrom } from '../../base/shown-path.ts';
import { servedTargets } from '../../handlers/served-targets.ts';
import type { CommandArgs } from '../command.ts';
import { usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { compileApp } from '../program/compile-app.ts';
import { runtimeNames } from '../program/open-runtime.ts';
import { readApp } from '../program/read-app.ts';
import { readDeclared } from '../program/read-declared.ts';
import { forRunning, reportDiagnostics } from '../program/report-diagnostics.ts';
import type { Terminal } from '../terminal.ts';
import { clientTexts } from './client-text.ts';
import { readWalkers } from './read-walkers.ts';
import { clientRuntime, type Language } from './runtime-text.ts';

/** @throws CommandFailure for a name that says no language, and as `readDeclared` */
export async function generateClient(args: CommandArgs): Promise<number> {
  const { options, terminal } = args;
  const out = options['out'] as string | undefined;
  const language = languageOf(out);
  const { file, read } = readApp('generate', args);
  const { config, env } = read;
  const compiled = await compileApp({ file: file.path, config, purpose: 'serve', env, runtimeNames });
  await reportDiagnostics(forRunning(compiled.diagnostics), {
    terminal,
    stream: 'err',
    projectDir: config.projectDir,
  });
  const { directory } = compiled;
  const declared =
    directory === undefined ? undefined : await readDeclared({ ...compiled, directory }, config, terminal);
  if (declared === undefined) return exitCodes.failure;
  const { client, types } = clientTexts({
    targets: servedTargets(declared.program),
    classes: declared.program.classes,
    walkers: await readWalkers({ file: file.path, config, env }),
    runtime: await clientRuntime(language),
    typedRuntime: await clientRuntime('ts'),
    language,
    name: config.project.name,
    withPrivate: config.serve.serializePrivate,
  });
  if (out === undefined) {
    terminal.out(client);
    return exitCodes.success;
  }
  const path = resolve(terminal.cwd, out);
  put(path, client, terminal);
  if (types !== undefined) putTypes(path.replace(/\.(m?)js$/, '.d.$1ts'), types, terminal);
  return exitCodes.success;
}

function put(path: string, text: string, terminal: Terminal): void {
  const isNew = textOf(path) !== text;
  if (isNew) writeFileSync(path, text);
  terminal.err(`svc: ${shownPathFrom(terminal.cwd, path)} ${isNew ? 'was written' : 'is as it was'}\n`);
}

/** Nobody named this file: one that somebody wrote stays. */
function putTypes(path: string, text: string, terminal: Terminal): void {
  if (textOf(path)?.includes('written by `svc generate client`') !== false) put(path, text, terminal);
  else
    terminal.err(
      `svc: ${shownPathFrom(terminal.cwd, path)} was not written by svc generate client, and stays as it is\n`,
    );
}

function languageOf(out: string | undefined): Language {
  const extension = out === undefined ? '.ts' : extname(out);
  if (extension === '.ts' || extension === '.mts') return 'ts';
  if (extension === '.js' || extension === '.mjs') return 'js';
  throw usageFailure('--out', `'${out}' ends neither in .ts nor in .js`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
