/** Facts that building and developing the browser half of one program have in common. */
import type { Config } from '../../core/config/config.ts';
import type { ClientProgram } from './client-program.ts';

export interface ClientJob {
  readonly program: ClientProgram;
  readonly config: Pick<Config, 'client' | 'projectDir' | 'dependencies'>;
}

export function needsOf({ program, config }: ClientJob) {
  const text = [...program.modules().values()].map(({ code }) => code);
  const { outline } = program;
  return {
    projectDir: config.projectDir,
    listed: { ...config.dependencies.npm, ...config.dependencies.npmDev },
    usesRouter: outline.usesRouter || outline.pages.length > 0,
    usesForms: text.some((code) => code.includes('@svc/runtime/forms')),
  };
}
