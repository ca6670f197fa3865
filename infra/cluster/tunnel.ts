/** Connections through a proxy (`proxy-url` of a kubeconfig): HTTP `CONNECT`, then TLS with the cluster itself. */
import { request } from 'node:http';
import type { Agent, AgentOptions } from 'node:https';
import { connect } from 'node:tls';

export function tunnelTo(proxy: string): AgentOptions & Pick<Agent, 'createConnection'> {
  return {
    createConnection: (options: any, callback: any) => {
      const { hostname, port, username, password } = new URL(proxy);
      const target = `${options.host}:${options.port}`;
      const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
      const asked = request({
        host: hostname,
        port: port || 80,
        method: 'CONNECT',
        path: target,
        headers: { host: target, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) },
      });
      asked.on('error', (error) => callback(error));
      asked.on('connect', ({ statusCode }, socket) => {
        socket.on('error', () => {});
        if (statusCode !== 200) {
          socket.destroy();
          callback(new Error(`the proxy ${hostname} answers ${statusCode}`));
          return;
        }
        const secured = connect({ ...options, socket });
        // The request listens too, but later.
        secured.on('error', () => {});
        callback(null, secured);
      });
      asked.end();
      return undefined as never;
    },
  } as AgentOptions & Pick<Agent, 'createConnection'>;
}
