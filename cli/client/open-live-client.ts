/** Opens the development server of a program's browser half for `svc start --dev`. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ClientProgram } from '../../adapters/client/client-program.ts';
import { comingServer } from '../../adapters/client/coming-server.ts';
import { entryAddress, startDevServer } from '../../adapters/client/dev-server.ts';
import { ClientBuildError, type ClientProblem } from '../../adapters/client/failure.ts';
import type { ClientJob } from '../../adapters/client/job.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import { throwOutside } from '../../base/throw-outside.ts';
import type { MappedStack } from '../../handlers/http/client/error-route.ts';
import type { PageFacts } from '../../handlers/http/client/page-text.ts';
import type { StartJob } from '../start/start-job.ts';
import { buildId } from '../version.ts';
import type { LiveClient } from './live-client.ts';
import { bringPackages, emptyFacts, tellInVain } from './prepare-page.ts';
import { frameLines, problemText } from './problem-text.ts';

/** Undefined when packages are missing and cannot be had: that is told, and the API is served all the same. */
export async function openLiveClient(
  program: ClientProgram,
  { config: first, terminal, isJson, readAgain }: StartJob,
): Promise<LiveClient | PageFacts> {
  let config = first;
  const job: ClientJob = { program, config };
  let printed = '';
  /** Prints problems, unless they are those of the last time: a server that follows another one says the same. */
  const print = (problems: readonly ClientProblem[]): void => {
    const text = problems.map((one) => `${problemText(one, terminal.cwd)}\n`).join('');
    if (text !== printed) terminal.err(text);
    printed = text;
  };
  let current = program;
  const tried = new Set<string>();
  let bringing = Promise.resolve();
  let renewals = 0;
  /** Tells problems. A package that is imported since the start is brought instead: once, whatever comes of it. */
  const tell = (found: readonly ClientProblem[]) => {
    // A page may have asked for the text before, and the answer come when the import is gone.
    const problems = found.filter(
      ({ missing, source }) => missing === undefined || source?.includes(missing) !== false,
    );
    if (problems.length === 0) return;
    const names = problems.flatMap(({ missing }) => (missing === undefined || tried.has(missing) ? [] : [missing]));
    if (names.length === 0) return print(problems);
    for (const name of names) tried.add(name);
    const before = renewals;
    bringing = bringing.then(() => bringNow(problems, before)).catch(throwOutside);
  };
  async function bringNow(problems: readonly ClientProblem[], before: number): Promise<void> {
    // The list in svc.toml may have changed with the import.
    const now: ClientJob = { program: current, config: { ...config, dependencies: readAgain().config.dependencies } };
    try {
      if (await bringPackages(now, 'development', { terminal, tells: !isJson })) {
        coming.renew();
        await tellInVain(config, terminal);
      } else if (before === renewals) print(problems);
    } catch (error) {
      if (!(error instanceof ClientBuildError)) throw error;
      print(error.problems);
    }
  }
  async function renewNow(): Promise<void> {
    try {
      await bringPackages({ program: current, config }, 'development', { terminal, tells: !isJson });
      coming.renew();
      renewals += 1;
      await tellInVain(config, terminal);
    } catch (error) {
      if (!(error instanceof ClientBuildError)) throw error;
      print(error.problems);
    }
  }
  /** Tells that there are no pages; gives what is said in their place. */
  const giveUp = (error: unknown): PageFacts => {
    if (!(error instanceof ClientBuildError)) throw error;
    const failure = error.problems.map((one) => problemText(one, terminal.cwd)).join('\n\n');
    terminal.err(`${failure}\n\nThe browser application is not served; the API is.\n`);
    return { ...emptyFacts(job), failure };
  };
  try {
    await bringPackages(job, 'development', { terminal, tells: !isJson });
  } catch (error) {
    return giveUp(error);
  }
  const printFailure = (message: string, { frames }: MappedStack): void => {
    const [first] = frames;
    const lines = [`error in the browser: ${message}`];
    for (const { function: name, file, line, column } of frames.slice(0, 5))
      lines.push(
        `  --> ${shownPathFrom(terminal.cwd, resolve(config.projectDir, file))}:${line}:${column}${name === undefined ? '' : ` in ${name}`}`,
      );
    if (first !== undefined)
      lines.push(...frameLines(textOf(resolve(config.projectDir, first.file)), first.line, first.column));
    terminal.err(`${lines.join('\n')}\n`);
  };
  let failed: PageFacts | undefined;
  let isOpen = false;
  let mayBeUnbundled = true;
  const tokens = new Set<string>();
  let facts: PageFacts = { ...emptyFacts(job), entry: entryAddress };
  const coming = comingServer(program, async (current) => {
    try {
      const now: ClientJob = { config, program: current };
      const server = await startDevServer({
        job: now,
        buildId: buildId ?? '',
        tokens,
        onProblems: tell,
        onFailure: printFailure,
        mayBeUnbundled,
        onBundleNeeded() {
          if (mayBeUnbundled) coming.renew();
          mayBeUnbundled = false;
        },
      });
      isOpen = true;
      failed = undefined;
      return server;
    } catch (error) {
      if (isOpen && error instanceof ClientBuildError) print(error.problems);
      else failed = giveUp(error);
      return undefined;
    }
  });
  // Nobody waits for it: the first page does not look through all packages.
  const toldOwn = coming.quiet().then(() => tellInVain(config, terminal));
  toldOwn.catch(throwOutside);
  return {
    ...coming,
    facts: () => failed ?? facts,
    update(next) {
      current = next;
      printed = '';
      facts = { ...emptyFacts({ config, program: next }), entry: entryAddress };
      coming.update(next);
    },
    reconfigure(next) {
      config = next;
      for (const name of Object.keys(next.dependencies.npm)) tried.delete(name);
      bringing = bringing.then(renewNow).catch(throwOutside);
    },
    print: printFailure,
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
