import type { Config } from '../../core/config/config.ts';
import type { Program } from '../../core/program/program.ts';
import type { AppParts } from '../../handlers/deps.ts';

/** Reads the parts that a program, its mode and its host need (decisions/0180). `takesSockets`: the host can have connections. */
export async function readAppParts(program: Program, { mode }: Config, takesSockets: boolean): Promise<AppParts> {
  const hasWebhooks = program.walkers.some(({ rest }) => rest.protocol === 'WEBHOOK');
  return {
    ...(takesSockets ? await import('../../handlers/socket/socket-app.ts') : {}),
    ...(hasWebhooks ? await import('../../handlers/webhook/webhook-route.ts') : {}),
    ...(mode === 'production' ? {} : await import('../../handlers/http/telling.ts')),
  };
}
