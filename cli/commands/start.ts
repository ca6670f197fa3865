import { dirname } from 'node:path';
import process from 'node:process';
import { readConfig } from '../../adapters/config/read-config.ts';
import { removeStaleModules } from '../../adapters/modules/place-modules.ts';
import { createTraces } from '../../adapters/modules/traces.ts';
import { setArguments } from '../../core/builtins/modules/sys.ts';
import type { Config } from '../../core/config/config.ts';
import { secretWarnings } from '../../core/config/secret-warnings.ts';
import { ProgramError } from '../../core/program/program.ts';
import { findAppFile } from '../app-file.ts';
import type { Command } from '../command.ts';
import { CommandFailure, formatFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CompiledApp, compileApp, shownPath } from '../program/compile-app.ts';
import { installRuntime, runtimeNames } from '../program/open-runtime.ts';
import { openStores } from '../program/open-stores.ts';
import { forRunning, reportDiagnostics, sourcesOf } from '../program/report-diagnostics.ts';
import { reportConfig } from '../report-config.ts';
import { announceReady } from '../start/announce.ts';
import { endpointLines, endpointTable } from '../start/endpoint-table.ts';
import { listen } from '../start/listen.ts';
import { openProcessLog } from '../start/open-log.ts';
import { openVersion, type Version } from '../start/open-version.ts';
import { checkStartOptions, configFlags, startOptions, unavailableSettings } from '../start/options.ts';
import { startReloading } from '../start/reload.ts';
import { waitForSignal } from '../start/signals.ts';
import { createSwitchApp } from '../start/switch-app.ts';
import { warnTrackedSecrets } from '../start/tracked-secrets.ts';
import { createSteps } from '../steps.ts';
import { hasColour, type Terminal } from '../terminal.ts';
import { describeUncaught } from '../uncaught.ts';

