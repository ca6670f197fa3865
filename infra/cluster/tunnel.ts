/** Connections through a proxy (`proxy-url` of a kubeconfig): HTTP `CONNECT`, then TLS with the cluster itself. */
import { request } from 'node:http';
import { Agent } from 'node:https';
import { connect } from 'node:tls';

/** An agent whose connections go through the proxy. */
export function tunnelAgent(proxy: string): Agent {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port, username, password } = new URL(proxy);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  // Only the method of an agent makes its connections; an option of that name is not looked at.
  (agent as any).createConnection = (options: any, callback: (error: Error | null, socket?: object) => void) => {
    const target = `${options.host}:${options.port}`;
    const headers = { host: target, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) };
    const asked = request({ host: hostname, port: port || 80, method: 'CONNECT', path: target, headers, agent: false });
    asked.on('error', (error) => callback(error));
    asked.on('connect', ({ statusCode }, socket) => {
      socket.on('error', () => {});
      if (statusCode !== 200) {
        socket.destroy();
        callback(new Error(`the proxy ${hostname} answers ${statusCode}`));
        return;
      }
      const secure = connect({ ...options, socket });
      secure.on('error', () => {});
      callback(null, secure);
    });
    asked.end();
  };
  return agent;
}
