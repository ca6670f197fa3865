/** The address to listen on, and other services. */
import { createServer } from 'node:net';
import { createSendToProvider } from '../../adapters/identity/send-to-provider.ts';
import type { Config } from '../../core/config/config.ts';
import { createDiscovery } from '../../handlers/sso/discovery.ts';
import { requireProvider } from '../../handlers/sso/provider.ts';
import { exitCodes } from '../exit-codes.ts';
import { portOf } from '../start/start-job.ts';
import type { Finding, Patient } from './finding.ts';
import { reach } from './reach.ts';

export async function checkAddress({ read }: Patient): Promise<Finding[]> {
  const { host, port } = read.config.serve;
  const { mayMove } = portOf(read);
  const code = await bindError(host, port);
  const check = 'port';
  if (code === undefined) return [{ check, state: 'ok', text: port === 0 ? 'any free port' : `port ${port} is free` }];
  if (code === 'EADDRINUSE') {
    const text = `port ${port} is in use`;
    return mayMove
      ? [{ check, state: 'note', text, hint: 'svc start takes the next free one in development' }]
      : [{ check, state: 'bad', text, exitCode: exitCodes.cannotBind }];
  }
  const why =
    code === 'EACCES' ? 'needs more rights' : code === 'EADDRNOTAVAIL' ? 'is not an address of this machine' : code;
  return [{ check, state: 'bad', text: `cannot listen on ${host}:${port}: ${why}`, exitCode: exitCodes.cannotBind }];
}

function bindError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

/** Each provider that has credentials is asked for its discovery document. */
export async function checkProviders({ read: { config } }: Patient): Promise<Finding[]> {
  const { providers, host } = config.scale.sso;
  const used = Object.entries(providers).filter(
    ([, { clientId, clientSecret }]) => clientId !== '' && clientSecret !== '',
  );
  if (used.length === 0) return [];
  const findings = await Promise.all(used.map(([name]) => checkProvider(config, name)));
  if (config.mode === 'production' && host === '' && config.serve.baseUrl === '') {
    const text = 'callback addresses follow the Host header of each request';
    findings.push([{ check: 'sso', state: 'note', text, hint: 'set serve.base_url or sso.host' }]);
  }
  return findings.flat();
}

async function checkProvider(config: Config, name: string): Promise<Finding[]> {
  const check = 'sso';
  try {
    const provider = requireProvider(config.scale.sso.providers, name);
    await createDiscovery(createSendToProvider(), Date.now).metadata(provider);
    return [{ check, state: 'ok', text: `sign-in with ${name}: ${provider.issuer}` }];
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return [{ check, state: 'bad', text: `sign-in with ${name} does not work: ${why}` }];
  }
}

export async function checkTraces({ read: { config } }: Patient): Promise<Finding[]> {
  const { traceEndpoint } = config.scale.logging;
  if (!URL.canParse(traceEndpoint)) return [];
  const trouble = await reach(traceEndpoint, 3000);
  const name = `traces to ${new URL(traceEndpoint).host}`;
  if (trouble === undefined) return [{ check: 'traces', state: 'ok', text: name }];
  return [{ check: 'traces', state: 'note', text: `${name}: ${trouble}; spans are dropped until somebody listens` }];
}
