import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';

/** The failure of a debugger in production: the inspector runs any code that is sent to it. */
export function refusedInProduction(what: string): CommandFailure {
  return new CommandFailure(exitCodes.invalid, `cannot ${what}`, 'the inspector is not opened in production', [
    'SVC_ENV=development allows it',
  ]);
}