export const command: Command = {
  name: 'start',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Serves an application: every walker an endpoint, every user a graph of their own.',
  options: startOptions,
  async run({ operands, options, terminal }) {
    checkStartOptions(options);
    const isJson = options['json'] === true;
    const reloads = options['reload'] === true || options['dev'] === true;
    const configFile = options['config'] as string | undefined;
    const file = findAppFile('start', operands[0], terminal, configFile);
    const readAgain = () =>
      readConfig({
        startDir: file.directory,
        cwd: terminal.cwd,
        env: terminal.env,
        configFile,
        profile: options['profile'] as string | undefined,
        flags: configFlags(options),
        isTerminal: terminal.isErrTerminal && !isJson,
      });
    const read = readAgain();
    reportConfig(read, terminal);
    const { config } = read;
    for (const line of [...secretWarnings(config), ...unavailableSettings(config)]) terminal.err(`${line}\n`);
    Object.assign(process.env, read.dotEnv);
    process.chdir(file.directory);
    setArguments([file.shown]);
    Error.stackTraceLimit = 25;

    const steps = createSteps(terminal, !isJson && config.mode === 'development');
    const request = { file: file.path, config, purpose: 'serve', env: read.env, runtimeNames } as const;
    const compiled = await steps.run(`Compiling ${file.shown}`, () => compileApp(request));
    await reportDiagnostics(forRunning(compiled.diagnostics), {
      terminal,
      stream: 'err',
      projectDir: config.projectDir,
    });
    const runnable = requireRunnable(compiled, file.shown);

    const isFaux = options['faux'] === true;
    const stores = await openStores(config, terminal, !isFaux);
    const { log, adjust, flush } = openProcessLog(config, terminal);
    installRuntime();
    let reloading: ReturnType<typeof startReloading> | undefined;
    const open = (
      next: CompiledApp & { readonly directory: string },
      nextConfig: Config,
      turns: Version['runtime']['turns'] | undefined,
    ) =>
      openVersion({
        config: nextConfig,
        stores,
        log,
        directory: next.directory,
        entryFile: next.entryFile,
        entryId: next.entryId,
        print: (line) => terminal.out(`${line}\n`),
        buildStatus: reloads ? () => reloading?.status() ?? { status: 'ok' } : undefined,
        turns,
      });
    const version = await open(runnable, config, undefined).catch((error: unknown) =>
      refuseProgram(error, runnable.directory, config, terminal),
    );
    if (typeof version === 'number') {
      await stores.close();
      return version;
    }
    for (const line of version.program.warnings) terminal.err(`warning: ${line}\n`);
    if (isFaux) {
      const { targets, fixed } = version.app.routes;
      terminal.out(isJson ? endpointLines(targets, fixed) : endpointTable(targets, fixed));
      await stores.close();
      return exitCodes.success;
    }

    process.on('uncaughtException', (error) => {
      log.fatal('uncaught exception', { error });
      flush();
      process.exit(exitCodes.failure);
    });
    const stopped = waitForSignal(flush);
    const served = createSwitchApp(version.app);
    const server = await listen(served.app, config, (wanted, used) => {
      if (isJson) terminal.out(`${JSON.stringify({ event: 'port_in_use', port: wanted, using: used })}\n`);
      else terminal.out(`Port ${wanted} is in use, using port ${used} instead\n`);
    }).catch(async (error: unknown) => {
      await stores.close();
      throw error;
    });
    await stores.ping();
    announceReady({ config, server, stores, targets: version.app.routes.targets, terminal, log, isJson });
    if (reloads) {
      let latest = version;
      reloading = startReloading({
        terminal,
        file: file.path,
        config,
        readConfig: readAgain,
        open: (next, nextConfig) => open(next, nextConfig, latest.runtime.turns),
        swap(next, nextConfig) {
          const before = served.replace(next.app);
          // What calls of the old version still changed is read anew.
          void before.then(() => next.runtime.rows.clear());
          latest = next;
          adjust(nextConfig);
        },
        print: (line) => (isJson ? log.info(line) : terminal.out(`${line}\n`)),
      });
    }
    void warnTrackedSecrets(read.file, read.literalSecrets).then(
      (line) => line !== undefined && terminal.err(`${line}\n`),
    );
    if (!compiled.isTemporary && !compiled.wasCached) void removeStaleModules(dirname(runnable.directory), Date.now());

    const signal = await stopped;
    reloading?.close();
    log.debug('draining', { signal, running: served.app.lifecycle.running });
    const { drainDelaySeconds, drainTimeoutSeconds } = config.serve;
    const settled = await server.drain({ delayMs: drainDelaySeconds * 1000, timeoutMs: drainTimeoutSeconds * 1000 });
    if (!settled) log.warn('calls were aborted at shutdown');
    flush();
    await stores.close();
    return settled ? exitCodes.success : exitCodes.failure;
  },
};

function requireRunnable(compiled: CompiledApp, shown: string): CompiledApp & { readonly directory: string } {
  const { directory } = compiled;
  if (directory !== undefined) return { ...compiled, directory };
  throw new CommandFailure(exitCodes.invalid, `cannot start ${shown}`, 'the program has errors, shown above');
}

/** Says why a program is not served: what it declares (exit 3), or what its entry blocks threw (exit 1). */
function refuseProgram(error: unknown, directory: string, config: Config, terminal: Terminal): number {
  if (error instanceof ProgramError) {
    const count = error.problems.length === 1 ? '1 problem' : `${error.problems.length} problems`;
    terminal.err(`${error.message}\n`);
    terminal.err(
      formatFailure(
        new CommandFailure(exitCodes.invalid, 'the application cannot be served', `${count}, listed above`),
      ),
    );
    return exitCodes.invalid;
  }
  const text = describeUncaught(error, {
    traces: createTraces(directory),
    sourceOf: sourcesOf(config.projectDir),
    showPath: (path) => shownPath(config.projectDir, terminal.cwd, path),
    colour: hasColour(terminal, 'err'),
  });
  terminal.err(text);
  return exitCodes.failure;
}
