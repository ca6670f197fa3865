/**
 * Parts that `SvcTestClient` asks `svc test` for; the code that serves applications is loaded when the first one is
 * asked for.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import type { TestHost } from '../../core/program/test-host.ts';
import { FileNotFoundError } from '../../library/values/objects/exceptions.ts';

export interface TestHostParts {
  /** The program whose tests run. */
  readonly file: string;
  readonly config: Config;
  readonly cwd: string;
  readonly onLoaded: () => void;
}

export function createTestHost({ file, config, cwd, onLoaded }: TestHostParts): TestHost {
  return {
    find(given, folder) {
      if (given === undefined) return file;
      const folders = [...(folder === undefined ? [] : [resolve(cwd, folder)]), dirname(file), config.projectDir, cwd];
      const found = folders.map((one) => resolve(one, given)).find((path) => existsSync(path));
      if (found === undefined) throw new FileNotFoundError(2, 'No such file or directory', given);
      return found;
    },
    open: async (path) => (await import('./serve-for-tests.ts')).serveForTests(path, config, onLoaded),
  };
}
