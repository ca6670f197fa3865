import { createTraces } from '../../adapters/modules/traces.ts';
import type { Config } from '../../core/config/config.ts';
import { ProgramError } from '../../core/program/program.ts';
import { CommandFailure, formatFailure } from '../command-failure.ts';
import type { Terminal } from '../terminal.ts';
import { describeUncaught, titleOf, uncaughtOptions } from '../uncaught.ts';
import type { Application } from './open-application.ts';
import type { Serving } from './open-serving.ts';
import type { Version } from './open-version.ts';
import type { Offer, Refusal, Runnable } from './reload.ts';

export interface SwitchParts {
  readonly application: Application;
  readonly serving: Serving;
  readonly terminal: Terminal;
}

/** Loads new modules in this process and serves them, if they can be served. */
export function createVersionSwitch({ application, serving, terminal }: SwitchParts): Offer {
  return async (compiled, config) => {
    let next: Version;
    try {
      next = await application.open(compiled, config);
    } catch (error) {
      return refusalOf(error, compiled, config);
    }
    serving.swap(next, config);
    return undefined;
  };

  function refusalOf(error: unknown, compiled: Runnable, { projectDir }: Config): Refusal {
    if (error instanceof ProgramError) return { message: error.problems.join('; '), text: `${error.message}\n` };
    if (error instanceof CommandFailure) return { message: error.message, text: formatFailure(error) };
    const traces = createTraces(projectDir, compiled.directory);
    const text = describeUncaught(error, uncaughtOptions(traces, projectDir, terminal));
    return { message: titleOf(error, traces), text, at: traces.frames(error)[0] };
  }
}
