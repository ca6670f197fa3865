import { join } from 'node:path';
import { embeddedFile, kindsElsewhere } from '../../adapters/kvstore/options.ts';
import { databasesOptions } from '../../adapters/kvstore/with-databases.ts';
import { shownPathFrom } from '../../base/shown-path.ts';
import type { Config } from '../../core/config/config.ts';
import type { Terminal } from '../terminal.ts';

/** Warns of documents and keys in the folder of the data that programs do not find any more, and names the command that brings them along. */
export async function warnOfForgotten(config: Config, terminal: Terminal): Promise<void> {
  const options = databasesOptions(config, config.dataDir);
  if (kindsElsewhere(options).length === 0) return;
  const { isForgotten } = await import('../../adapters/kvstore/forgotten.ts');
  const file = join(config.dataDir, embeddedFile);
  if (!isForgotten(file, options)) return;
  const shown = shownPathFrom(terminal.cwd, file);
  terminal.err(
    `warning: ${shown} has documents or keys of kvstore, which is elsewhere now; svc migrate --kvstore brings them there\n`,
  );
}
