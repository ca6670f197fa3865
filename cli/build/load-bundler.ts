import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';

/** The bundler that packages functions; the product does not bring it along. @throws CommandFailure when it is not installed */
export async function loadBundler(): Promise<typeof import('esbuild')> {
  return await import('esbuild').catch(() => {
    throw new CommandFailure(
      exitCodes.prerequisite,
      'functions cannot be packaged',
      'esbuild, which bundles them, is not installed',
      ['npm install --save-dev esbuild'],
    );
  });
}
